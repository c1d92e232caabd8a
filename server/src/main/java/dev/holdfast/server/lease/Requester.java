package dev.holdfast.server.lease;

/** The client that waits for the answer to an acquire. */
public interface Requester {

    /** Checks from now on whether the client is still connected; {@code gone} runs once if it disconnects. */
    void watch(Runnable gone);
}
