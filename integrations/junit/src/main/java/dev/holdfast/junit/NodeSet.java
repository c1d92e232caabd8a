package dev.holdfast.junit;

import dev.holdfast.HoldfastBuilder;

/** The nodes of one test, numbered from 0. */
interface NodeSet extends AutoCloseable {

    /** Adds the nodes to the builder of a client. */
    void addTo(HoldfastBuilder builder);

    void pause(int node);

    void resume(int node);

    void kill(int node);

    void restart(int node);

    @Override
    void close();
}
