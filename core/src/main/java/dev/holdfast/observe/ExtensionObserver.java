package dev.holdfast.observe;

import dev.holdfast.lock.ExtendOutcome;
import java.time.Duration;

/** An observer of the outcome of one extension. */
@FunctionalInterface
public interface ExtensionObserver {

    /** Observes nothing. */
    ExtensionObserver NONE = (outcome, took) -> {};

    /**
     * Observes the end of the extension, once.
     *
     * @param outcome {@link ExtendOutcome#EXTENDED} if a majority confirmed it; {@link ExtendOutcome#UNCONFIRMED} if none did, after which the client tries again as long as the lease
     *     lasts; {@link ExtendOutcome#LOST} if the lease is lost
     * @param took how long the extension took
     */
    void ended(ExtendOutcome outcome, Duration took);
}
