package dev.holdfast.server.client;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeProvider;
import java.util.Set;

/**
 * A provider of nodes that are Holdfast servers, by URI:
 *
 * <pre>
 * holdfast://[:token@]host[:port]      holdfasts:// for TLS
 * </pre>
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
        RemoteAddress address = RemoteAddress.parse(uri);
        RemoteSockets sockets = new RemoteSockets(address, context.options());
        return new RemoteNode(address, context, sockets).start();
    }
}
