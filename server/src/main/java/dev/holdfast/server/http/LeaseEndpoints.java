package dev.holdfast.server.http;

import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.lease.BreakNotices;
import dev.holdfast.server.lease.Leases;
import dev.holdfast.server.lease.LockRequest;
import dev.holdfast.server.lease.ServedLease;
import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Body;
import dev.holdfast.server.message.Failures;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Problem;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The routes under {@code /v1/leases}. */
public final class LeaseEndpoints {

    private static final Pattern IDEMPOTENCY_KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");

    private final Leases leases;
    private final BreakNotices notices;
    private final Timing timing;

    public LeaseEndpoints(Leases leases, BreakNotices notices, Timing timing) {
        this.leases = leases;
        this.notices = notices;
        this.timing = timing;
    }

    public void addTo(Map<Route, Action> actions) {
        actions.put(Route.ACQUIRE, this::acquire);
        actions.put(Route.LEASE, this::lease);
        actions.put(Route.EXTEND, this::extend);
        actions.put(Route.RELEASE, this::release);
        actions.put(Route.SEAL, this::seal);
        actions.put(Route.VALUE, this::writeValue);
    }

    private CompletionStage<Answer> acquire(Caller caller, Exchange exchange) {
        Body body = exchange.body(LockRequest.FIELDS.toArray(String[]::new));
        LockRequest request = LockRequest.of(body, leases.longestWait(), false);
        caller.requireCovered(request.lock());
        String key = exchange.header("Idempotency-Key");
        if (key != null && !IDEMPOTENCY_KEY.matcher(key).matches()) {
            throw Problem.badRequest("The Idempotency-Key must have 1 to 255 visible ASCII characters.");
        }
        ClientWatch clientWatch = new ClientWatch(timing, exchange.connection());
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

    private CompletionStage<Answer> lease(Caller caller, Exchange exchange) {
        exchange.query();
        return living(leases.find(caller, exchange.leaseId()))
                .thenCompose(lease -> leases.isAtNodes(lease)
                        .thenCompose(held -> held ? done(Answer.ok(lease.json())) : ended(lease)));
    }

    private static CompletionStage<ServedLease> living(CompletionStage<ServedLease> found) {
        return found.thenApply(lease -> {
            if (lease.hasEnded()) {
                throw lease.ended();
            }
            return lease;
        });
    }

    private CompletionStage<Answer> extend(Caller caller, Exchange exchange) {
        Body body = exchange.body("ttl");
        return living(leases.find(caller, exchange.leaseId())).thenCompose(lease -> {
            Duration ttl = body.duration("ttl", lease.ttl);
            return checked(() -> lease.extend(ttl)).thenCompose(outcome -> switch (outcome) {
                case EXTENDED -> {
                    leases.extended(lease, ttl);
                    yield done(Answer.ok(lease.json()));
                }
                case UNCONFIRMED -> done(unconfirmed(lease, "The lease is valid as long as before; extend it again."));
                case LOST -> ended(lease);
            });
        });
    }

    /** Runs a request to the nodes, and reports a wrong argument as the client's mistake. */
    private static <T> CompletionStage<T> checked(Supplier<CompletionStage<T>> request) {
        try {
            return request.get();
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(Failures.sentence(e));
        } catch (IllegalStateException e) {
            throw new Problem(Problem.Kind.WRONG_MODE, Failures.sentence(e));
        }
    }

    /** Returns the lease, unless an operator has broken it at any of the servers. */
    private CompletionStage<ServedLease> unbroken(ServedLease lease) {
        return notices.read().thenApply(read -> lease.unbroken());
    }

    /** Returns the answer for a lease without votes. If an operator has broken the lease, the answer gives the reason. */
    private CompletionStage<Answer> ended(ServedLease lease) {
        return notices.read().thenApply(read -> lease.ended().answer());
    }

    private static <T> CompletionStage<T> done(T outcome) {
        return CompletableFuture.completedStage(outcome);
    }

    private static Answer unconfirmed(ServedLease lease, String detail) {
        return new Problem(Problem.Kind.UNCONFIRMED, detail)
                .with("lock", lease.lock)
                .with("remainingMillis", lease.validMillis())
                .answer();
    }

    private CompletionStage<Answer> release(Caller caller, Exchange exchange) {
        exchange.body();
        return leases.find(caller, exchange.leaseId())
                .thenCompose(lease -> lease.unbroken().release().thenCompose(outcome -> {
                    CompletionStage<ServedLease> known =
                            outcome == ReleaseOutcome.EXPIRED ? unbroken(lease) : done(lease);
                    return known.thenApply(same -> outcome(same, Json.word(outcome)));
                }));
    }

    private CompletionStage<Answer> seal(Caller caller, Exchange exchange) {
        Body body = exchange.body("retention");
        body.text("retention");
        return leases.find(caller, exchange.leaseId())
                .thenCompose(this::unbroken)
                .thenCompose(lease -> checked(() -> lease.seal(body.duration("retention", Duration.ZERO)))
                        .thenApply(outcome -> outcome(lease, Json.word(outcome))));
    }

    private static Answer outcome(ServedLease lease, String outcome) {
        return Answer.ok(Json.object()
                .put("id", lease.id)
                .put("lock", lease.lock)
                .put("token", lease.token)
                .put("outcome", outcome));
    }

    private CompletionStage<Answer> writeValue(Caller caller, Exchange exchange) {
        String text = exchange.body("value").text("value");
        return living(leases.findWithLatestValue(caller, exchange.leaseId()))
                .thenCompose(lease -> checked(() -> lease.write(text)).thenCompose(outcome -> switch (outcome) {
                    case WRITTEN -> done(outcome(lease, "written"));
                    case UNCONFIRMED ->
                        done(unconfirmed(
                                lease, "The next holder may find this value or the previous one; write it again."));
                    case LOST -> ended(lease);
                }));
    }
}
