package dev.holdfast.junit;

import dev.holdfast.HoldfastBuilder;

/** The nodes of one test. They are numbered from 0 here. */
interface NodeSet extends AutoCloseable {

    /** Adds the nodes to a client that is to be. */
    void addTo(HoldfastBuilder builder);

    void pause(int node);

    void resume(int node);

    void kill(int node);

    void restart(int node);

    @Override
    void close();
}
