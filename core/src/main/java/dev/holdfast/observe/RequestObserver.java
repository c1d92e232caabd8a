package dev.holdfast.observe;

import java.time.Duration;

/** Told, once, what came of a request to a node. */
@FunctionalInterface
public interface RequestObserver {

    /** Observes nothing. */
    RequestObserver NONE = (outcome, took) -> {};

    /**
     * The node has answered, or its time to is over; an answer that comes later is not told.
     *
     * @param took from sending the request to handling the answer
     */
    void ended(RequestOutcome outcome, Duration took);
}
