package dev.holdfast.node;

import java.util.Set;

/** A provider of nodes of one kind. The client finds it through {@link java.util.ServiceLoader} by the scheme of a node's URI. */
public interface NodeProvider {

    /** Returns the URI schemes of this kind, in lower case, such as {@code redis}. */
    Set<String> schemes();

    /**
     * Opens a node and begins to connect. This method does not wait for the connection; the node keeps trying to connect until it is closed.
     *
     * @param uri the node's URI
     * @param context the client and its settings
     * @throws IllegalArgumentException if the URI is wrong; the message says what is wrong and how to correct it, without user and password
     */
    LockNode open(String uri, NodeContext context);
}
