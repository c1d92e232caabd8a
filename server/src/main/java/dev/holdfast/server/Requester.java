package dev.holdfast.server;

/** The client that waits for the answer to an acquire. */
interface Requester {

    /** From now on it is looked whether it is still there; {@code gone} is run once if it goes. */
    void watch(Runnable gone);
}
