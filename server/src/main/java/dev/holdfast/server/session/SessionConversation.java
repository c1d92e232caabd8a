package dev.holdfast.server.session;

import dev.holdfast.lock.SealOutcome;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.RateLimit;
import dev.holdfast.server.lease.Leases;
import dev.holdfast.server.lease.LockRequest;
import dev.holdfast.server.lease.Requester;
import dev.holdfast.server.lease.ServedLease;
import dev.holdfast.server.message.Body;
import dev.holdfast.server.message.Failures;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import dev.holdfast.server.socket.Conversation;
import dev.holdfast.server.socket.SocketWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One connection of a session. Each line is a JSON object, whose {@code id} the answer repeats. A rejected request is answered with the {@link Problem} that
 * HTTP would return; an invalid message ends the connection.
 */
public final class SessionConversation implements Conversation {

    /** How many characters may wait to be written to one client. */
    public static final int MOST_CHARS_BEHIND = 1 << 20;

    private final Sessions sessions;
    private final Leases leases;
    private final RateLimit rate;
    private final RateLimit refusals;
    private final Caller caller;
    private final SocketWriter writer;
    private final Map<Long, WaitingRequest> waiting = new ConcurrentHashMap<>();
    private final Set<Long> unanswered = ConcurrentHashMap.newKeySet();
    private volatile @Nullable SessionLeases session;
    private volatile boolean over;

    SessionConversation(
            Sessions sessions, Leases leases, RateLimit rate, RateLimit refusals, Caller caller, SocketWriter writer) {
        this.sessions = sessions;
        this.leases = leases;
        this.rate = rate;
        this.refusals = refusals;
        this.caller = caller;
        this.writer = writer;
    }

    /** An acquire without an answer yet. */
    private static final class WaitingRequest implements Requester {

        private @Nullable Runnable gone;
        private boolean over;

        @Override
        public void watch(Runnable whenGone) {
            synchronized (this) {
                gone = whenGone;
                if (!over) {
                    return;
                }
            }
            whenGone.run();
        }

        synchronized boolean isGone() {
            return over;
        }

        void goes() {
            Runnable listener;
            synchronized (this) {
                if (over) {
                    return;
                }
                over = true;
                listener = gone;
            }
            if (listener != null) {
                listener.run();
            }
        }
    }

    @Override
    public void hear(String frame) {
        frame.lines().takeWhile(line -> !writer.isOver()).forEach(this::hearLine);
    }

    /**
     * Handles one line. A line without an id can't be answered, and ends the connection. Every other error is answered, so that newer clients work with older
     * servers.
     */
    private void hearLine(String line) {
        long id;
        Body any;
        try {
            any = Body.withAnyFields(line.getBytes(StandardCharsets.UTF_8));
            id = any.number("id");
        } catch (Problem e) {
            writer.close(SocketWriter.PROTOCOL, String.valueOf(e.getMessage()));
            return;
        }
        Problem tooMany = beyondRate();
        if (writer.isOver()) {
            return;
        }
        if (!unanswered.add(id)) {
            send(problem(
                    id,
                    tooMany != null
                            ? tooMany
                            : Problem.badRequest("A message with this id is not answered yet; this one is ignored.")));
            return;
        }
        try {
            SessionLeases known = session;
            if (known != null && !known.heard()) {
                return; // the session has just ended, and so does the connection
            }
            if (tooMany != null) {
                throw tooMany;
            }
            answer(id, any, known);
        } catch (RuntimeException e) {
            refuse(id, Failures.problem(e));
        }
    }

    /**
     * Takes a message from the client's rate, and returns its refusal if the client exceeds the rate. Refusals cost the server time too, so the connection ends
     * once the client exceeds the same rate with them.
     */
    private @Nullable Problem beyondRate() {
        try {
            rate.take(caller.client());
            return null;
        } catch (Problem tooMany) {
            try {
                refusals.take(caller.client());
            } catch (Problem farTooMany) {
                end(SocketWriter.POLICY, "the client sends far more messages than it may; wait before you reconnect");
            }
            return tooMany;
        }
    }

    private void answer(long id, Body message, @Nullable SessionLeases known) {
        String op = message.text("op");
        if (op.equals("hello")) {
            hello(id, message.only("id", "op", "session"), known);
            return;
        }
        if (known == null) {
            throw Problem.badRequest("The first message must be a hello.");
        }
        switch (op) {
            case "acquire" -> acquire(id, known, message.only(ACQUIRE_FIELDS));
            case "cancel" -> cancel(id, message.only("id", "op", "request"));
            case "release" -> release(id, known, message.only("id", "op", "lease"));
            case "seal" -> seal(id, known, message.only("id", "op", "lease", "retention"));
            case "value" -> value(id, known, message.only("id", "op", "lease", "value"));
            case "alive" -> {
                message.only("id", "op");
                tell(answer(id, "alive").put("validMillis", known.validMillis()));
            }
            case "bye" -> {
                message.only("id", "op");
                bye(id, known);
            }
            default ->
                throw Problem.badRequest("The operation '" + Printable.of(op)
                        + "' is not known; known are: hello, acquire, cancel, release, seal, value, alive, bye.");
        }
    }

    private static final String[] ACQUIRE_FIELDS =
            Stream.concat(Stream.of("id", "op"), LockRequest.FIELDS.stream()).toArray(String[]::new);

    // ---- the session itself

    private void hello(long id, Body body, @Nullable SessionLeases known) {
        if (known != null) {
            throw Problem.badRequest("This connection already has a session.");
        }
        String wanted = body.textOrNull("session");
        SessionLeases found = wanted == null ? sessions.open(caller) : sessions.find(caller, wanted);
        if (found == null || !found.attach(this)) {
            throw new Problem(
                    Problem.Kind.NOT_FOUND,
                    "No session of this id exists. If it existed before, it has ended, and the server has released its"
                            + " leases.");
        }
        session = found;
        writer.allowSilence(Duration.ofMillis(found.graceMillis())); // the session must end before the connection
        ObjectNode json = answer(id, "hello").put("session", found.id()).put("graceMillis", found.graceMillis());
        ArrayNode held = json.putArray("leases");
        found.leases().forEach(lease -> held.add(lease.json()));
        tell(json.put("validMillis", found.validMillis()));
        if (over) {
            found.detach(this);
        }
    }

    private void bye(long id, SessionLeases known) {
        waiting.values().forEach(WaitingRequest::goes);
        known.detach(this);
        known.end("the client has ended it").whenComplete((ended, failure) -> {
            tell(answer(id, "bye"));
            end(SocketWriter.NORMAL, "bye");
        });
    }

    // ---- locks

    private void acquire(long id, SessionLeases known, Body body) {
        LockRequest request = LockRequest.of(body, leases.longestWait(), true);
        caller.requireCovered(request.lock());
        WaitingRequest waiter = new WaitingRequest();
        waiting.put(id, waiter);
        CompletableFuture<ServedLease> acquired;
        try {
            acquired = leases.acquire(caller, request, null, waiter);
        } catch (IllegalArgumentException e) {
            waiting.remove(id);
            throw Problem.badRequest(Failures.sentence(e));
        } catch (RuntimeException e) {
            waiting.remove(id);
            throw e;
        }
        acquired.whenComplete((lease, failure) -> {
            waiting.remove(id);
            if (failure != null && waiter.isGone()) {
                tell(answer(id, "cancelled"));
            } else if (failure != null) {
                refuse(id, Failures.problem(failure));
            } else if (known.holds(lease)) {
                ObjectNode json = answer(id, "granted");
                json.set("lease", lease.json());
                tell(json);
            }
        });
        if (over) {
            waiter.goes();
        }
    }

    private void cancel(long id, Body body) {
        WaitingRequest waiter = waiting.get(body.number("request"));
        if (waiter != null) {
            waiter.goes();
        }
        tell(answer(id, "done").put("wasWaiting", waiter != null));
    }

    private void release(long id, SessionLeases known, Body body) {
        ServedLease lease = held(known, body);
        known.startEnding(lease);
        later(id, lease, lease.release(), outcome -> {
            known.holdsNoLonger(lease);
            return outcome;
        });
    }

    private void seal(long id, SessionLeases known, Body body) {
        ServedLease lease = held(known, body);
        body.text("retention");
        CompletionStage<SealOutcome> sealing;
        try {
            sealing = lease.seal(body.duration("retention", Duration.ZERO));
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(Failures.sentence(e));
        }
        known.startEnding(lease);
        later(id, lease, sealing, outcome -> {
            known.holdsNoLonger(lease);
            return outcome;
        });
    }

    private void value(long id, SessionLeases known, Body body) {
        ServedLease lease = held(known, body);
        CompletionStage<WriteOutcome> written;
        try {
            written = lease.write(body.text("value"));
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(Failures.sentence(e));
        } catch (IllegalStateException e) {
            throw new Problem(Problem.Kind.WRONG_MODE, Failures.sentence(e));
        }
        later(id, lease, written, outcome -> outcome);
    }

    private static ServedLease held(SessionLeases known, Body body) {
        return known.lease(body.text("lease"));
    }

    private <E extends Enum<E>> void later(
            long id, ServedLease lease, CompletionStage<E> outcome, Function<E, E> andThen) {
        outcome.whenComplete((given, failure) -> {
            try {
                if (failure != null) {
                    refuse(id, Failures.problem(failure));
                } else {
                    tell(answer(id, Json.word(andThen.apply(given))).put("lease", lease.id));
                }
            } catch (RuntimeException | Error e) { // the client waits for an answer, even after an error
                refuse(id, Failures.problem(e));
            }
        });
    }

    // ---- answers and events

    private static ObjectNode answer(long id, String answer) {
        return Json.object().put("id", id).put("answer", answer);
    }

    private void refuse(long id, Problem problem) {
        tell(problem(id, problem));
    }

    private static ObjectNode problem(long id, Problem problem) {
        ObjectNode json = answer(id, "problem");
        json.set("problem", problem.json());
        return json;
    }

    /** Sends an event, or an answer, after which the client may reuse its id. */
    void tell(ObjectNode message) {
        if (message.has("answer")) {
            unanswered.remove(message.get("id").longValue());
        }
        send(message);
    }

    private void send(ObjectNode message) {
        writer.send(Json.text(message));
    }

    @Override
    public void end(int status, String why) {
        writer.close(status, why);
    }

    /** Removes waiting requests from the queue at once; held leases last for the grace. */
    @Override
    public void onClosed() {
        over = true;
        waiting.values().forEach(WaitingRequest::goes);
        SessionLeases known = session;
        if (known != null) {
            known.detach(this);
        }
    }
}
