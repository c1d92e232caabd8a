package dev.holdfast.node;

import java.util.Set;

/** A provider of nodes of one kind. The client finds it through {@link java.util.ServiceLoader} by the scheme of a node's URI. */
public interface NodeProvider {

    /** Returns the URI schemes of this kind, in lower case, such as {@code redis}. */
    Set<String> schemes();

    /**
     * Opens a node and begins to connect. It does not wait for the connection, and the node goes on trying to connect until it is closed.
     *
     * @param uri the node's URI
     * @param context the client and its settings
     * @throws IllegalArgumentException if the URI is wrong; the message says what is wrong and what would be right, without user and password
     */
    LockNode open(String uri, NodeContext context);
}
