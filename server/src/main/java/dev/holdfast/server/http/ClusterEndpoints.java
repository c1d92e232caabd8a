package dev.holdfast.server.http;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.log.AuditLog;
import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Body;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Problem;
import dev.holdfast.server.node.Cluster;
import dev.holdfast.server.node.ServedNode;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** The routes by which an operator sees and changes the cluster to which the server belongs. */
public final class ClusterEndpoints {

    private static final int LONGEST_NAME = 300;

    private final ServedNode node;
    private final AuditLog audit;

    public ClusterEndpoints(ServedNode node, AuditLog audit) {
        this.node = node;
        this.audit = audit;
    }

    public void addTo(Map<Route, Action> actions) {
        actions.put(Route.CLUSTER, this::show);
        actions.put(Route.CLUSTER_ADD, this::add);
        actions.put(Route.CLUSTER_REMOVE, this::remove);
        actions.put(Route.CLUSTER_TRANSFER, this::transfer);
        actions.put(Route.CLUSTER_BACKUP, this::backup);
    }

    private CompletionStage<Answer> show(Caller caller, Exchange exchange) {
        exchange.query();
        return cluster().view().thenApply(Answer::ok);
    }

    /** Answers with the content of a backup, which contains the locks of all clients. */
    private CompletionStage<Answer> backup(Caller caller, Exchange exchange) {
        exchange.query();
        if (!caller.covers("")) {
            throw new Problem(
                    Problem.Kind.FORBIDDEN,
                    "The token '" + caller.client() + "' is for names that begin with " + caller.prefixes()
                            + ", and a backup contains all names.");
        }
        return cluster().backup().handle((bytes, failure) -> {
            String why = failure == null ? "done" : reason(failure);
            audit.changedCluster(caller, "backup", "", why);
            if (bytes == null) {
                throw new Problem(Problem.Kind.CLUSTER_UNCHANGED, "There is no backup: " + sentence(why));
            }
            return Answer.ok(Json.object().put("backup", Base64.getEncoder().encodeToString(bytes)));
        });
    }

    /** Returns the reason with one full stop, unless it ends with a question. */
    private static String sentence(String reason) {
        return reason.endsWith(".") || reason.endsWith("?") ? reason : reason + ".";
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return String.valueOf(cause.getMessage());
    }

    private CompletionStage<Answer> add(Caller caller, Exchange exchange) {
        Body body = exchange.body("name", "address");
        String name = body.text("name");
        String address = body.text("address");
        try {
            return changed(caller, "add", name + "=" + address, cluster().add(name, address));
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest("The server cannot be added: " + e.getMessage() + ".");
        }
    }

    private CompletionStage<Answer> remove(Caller caller, Exchange exchange) {
        String server = named(exchange);
        return changed(caller, "remove", server, cluster().remove(server));
    }

    private CompletionStage<Answer> transfer(Caller caller, Exchange exchange) {
        String server = named(exchange);
        return changed(caller, "transfer", server, cluster().transfer(server));
    }

    private static String named(Exchange exchange) {
        String server = exchange.body("server").text("server");
        if (server.isEmpty() || server.length() > LONGEST_NAME) {
            throw Problem.badRequest("The field 'server' must name a server, in 1 to " + LONGEST_NAME + " characters.");
        }
        return server;
    }

    private Cluster cluster() {
        return node.cluster().orElseThrow(ClusterEndpoints::none);
    }

    private CompletionStage<Answer> changed(
            Caller caller, String change, String server, CompletionStage<String> outcome) {
        return outcome.thenApply(reason -> {
            audit.changedCluster(caller, change, server, reason.isEmpty() ? "done" : reason);
            if (!reason.isEmpty()) {
                throw new Problem(Problem.Kind.CLUSTER_UNCHANGED, "The cluster was not changed: " + sentence(reason));
            }
            return Answer.ok(Json.object().put("outcome", "done"));
        });
    }

    private static Problem none() {
        return new Problem(Problem.Kind.NOT_FOUND, "This server belongs to no cluster.");
    }
}
