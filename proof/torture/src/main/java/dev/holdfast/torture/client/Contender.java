package dev.holdfast.torture.client;

import dev.holdfast.testkit.history.AttemptId;
import java.util.Optional;

/** A client of one of the algorithms that are compared. Thread-safe. */
interface Contender extends AutoCloseable {

    /** A lock while it is held, as its client sees it. */
    interface Holding {

        /** Returns the fencing token; 0 if there is none. */
        long token();

        /** Until when it is held unless it is extended, on {@link Diary#now}, and no later. */
        long validUntilNanos();

        boolean isHeld();

        /** Asks for more time; blocks for a round trip. */
        void extend() throws InterruptedException;

        void release();
    }

    /** Tries to get what the wish says; empty if that did not come true. */
    Optional<Holding> acquire(Wish wish, AttemptId who) throws InterruptedException;

    @Override
    void close();
}
