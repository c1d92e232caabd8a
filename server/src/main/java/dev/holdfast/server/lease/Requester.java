package dev.holdfast.server.lease;

/** The client that waits for the answer to an acquire. */
public interface Requester {

    /** From now on it is looked whether it is still there; {@code gone} is run once if it goes. */
    void watch(Runnable gone);
}
