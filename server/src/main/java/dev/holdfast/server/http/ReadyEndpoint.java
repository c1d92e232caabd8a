package dev.holdfast.server.http;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.lease.Leases;
import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Problem;
import dev.holdfast.time.Timing;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The route for readiness. It needs no token, so its requests share one check at a time, and its answer for a second. They take no place in the
 * {@link WorkerQueue}, which operators need.
 */
public final class ReadyEndpoint {

    private static final long FRESH_NANOS = 1_000_000_000L;

    private final Check check;
    private final Leases leases;
    private final Timing timing;

    /** The answer of the latest check. The monitor of this object guards it, and the start of the check. */
    private @Nullable CompletableFuture<Answer> latest;

    private long startedNanos;

    /** A check whether the server is ready. */
    @FunctionalInterface
    public interface Check {

        /** Asks the nodes, and returns why the server is not ready, without a full stop; empty if it is ready. */
        Optional<String> problem() throws InterruptedException;
    }

    public ReadyEndpoint(Check check, Leases leases, Timing timing) {
        this.check = check;
        this.leases = leases;
        this.timing = timing;
    }

    public void addTo(Map<Route, Action> actions) {
        actions.put(Route.READY, this::ready);
    }

    private CompletionStage<Answer> ready(Caller caller, Exchange exchange) {
        exchange.query();
        if (leases.isStopping()) {
            throw Problem.stopping();
        }
        return answer().copy();
    }

    /** Returns the answer of the check under way, or of one that began in the last second, or else of a new one. */
    private synchronized CompletableFuture<Answer> answer() {
        CompletableFuture<Answer> known = latest;
        long now = timing.ticker().nanos();
        if (known != null && (!known.isDone() || now - startedNanos < FRESH_NANOS)) {
            return known;
        }
        CompletableFuture<Answer> next = new CompletableFuture<>();
        latest = next;
        startedNanos = now;
        timing.scheduler().execute(() -> look(next));
        return next;
    }

    private void look(CompletableFuture<Answer> answer) {
        try {
            Optional<String> problem = check.problem();
            if (problem.isPresent()) {
                String reason = problem.get();
                throw new Problem(
                        Problem.Kind.NO_QUORUM, Character.toUpperCase(reason.charAt(0)) + reason.substring(1) + ".");
            }
            answer.complete(Answer.ok(Json.object().put("status", "ready")));
        } catch (Exception | Error e) { // otherwise the requests would never be answered
            answer.completeExceptionally(e);
        }
    }
}
