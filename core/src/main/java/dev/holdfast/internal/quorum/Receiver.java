package dev.holdfast.internal.quorum;

/**
 * Told what came of a request to several nodes: for each node first either the answer or a timeout; after a timeout the answer may
 * still come. On any thread.
 */
interface Receiver<A> {

    /**
     * A node's answer.
     *
     * @param late whether this node had been reported as timed out
     */
    void answered(int node, A answer, boolean late);

    /** No answer came in time: the request may have been carried out, or may still be. */
    void timedOut(int node);
}
