package dev.holdfast.server.client;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.NodeProvider;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A provider of nodes that are Holdfast servers, by URI:
 *
 * <pre>
 * holdfast://[:token@]host[:port]              holdfasts:// for TLS
 * holdfast://[:token@]host[:port],host[:port]… the servers of one cluster
 * </pre>
 *
 * <p>The servers of a cluster are one node. The client connects to all that the URI names, and sends requests to the one that leads. It refuses servers that do
 * not belong to the same cluster: independent servers are nodes of their own.
 *
 * <p>The port is 7420 by default. Characters of a token with a special meaning in a URI must be percent-encoded. A token in the URI takes precedence over the
 * password of {@link dev.holdfast.node.NodeOptions#credentials}, which is also a token. User names are not used.
 *
 * <p>The node is the server's embedded node, even where the server's own clients lock on other nodes. The token needs the right {@code acquire} for locks,
 * {@code read} to inspect, and {@code admin} to break leases. Its prefixes must match the names with the client's key prefix, which is {@code lock:} by
 * default.
 */
public final class RemoteNodeProvider implements NodeProvider {

    @Override
    public Set<String> schemes() {
        return Set.of("holdfast", "holdfasts");
    }

    @Override
    public LockNode open(String uri, NodeContext context) {
        List<RemoteAddress> servers = RemoteAddress.list(uri);
        return servers.size() == 1
                ? new RemoteNode(servers.get(0), context, false).start()
                : ClusterNode.open(
                        servers.get(0).name() + others(servers),
                        context.listener(),
                        servers.stream()
                                .map(server -> connecting(server, context))
                                .toList());
    }

    private static String others(List<RemoteAddress> servers) {
        return servers.stream()
                .skip(1)
                .map(server -> "," + server.host() + ":" + server.port())
                .collect(Collectors.joining());
    }

    /**
     * Returns a function that connects to one server of a cluster, for {@link ClusterNode#open}.
     *
     * @param uri the server's URI
     * @throws IllegalArgumentException if the URI is wrong
     */
    public static Function<NodeListener, LockNode> serverOfCluster(String uri, NodeContext context) {
        return connecting(RemoteAddress.parse(uri), context);
    }

    private static Function<NodeListener, LockNode> connecting(RemoteAddress server, NodeContext context) {
        return listener -> new RemoteNode(
                        server,
                        new NodeContext(
                                context.client(),
                                listener,
                                context.options(),
                                context.timing(),
                                context.times(),
                                context.nodes()),
                        true)
                .start();
    }
}
