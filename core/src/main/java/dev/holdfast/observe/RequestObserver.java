package dev.holdfast.observe;

import java.time.Duration;

/** An observer of the outcome of one request to a node. */
@FunctionalInterface
public interface RequestObserver {

    /** Observes nothing. */
    RequestObserver NONE = (outcome, took) -> {};

    /**
     * Observes the node's answer or its timeout, once. The client does not report an answer after the timeout.
     *
     * @param outcome the outcome
     * @param took the time from sending the request to handling the answer
     */
    void ended(RequestOutcome outcome, Duration took);
}
