package dev.holdfast.server.http;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.lease.Leases;
import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Problem;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The route for readiness. */
public final class ReadyEndpoint {

    private final Check check;
    private final Leases leases;
    private final WorkerQueue workers;

    /** A check whether the server is ready. */
    @FunctionalInterface
    public interface Check {

        /** Asks the nodes, and returns why the server is not ready, without a full stop; empty if it is ready. */
        Optional<String> problem() throws InterruptedException;
    }

    public ReadyEndpoint(Check check, Leases leases, WorkerQueue workers) {
        this.check = check;
        this.leases = leases;
        this.workers = workers;
    }

    public void addTo(Map<Route, Action> actions) {
        actions.put(Route.READY, this::ready);
    }

    private CompletionStage<Answer> ready(Caller caller, Exchange exchange) {
        exchange.query();
        if (leases.isStopping()) {
            throw Problem.stopping();
        }
        return workers.answer(() -> {
            Optional<String> problem = check.problem();
            if (problem.isPresent()) {
                String reason = problem.get();
                throw new Problem(
                        Problem.Kind.NO_QUORUM, Character.toUpperCase(reason.charAt(0)) + reason.substring(1) + ".");
            }
            return Answer.ok(Json.object().put("status", "ready"));
        });
    }
}
