package dev.holdfast.torture.client;

import dev.holdfast.testkit.history.AttemptId;
import java.util.Optional;

/** A client of one of the compared algorithms. Thread-safe. */
interface Contender extends AutoCloseable {

    /** A held lock, as its client sees it. */
    interface Holding {

        /** Returns the fencing token; 0 if there is none. */
        long token();

        /** Returns the earliest time on {@link Diary#now} at which the lock may end unless it is extended. */
        long validUntilNanos();

        boolean isHeld();

        /** Extends the lock; blocks for a round trip. */
        void extend() throws InterruptedException;

        void release();
    }

    /** Tries to acquire the lock that the wish describes; empty if it could not. */
    Optional<Holding> acquire(Wish wish, AttemptId who) throws InterruptedException;

    @Override
    void close();
}
