package dev.holdfast.server.http;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.BreakOutcome;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.lease.BreakNotice;
import dev.holdfast.server.lease.BreakNotices;
import dev.holdfast.server.lease.Leases;
import dev.holdfast.server.lease.ServersLocks;
import dev.holdfast.server.log.AuditLog;
import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Body;
import dev.holdfast.server.message.Failures;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The routes for operators: break, health, metrics and the API's description. */
public final class ServerEndpoints {

    private static final int LONGEST_REASON = 200;

    private final Holdfast holdfast;
    private final Leases leases;
    private final WorkerQueue workers;
    private final Metrics metrics;
    private final AuditLog audit;
    private final BreakNotices notices;
    private final Answer openApi = openApi();

    public ServerEndpoints(
            Holdfast holdfast,
            Leases leases,
            WorkerQueue workers,
            Metrics metrics,
            AuditLog audit,
            BreakNotices notices) {
        this.holdfast = holdfast;
        this.leases = leases;
        this.workers = workers;
        this.metrics = metrics;
        this.audit = audit;
        this.notices = notices;
    }

    public void addTo(Map<Route, Action> actions) {
        actions.put(Route.BREAK, this::breakLease);
        actions.put(Route.NODE, ServerEndpoints::requireUpgrade);
        actions.put(Route.SESSION, ServerEndpoints::requireUpgrade);
        actions.put(Route.OPENAPI, this::openApi);
        actions.put(Route.HEALTH, ServerEndpoints::health);
        actions.put(Route.METRICS, this::metrics);
    }

    private CompletionStage<Answer> breakLease(Caller caller, Exchange exchange) {
        Body body = exchange.body("lock", "token", "reason");
        String lock = body.text("lock");
        long token = body.number("token");
        String reason = body.text("reason").strip();
        if (reason.isEmpty() || reason.length() > LONGEST_REASON) {
            throw Problem.badRequest("The field 'reason' must say why, in 1 to " + LONGEST_REASON + " characters.");
        }
        caller.requireCovered(lock);
        String logged = Printable.of(reason, LONGEST_REASON) + " (asked for by " + caller.client() + ")";
        CompletionStage<Answer> broken = workers.answer(caller, () -> {
            BreakOutcome outcome;
            try {
                ServersLocks.reject(lock);
                outcome = holdfast.admin().breakLease(lock, token, logged).outcome();
            } catch (IllegalArgumentException e) {
                throw Problem.badRequest(Failures.sentence(e));
            }
            audit.broke(caller, lock, token, reason, Json.word(outcome));
            return switch (outcome) {
                case BROKEN ->
                    Answer.ok(
                            Json.object().put("lock", lock).put("token", token).put("outcome", "broken"));
                case NOT_FOUND -> throw notFound(lock, token);
                case UNCONFIRMED ->
                    throw new Problem(
                            Problem.Kind.NO_QUORUM,
                            "Less than a majority of nodes answered; those that answered have removed the lease.");
            };
        });
        return broken.thenCompose(
                answer -> notices.publish(lock, token, caller.client(), Printable.of(reason, LONGEST_REASON))
                        .thenApply(published -> answer));
    }

    private Problem notFound(String lock, long token) {
        BreakNotice broken = leases.breakOf(lock, token);
        return new Problem(
                Problem.Kind.NOT_FOUND,
                "No lease of this lock with token " + token + " was found"
                        + (broken == null ? "." : "; it was " + broken.words() + "."));
    }

    private static CompletionStage<Answer> requireUpgrade(Caller caller, Exchange exchange) {
        exchange.query();
        throw new Problem(Problem.Kind.UPGRADE_REQUIRED, "This path is for WebSockets; send an upgrade request.")
                .header("Upgrade", "websocket");
    }

    private static CompletionStage<Answer> health(Caller caller, Exchange exchange) {
        exchange.query();
        return CompletableFuture.completedStage(Answer.ok(Json.object().put("status", "up")));
    }

    private CompletionStage<Answer> metrics(Caller caller, Exchange exchange) {
        exchange.query();
        return CompletableFuture.completedStage(
                new Answer(200, Metrics.TYPE + "; version=0.0.4; charset=utf-8", metrics.text(), Map.of()));
    }

    private CompletionStage<Answer> openApi(Caller caller, Exchange exchange) {
        exchange.query();
        return CompletableFuture.completedStage(openApi);
    }

    private static Answer openApi() {
        try (InputStream document = Objects.requireNonNull(ServerEndpoints.class.getResourceAsStream("openapi.json"))) {
            return new Answer(200, Json.TYPE, ByteBuffer.wrap(document.readAllBytes()), Map.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
