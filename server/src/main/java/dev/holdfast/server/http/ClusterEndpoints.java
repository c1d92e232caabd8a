package dev.holdfast.server.http;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Problem;
import dev.holdfast.server.node.ClusterView;
import dev.holdfast.server.node.ServedNode;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The route that shows the cluster to which the server belongs. */
public final class ClusterEndpoints {

    private final ServedNode node;

    public ClusterEndpoints(ServedNode node) {
        this.node = node;
    }

    public void addTo(Map<Route, Action> actions) {
        actions.put(Route.CLUSTER, this::show);
    }

    private CompletionStage<Answer> show(Caller caller, Exchange exchange) {
        exchange.query();
        ClusterView view = node.cluster()
                .orElseThrow(() -> new Problem(Problem.Kind.NOT_FOUND, "This server belongs to no cluster."));
        return CompletableFuture.completedStage(Answer.ok(json(view)));
    }

    private static ObjectNode json(ClusterView view) {
        ObjectNode object = Json.object().put("cluster", view.cluster()).put("server", view.server());
        view.leader().ifPresent(leader -> object.put("leader", leader));
        ArrayNode servers = object.putArray("servers");
        view.uris().forEach((name, uri) -> servers.addObject().put("name", name).put("uri", uri));
        return object;
    }
}
