package dev.holdfast.torture.client;

import dev.holdfast.testkit.history.AttemptId;
import java.util.List;
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

        /** Releases the lock. Returns whether the servers confirmed that it was held until now. */
        boolean release();

        /** Returns the value that the lock had at its grant, if this contender records values. */
        default Optional<String> value() {
            return Optional.empty();
        }

        /** Writes a value for later holders. Returns whether the servers confirmed it. */
        default boolean writeValue(String value) throws InterruptedException {
            return false;
        }
    }

    /** Tries to acquire the lock that the wish describes; empty if it could not. */
    Optional<Holding> acquire(Wish wish, AttemptId who) throws InterruptedException;

    /** Returns whether the servers lose nothing that they have confirmed, so that values and the state of locks are recorded. */
    default boolean isStrict() {
        return false;
    }

    /** Returns the tokens of all holders of a lock; empty if the servers do not answer. */
    default Optional<List<Long>> look(String lock) throws InterruptedException {
        return Optional.empty();
    }

    @Override
    void close();
}
