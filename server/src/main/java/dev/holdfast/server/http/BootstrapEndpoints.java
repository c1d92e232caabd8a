package dev.holdfast.server.http;

import dev.holdfast.Holdfast;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.log.AuditLog;
import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Body;
import dev.holdfast.server.message.Problem;
import dev.holdfast.server.node.NodeClients;
import dev.holdfast.server.node.ServedNode;
import dev.holdfast.server.node.Standing;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The routes by which an operator bootstraps a new set of nodes (PROTOCOL §5). The server knows only its own folder. The operator's command asks all nodes, and
 * decides.
 */
public final class BootstrapEndpoints {

    private static final int MOST_NODES_CHARS = 3_000;

    private final Holdfast holdfast;
    private final ServedNode node;
    private final NodeClients clients;
    private final AuditLog audit;

    public BootstrapEndpoints(Holdfast holdfast, ServedNode node, NodeClients clients, AuditLog audit) {
        this.holdfast = holdfast;
        this.node = node;
        this.clients = clients;
        this.audit = audit;
    }

    public void addTo(Map<Route, Action> actions) {
        actions.put(Route.STANDING, this::standing);
        actions.put(Route.BOOTSTRAP, this::bootstrap);
    }

    private CompletionStage<Answer> standing(Caller caller, Exchange exchange) {
        exchange.query();
        requireAllNames(caller);
        return CompletableFuture.completedStage(Answer.ok(present().json()));
    }

    private CompletionStage<Answer> bootstrap(Caller caller, Exchange exchange) {
        Body body = exchange.body("incarnation", "nodes");
        String incarnation = body.text("incarnation");
        String nodes = body.text("nodes").strip();
        if (nodes.isEmpty() || nodes.length() > MOST_NODES_CHARS) {
            throw Problem.badRequest(
                    "The field 'nodes' must name all nodes of the set, in 1 to " + MOST_NODES_CHARS + " characters.");
        }
        requireAllNames(caller);
        Standing now = present();
        if (!now.incarnation().equals(incarnation)) {
            audit.bootstrapped(caller, incarnation, nodes, "another-incarnation");
            throw notNew("The folder of this node has another incarnation: it was replaced since the node was asked.");
        }
        if (now.asked()) {
            audit.bootstrapped(caller, incarnation, nodes, "asked");
            throw notNew("A client has asked this node for a vote, so its set is in use.");
        }
        return node.bootstrap().handle((done, failure) -> {
            audit.bootstrapped(caller, incarnation, nodes, failure == null ? "bootstrapped" : "failed");
            if (failure != null) {
                throw new Problem(Problem.Kind.INTERNAL, "The node cannot write to its folder; its log says why.");
            }
            if (!now.complete()) {
                clients.reconnect("the node was bootstrapped, and its votes count from now on");
            }
            return Answer.ok(present().json());
        });
    }

    /** Rejects a caller whose token is for some names only, since a node gives votes for all names. */
    private static void requireAllNames(Caller caller) {
        if (!caller.covers("")) {
            throw new Problem(
                    Problem.Kind.FORBIDDEN,
                    "The token '" + caller.client() + "' is for names that begin with " + caller.prefixes()
                            + ", and a bootstrap is about all names.");
        }
    }

    private Standing present() {
        Standing now = node.standing();
        if (now == null) {
            throw notNew(
                    "This server runs without --data, so it is new at each start, and clients count it by its age.");
        }
        return now.inSet(setSize());
    }

    /** Returns how many lock servers this server itself locks on; 0 if it locks on other nodes, or on itself alone. */
    private int setSize() {
        List<String> names = holdfast.admin().nodeNames();
        boolean servers = names.size() > 1 && names.stream().allMatch(name -> name.startsWith("holdfast"));
        return servers ? names.size() : 0;
    }

    private static Problem notNew(String detail) {
        return new Problem(Problem.Kind.NOT_NEW, detail);
    }
}
