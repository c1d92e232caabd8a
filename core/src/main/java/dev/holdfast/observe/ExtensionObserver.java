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
     * @param outcome {@link ExtendOutcome#EXTENDED} if a majority confirmed the extension, {@link ExtendOutcome#LOST} if the lease is lost, else
     *     {@link ExtendOutcome#UNCONFIRMED}. After {@code UNCONFIRMED}, the client tries again as long as the lease lasts.
     * @param took how long the extension took
     */
    void ended(ExtendOutcome outcome, Duration took);
}
