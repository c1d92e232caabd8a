package dev.holdfast.server.client;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeProvider;
import java.util.Set;

/**
 * Opens nodes that are Holdfast servers, by URI:
 *
 * <pre>
 * holdfast://[:token@]host[:port]      holdfasts:// for TLS
 * </pre>
 *
 * <p>The port is 7420 unless given. Characters of a token that mean something in a URI are written with a percent sign. A token in the URI goes before the
 * password of {@link dev.holdfast.node.NodeOptions#credentials}, which is a token here; user names are not used.
 *
 * <p>The node is what the server keeps itself (its embedded node), also where the server's own clients lock elsewhere. Its token needs the right
 * {@code acquire} for locks, {@code read} to look, {@code admin} to break, and prefixes that fit the names with the client's key prefix,
 * {@code lock:} unless set.
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
