package dev.holdfast.observe;

import dev.holdfast.lock.ExtendOutcome;
import java.time.Duration;

/** Told, once, what came of an extension. */
@FunctionalInterface
public interface ExtensionObserver {

    /** Observes nothing. */
    ExtensionObserver NONE = (outcome, took) -> {};

    /**
     * The extension has ended.
     *
     * @param outcome {@code EXTENDED} where a majority agreed; {@code UNCONFIRMED} where none did, which is tried again as long as the lease lasts; {@code LOST}
     *     where the lease is gone
     * @param took how long it took
     */
    void ended(ExtendOutcome outcome, Duration took);
}
