package dev.holdfast.server.http;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.BreakOutcome;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.Quota;
import dev.holdfast.server.event.Event;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.lease.Leases;
import dev.holdfast.server.lease.LockRequest;
import dev.holdfast.server.lease.ServedLease;
import dev.holdfast.server.log.AuditLog;
import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Body;
import dev.holdfast.server.message.Failures;
import dev.holdfast.server.message.Headers;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import dev.holdfast.server.view.LockViews;
import dev.holdfast.server.view.TableQuery;
import dev.holdfast.time.Timing;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What each {@link Route} does. Nothing here blocks: questions that would are asked on a worker, so many at a time. */
public final class Endpoints {

    /** What {@link Holdfast#list} gives at the most. */
    private static final int MOST_NAMES = 10_000;

    private static final int USUAL_PAGE = 100;
    private static final int LARGEST_PAGE = 1_000;
    /** What stands for bytes that are none. */
    private static final char NOT_UTF_8 = '\uFFFD';

    private static final int LONGEST_REASON = 200;
    private static final int MOST_QUESTIONS = 64;
    private static final Pattern IDEMPOTENCY_KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");

    private final Holdfast holdfast;
    private final Timing timing;
    private final Leases leases;
    private final EventLog events;
    private final Metrics metrics;
    private final AuditLog audit;
    private final LockViews views;
    private final Quota streams;
    private final Map<EventStream, Caller> open = new ConcurrentHashMap<>();
    private final AtomicInteger questions = new AtomicInteger();

    public Endpoints(
            Holdfast holdfast,
            Timing timing,
            Leases leases,
            int mostStreams,
            EventLog events,
            Metrics metrics,
            AuditLog audit,
            LockViews views) {
        this.views = views;
        this.metrics = metrics;
        this.audit = audit;
        this.events = events;
        this.holdfast = holdfast;
        this.timing = timing;
        this.leases = leases;
        this.streams = new Quota("client", "event streams", mostStreams);
    }

    /** Carries a request out. */
    CompletionStage<Answer> answer(Route route, Caller caller, Context context) throws IOException {
        return switch (route) {
            case ACQUIRE -> acquire(caller, context);
            case LEASE -> CompletableFuture.completedStage(leaseOf(caller, context));
            case EXTEND -> extend(caller, context);
            case RELEASE -> release(caller, context);
            case SEAL -> seal(caller, context);
            case VALUE -> value(caller, context);
            case STATUS -> status(caller, context);
            case LIST -> list(caller, context);
            case BREAK -> breakLease(caller, context);
            case NODES -> nodes(context);
            case EVENTS -> throw new IllegalStateException("a stream is no answer");
            case OVERVIEW -> overview(caller, context);
            case TABLE -> table(caller, context);
            case HISTORY -> history(caller, context);
            case NODE, SESSION -> upgrade(context);
            case OPENAPI -> openApi(context);
            case HEALTH -> health(context);
            case READY -> ready(context);
            case METRICS -> metrics(context);
        };
    }

    // ---- leases

    private CompletionStage<Answer> acquire(Caller caller, Context context) throws IOException {
        requireParameters(context);
        Body body = Body.of(context, LockRequest.FIELDS.toArray(String[]::new));
        LockRequest request = LockRequest.of(body, leases.longestWait(), false);
        caller.requireCovered(request.lock());
        String key = context.header("Idempotency-Key");
        if (key != null && !IDEMPOTENCY_KEY.matcher(key).matches()) {
            throw Problem.badRequest("The Idempotency-Key must have 1 to 255 visible ASCII characters.");
        }
        ClientWatch clientWatch = ClientWatch.of(context, timing);
        try {
            return leases.acquire(caller, request, key, clientWatch).handle((lease, failure) -> {
                boolean last = clientWatch.stop();
                Answer answer = failure == null
                        ? granted(lease)
                        : Failures.problem(failure).answer();
                return last ? answer.with("Connection", "close") : answer;
            });
        } catch (IllegalArgumentException e) {
            clientWatch.stop();
            throw Problem.badRequest(Failures.sentence(e));
        } catch (RuntimeException e) {
            clientWatch.stop();
            throw e;
        }
    }

    private static Answer granted(ServedLease lease) {
        return new Answer(201, Json.TYPE, Json.text(lease.json()), Map.of("Location", "/v1/leases/" + lease.id));
    }

    private Answer leaseOf(Caller caller, Context context) {
        requireParameters(context);
        return Answer.ok(living(caller, context).json());
    }

    private ServedLease living(Caller caller, Context context) {
        ServedLease lease = leases.find(caller, context.pathParam("id"));
        if (lease.hasEnded()) {
            throw lease.ended();
        }
        return lease;
    }

    private CompletionStage<Answer> extend(Caller caller, Context context) throws IOException {
        requireParameters(context);
        Body body = Body.of(context, "ttl");
        ServedLease lease = living(caller, context);
        CompletionStage<dev.holdfast.lock.ExtendOutcome> extended;
        try {
            extended = lease.lease.extendAsync(body.duration("ttl", lease.ttl));
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(Failures.sentence(e));
        }
        return extended.thenApply(outcome -> switch (outcome) {
            case EXTENDED -> {
                leases.extended(lease);
                yield Answer.ok(lease.json());
            }
            case UNCONFIRMED -> unconfirmed(lease, "The lease is valid as long as before, and may be extended again.");
            case LOST -> lease.ended().answer();
        });
    }

    private static Answer unconfirmed(ServedLease lease, String detail) {
        Problem problem = new Problem(Problem.Kind.UNCONFIRMED, detail).with("lock", lease.lease.name());
        return problem.with("remainingMillis", lease.lease.remaining().toMillis())
                .answer();
    }

    private CompletionStage<Answer> release(Caller caller, Context context) throws IOException {
        requireParameters(context);
        Body.of(context);
        ServedLease lease = leases.find(caller, context.pathParam("id"));
        return lease.lease.releaseAsync().thenApply(outcome -> {
            lease.endsByClient("released");
            return outcome(lease, Json.word(outcome));
        });
    }

    private CompletionStage<Answer> seal(Caller caller, Context context) throws IOException {
        requireParameters(context);
        Body body = Body.of(context, "retention");
        body.text("retention");
        ServedLease lease = leases.find(caller, context.pathParam("id"));
        CompletionStage<dev.holdfast.lock.SealOutcome> sealed;
        try {
            sealed = lease.lease.sealAsync(body.duration("retention", Duration.ZERO));
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(Failures.sentence(e));
        }
        return sealed.thenApply(outcome -> {
            lease.endsByClient("sealed");
            return outcome(lease, Json.word(outcome));
        });
    }

    private static Answer outcome(ServedLease lease, String outcome) {
        return Answer.ok(Json.object()
                .put("id", lease.id)
                .put("lock", lease.lease.name())
                .put("token", lease.lease.fencingToken())
                .put("outcome", outcome));
    }

    private CompletionStage<Answer> value(Caller caller, Context context) throws IOException {
        requireParameters(context);
        String text = Body.of(context, "value").text("value");
        ServedLease lease = living(caller, context);
        CompletionStage<dev.holdfast.lock.WriteOutcome> written;
        try {
            written = lease.lease.writeValueAsync(text);
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(Failures.sentence(e));
        } catch (IllegalStateException e) {
            throw new Problem(Problem.Kind.WRONG_MODE, Failures.sentence(e));
        }
        return written.thenApply(outcome -> switch (outcome) {
            case WRITTEN -> outcome(lease, "written");
            case UNCONFIRMED ->
                unconfirmed(lease, "The next holder may find this value or the one before; write it again.");
            case LOST -> lease.ended().answer();
        });
    }

    private CompletionStage<Answer> breakLease(Caller caller, Context context) throws IOException {
        requireParameters(context);
        Body body = Body.of(context, "lock", "token", "reason");
        String lock = body.text("lock");
        long token = body.number("token");
        String reason = body.text("reason").strip();
        if (reason.isEmpty() || reason.length() > LONGEST_REASON) {
            throw Problem.badRequest("The field 'reason' must say why, in 1 to " + LONGEST_REASON + " characters.");
        }
        caller.requireCovered(lock);
        String logged = Printable.of(reason, LONGEST_REASON) + " (asked for by " + caller.client() + ")";
        return answerOnWorker(() -> {
            try {
                BreakOutcome outcome = holdfast.breakLease(lock, token, logged);
                audit.broke(caller, lock, token, reason, Json.word(outcome));
                return switch (outcome) {
                    case BROKEN ->
                        Answer.ok(Json.object()
                                .put("lock", lock)
                                .put("token", token)
                                .put("outcome", "broken"));
                    case NOT_FOUND ->
                        throw new Problem(
                                Problem.Kind.NOT_FOUND, "No lease of this lock with token " + token + " was found.");
                    case NO_QUORUM ->
                        throw new Problem(
                                Problem.Kind.NO_QUORUM,
                                "Fewer nodes than a majority answered; where they did, the lease is gone.");
                };
            } catch (IllegalArgumentException e) {
                throw Problem.badRequest(Failures.sentence(e));
            }
        });
    }

    // ---- views

    private CompletionStage<Answer> status(Caller caller, Context context) {
        requireParameters(context, "lock");
        String lock = context.queryParam("lock");
        if (lock == null) {
            throw Problem.badRequest("The parameter 'lock' is missing.");
        }
        caller.requireCovered(lock);
        return answerOnWorker(() -> {
            try {
                return Answer.ok(views.status(lock));
            } catch (IllegalArgumentException e) {
                throw Problem.badRequest(Failures.sentence(e));
            }
        });
    }

    private CompletionStage<Answer> list(Caller caller, Context context) {
        requireParameters(context, "prefix", "after", "limit");
        String prefix = parameter(context, "prefix");
        String after = parameter(context, "after");
        int limit = limit(context.queryParam("limit"));
        caller.requireCovered(prefix);
        return answerOnWorker(() -> {
            List<String> names = holdfast.list(prefix, MOST_NAMES);
            List<String> page = names.stream()
                    .filter(name -> name.compareTo(after) > 0)
                    .limit(limit + 1L)
                    .toList();
            boolean more = page.size() > limit;
            ObjectNode json = Json.object();
            ArrayNode locks = json.putArray("locks");
            page.stream().limit(limit).forEach(locks::add);
            json.put("next", more ? page.get(limit - 1) : null);
            json.put("complete", names.size() < MOST_NAMES);
            return Answer.ok(json);
        });
    }

    private static String parameter(Context context, String name) {
        String value = context.queryParam(name);
        return value == null ? "" : value;
    }

    private static int limit(@Nullable String text) {
        if (text == null) {
            return USUAL_PAGE;
        }
        if (!text.matches("[1-9][0-9]{0,3}") || Integer.parseInt(text) > LARGEST_PAGE) {
            throw Problem.badRequest("The parameter 'limit' must be a number from 1 to " + LARGEST_PAGE + ".");
        }
        return Integer.parseInt(text);
    }

    private CompletionStage<Answer> nodes(Context context) {
        requireParameters(context);
        return answerOnWorker(() -> {
            List<NodeStatus> statuses = holdfast.nodes();
            ObjectNode json = Json.object();
            json.put("hasMajority", LockViews.hasMajority(statuses));
            ArrayNode nodes = json.putArray("nodes");
            statuses.forEach(status -> nodes.add(LockViews.json(status)));
            return Answer.ok(json);
        });
    }

    private CompletionStage<Answer> overview(Caller caller, Context context) {
        requireParameters(context);
        return answerOnWorker(() -> Answer.ok(views.overview(caller)));
    }

    private CompletionStage<Answer> table(Caller caller, Context context) {
        requireParameters(context, "prefix", "contains", "state", "sort", "offset", "limit");
        TableQuery query = TableQuery.of(context::queryParam);
        return answerOnWorker(() -> Answer.ok(views.table(caller, query)));
    }

    private CompletionStage<Answer> history(Caller caller, Context context) {
        requireParameters(context, "lock");
        String lock = context.queryParam("lock");
        if (lock == null) {
            throw Problem.badRequest("The parameter 'lock' is missing.");
        }
        caller.requireCovered(lock);
        return CompletableFuture.completedStage(Answer.ok(views.history(lock)));
    }

    /** Tells events until the client has gone, or is too slow. */
    void stream(Caller caller, Context context) throws IOException {
        requireParameters(context, "prefix", "lock", "types");
        String prefix = parameter(context, "prefix");
        String lock = context.queryParam("lock");
        if (lock != null && !prefix.isEmpty()) {
            throw Problem.badRequest("The parameters 'prefix' and 'lock' are given, but only one of them may be.");
        }
        String named = context.queryParam("types");
        Set<Event.Type> types = types(named);
        boolean everyExtension = named != null && types.contains(Event.Type.EXTENDED);
        caller.requireCovered(lock == null ? prefix : lock);
        streams.add(caller.client());
        ClientWatch clientWatch = ClientWatch.of(context, timing);
        HttpServletResponse response = context.res();
        Headers.STRICT.forEach(response::setHeader);
        response.setContentType("text/event-stream");
        response.setCharacterEncoding("utf-8");
        String lastId = context.header("Last-Event-ID");
        OutputStream out = response.getOutputStream();
        Predicate<Event> wanted = event -> types.contains(event.type()) && isWanted(event, prefix, lock);
        EventStream stream = new EventStream(events, timing, clientWatch, out, wanted, everyExtension);
        open.put(stream, caller);
        CompletableFuture<Void> never =
                new CompletableFuture<>(); // a stream ends with its connection, and the request with that
        context.future(() -> {
            stream.start(lastId).whenComplete((ended, failure) -> {
                open.remove(stream);
                streams.remove(caller.client());
            });
            return never;
        });
    }

    /** Ends the streams of events of these callers. */
    public void endStreams(Predicate<Caller> whose) {
        open.forEach((stream, caller) -> {
            if (whose.test(caller)) {
                stream.drop();
            }
        });
    }

    /** Types as they are written in events, parted by commas; all if there are none. */
    private static Set<Event.Type> types(@Nullable String text) {
        if (text == null) {
            return EnumSet.allOf(Event.Type.class);
        }
        Set<Event.Type> types = EnumSet.noneOf(Event.Type.class);
        for (String word : text.split(",", -1)) {
            types.add(Arrays.stream(Event.Type.values())
                    .filter(type -> Json.word(type).equals(word))
                    .findFirst()
                    .orElseThrow(() -> Problem.badRequest("The parameter 'types' has '" + Printable.of(word)
                            + "', but must be some of "
                            + Arrays.stream(Event.Type.values()).map(Json::word).toList() + ", parted by commas.")));
        }
        return types;
    }

    private static boolean isWanted(Event event, String prefix, @Nullable String only) {
        String lock = event.lock();
        return lock == null || (only == null ? lock.startsWith(prefix) : lock.equals(only));
    }

    // ---- the server itself

    private static CompletionStage<Answer> upgrade(Context context) {
        requireParameters(context);
        throw new Problem(Problem.Kind.UPGRADE_REQUIRED, "This path is for WebSockets; send an upgrade request.")
                .header("Upgrade", "websocket");
    }

    private static CompletionStage<Answer> health(Context context) {
        requireParameters(context);
        return CompletableFuture.completedStage(Answer.ok(Json.object().put("status", "up")));
    }

    private CompletionStage<Answer> ready(Context context) {
        requireParameters(context);
        if (leases.isStopping()) {
            throw Problem.stopping();
        }
        return answerOnWorker(() -> {
            if (!LockViews.hasMajority(holdfast.nodes())) {
                throw new Problem(Problem.Kind.NO_QUORUM, "Fewer nodes than a majority can be asked.");
            }
            return Answer.ok(Json.object().put("status", "ready"));
        });
    }

    private CompletionStage<Answer> metrics(Context context) {
        requireParameters(context);
        return CompletableFuture.completedStage(
                new Answer(200, Metrics.TYPE + "; version=0.0.4; charset=utf-8", metrics.text(), Map.of()));
    }

    private static CompletionStage<Answer> openApi(Context context) throws IOException {
        requireParameters(context);
        try (InputStream document = Objects.requireNonNull(Endpoints.class.getResourceAsStream("openapi.json"))) {
            String text = new String(document.readAllBytes(), StandardCharsets.UTF_8);
            return CompletableFuture.completedStage(new Answer(200, Json.TYPE, text, Map.of()));
        }
    }

    /** Parameters that are not known are mistakes, as unknown fields are. */
    static void requireParameters(Context context, String... known) {
        for (Map.Entry<String, List<String>> parameter : context.queryParamMap().entrySet()) {
            if (!List.of(known).contains(parameter.getKey())) {
                throw Problem.badRequest(
                        "The parameter '" + Printable.of(parameter.getKey()) + "' is not known; known are: "
                                + (known.length == 0 ? "none" : String.join(", ", known)) + ".");
            }
            if (parameter.getValue().size() != 1) {
                throw Problem.badRequest("The parameter '" + parameter.getKey() + "' is given more than once.");
            }
            if (parameter.getValue().get(0).indexOf(NOT_UTF_8) >= 0) {
                throw Problem.badRequest("The parameter '" + parameter.getKey() + "' is not percent-encoded UTF-8.");
            }
        }
    }

    private CompletionStage<Answer> answerOnWorker(Callable<Answer> question) {
        if (questions.incrementAndGet() > MOST_QUESTIONS) {
            questions.decrementAndGet();
            throw new Problem(
                            Problem.Kind.TOO_MANY,
                            "The nodes are being asked " + MOST_QUESTIONS + " questions already.")
                    .header("Retry-After", "1");
        }
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        timing.scheduler().execute(() -> {
            try {
                Answer found = question.call();
                questions.decrementAndGet();
                answer.complete(found);
            } catch (Exception | Error e) { // else the request would never be answered
                questions.decrementAndGet();
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }
}
