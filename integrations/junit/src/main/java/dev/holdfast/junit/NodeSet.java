package dev.holdfast.junit;

import dev.holdfast.HoldfastBuilder;
import java.net.URI;
import java.util.List;

/** The nodes of a test or of a class of tests, numbered from 0. */
interface NodeSet extends AutoCloseable {

    /** Adds the nodes to the builder of a client. */
    void addTo(HoldfastBuilder builder);

    /**
     * Returns the nodes' addresses.
     *
     * @throws IllegalStateException if they have none
     */
    List<URI> uris();

    void pause(int node);

    void resume(int node);

    void kill(int node);

    void restart(int node);

    @Override
    void close();
}
