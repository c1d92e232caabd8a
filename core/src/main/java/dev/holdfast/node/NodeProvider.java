package dev.holdfast.node;

import java.util.Set;

/**
 * Opens nodes of one kind; found through {@link java.util.ServiceLoader} by the scheme of a node's URI, so that the core knows no
 * Redis.
 */
public interface NodeProvider {

    /** The URI schemes that this kind answers to, in lower case, such as {@code redis}. */
    Set<String> schemes();

    /**
     * Opens a node and begins to connect, without waiting for it; goes on trying until the node is closed.
     *
     * @param uri the node's URI
     * @param context who asks, and with what
     * @throws IllegalArgumentException if the URI is wrong: the message says what and how it should be, without its secrets
     */
    LockNode open(String uri, NodeContext context);
}
