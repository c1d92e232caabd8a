package dev.holdfast.election;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.lock.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/**
 * One term of one leader. {@link Candidate#onElected} receives it, and its work must end with the leadership. Thread-safe.
 *
 * <p>A leadership ends when the work returns, when a caller {@linkplain #stepDown steps down} or {@linkplain #handOverTo hands over}, when the candidacy or the
 * client is closed, or when it is revoked. {@link #isLeader} is false from then on. The lock is released when the work and {@link Candidate#onRevoked} have
 * returned, so that the next leader's work does not begin earlier. If they take longer than a ttl, the lock is released regardless.
 */
public interface Leadership {

    /**
     * Returns the number of the term: the fencing token, larger than that of every earlier leadership of this election. Every resource that the leader changes
     * must check it.
     */
    long term();

    /** Returns the name of the election. */
    String electionName();

    /** Returns the name of the candidate that leads. */
    String candidateName();

    /** Returns when the leadership began, by this machine's wall clock. */
    Instant since();

    /**
     * Returns whether this leadership is in force, without a request to the nodes. Two leaderships never both return true at the same time, as long as clocks
     * drift less than the drift allowance. An action that follows the check can still come too late; the {@link #term} guards against that.
     */
    boolean isLeader();

    /**
     * Returns normally if this leadership is in force, and throws an exception otherwise.
     *
     * @throws LeaseLostException if the leadership was revoked, or the leader has stepped down
     */
    void ensureLeader();

    /** Returns how long the leadership lasts unless extended, by this machine's clocks; zero once it is over. The client extends it automatically. */
    Duration remaining();

    /** Returns the lease of the leadership, to read and to observe. Do not release it or write its value; use {@link #stepDown} and {@link #writeState}. */
    Lease lease();

    // ---- the state that leaders pass on

    /** Returns the last state that this leader or an earlier one has written; empty if there is none. Sends nothing. */
    String state();

    /**
     * Writes a state for the next leader, such as how far the work has come. Blocks for a round trip, a node timeout at most; writes are carried out in order.
     * The state is no safer at the nodes than the locks are: keep data that must never be lost in a store that checks the {@link #term}.
     *
     * @param state at most 512 bytes of UTF-8
     * @return {@link WriteOutcome#WRITTEN} if the next leader will find it, {@link WriteOutcome#UNCONFIRMED} if the next leader may find this state or the one
     *     before, {@link WriteOutcome#LOST} if this leadership has ended
     * @throws IllegalArgumentException if it is longer, or not valid UTF-16
     * @throws InterruptedException if the thread is interrupted while it waits; the state may or may not be written
     */
    WriteOutcome writeState(String state) throws InterruptedException;

    /** Writes a state as {@link #writeState} does, without blocking. The future completes on a worker thread; cancelling it does not stop the write. */
    CompletableFuture<WriteOutcome> writeStateAsync(String state);

    // ---- ending it

    /**
     * Ends the leadership now. If the work itself calls this method, the lock is released at once, and the work should return. If another thread calls it, the
     * work is interrupted, and the lock is released when the work has ended, after a ttl at most. The candidate queues again at the end, unless its candidacy
     * is closed. Does not block; a second call has no effect.
     *
     * @return completes on a worker thread when the lock is released; {@link ReleaseOutcome#EXPIRED} if the leadership was lost before. Cancelling it has no
     *     effect on the release.
     */
    CompletableFuture<ReleaseOutcome> stepDown();

    /**
     * Ends the leadership as {@link #stepDown} does, in favour of a candidate of this name. Every candidate with another name, this one included, releases the
     * lock without leading the first time it is elected. If no candidate of that name is in the queue, the election then goes on as usual.
     *
     * @param candidateName as for {@link Election#candidateName(String)}
     * @throws IllegalArgumentException if it is not a valid name, or is this leader's own
     */
    CompletableFuture<ReleaseOutcome> handOverTo(String candidateName);
}
