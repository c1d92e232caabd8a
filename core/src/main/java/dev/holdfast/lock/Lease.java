package dev.holdfast.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A lock while it is held. Thread-safe; owned by whoever has the handle, not by a thread, so it can be passed on.
 *
 * <p>A lease ends by {@link #release} or {@link #close}, or it is lost: then {@link #isHeld} is false and the {@link #onLost}
 * callbacks run, no later than its deadline by this machine's clocks. A program that was paused may learn of it late. What must not
 * be written by a former holder is guarded by the {@link #fencingToken} at the resource (PROTOCOL §6).
 *
 * <p>Callbacks run one after the other on a worker thread of Holdfast; one that throws is logged, one that blocks delays only the
 * later ones of the same lease. A callback given after the event runs at once, but for {@link #onExtended}.
 */
public interface Lease extends AutoCloseable {

    /** The name of the lock. */
    String name();

    /** The mode in which it is held. */
    LockMode mode();

    /**
     * A number that is larger than that of every conflicting lease of this lock before; below 2^53, and 0 in mode NL. To be
     * checked by the resource that the lock protects.
     */
    long fencingToken();

    /** The id under which nodes and other clients see this lease. */
    String owner();

    /**
     * How long the lease is valid unless extended, by this machine's clocks, drift deducted; zero once it has ended. A loss is told, and
     * the lock given back, up to a hundredth of the ttl (1 to 20 ms) before that, so that it is told in time: {@link #isHeld} knows.
     */
    Duration remaining();

    /** Whether the lease is valid now. Costs no message. */
    boolean isHeld();

    /**
     * Returns if the lease is valid now.
     *
     * @throws LeaseLostException if it is not: lost, or released
     */
    void ensureHeld();

    /**
     * Tells when less than half of the validity is left and no extension has come through. Told again only if the lease has
     * recovered in between; never after the loss.
     */
    Lease onAtRisk(Consumer<AtRisk> callback);

    /** Tells that the lease is lost, once; never told of a lease that was released in time. */
    Lease onLost(Consumer<Loss> callback);

    /** Tells, once, that somebody waits for what this lease holds up; the holder may go on. */
    Lease onContended(Runnable callback);

    /**
     * Tells each time that the lease has been extended, by itself or because somebody asked for it, how long it is valid from then on; not of
     * extensions before, and never after the end.
     */
    Lease onExtended(Consumer<Duration> callback);

    /**
     * Completes with the loss, on a worker thread, or is complete already if the loss is known; never completes if the lease is released in time.
     */
    CompletionStage<Loss> lost();

    /**
     * Asks the nodes to let the lease last for at least this long from now; never shortens it, and never goes beyond
     * {@code maxHold}. Blocks for a round trip, a node timeout at most.
     *
     * @param duration from {@link DistributedLock#MIN_TTL} to {@link DistributedLock#MAX_TTL}; above the longest ttl of all who share the
     *     nodes it asks for a {@link dev.holdfast.HoldfastBuilder#restartQuarantine} of that length everywhere; at most the
     *     {@link dev.holdfast.HoldfastBuilder#fenceRetention}
     * @throws InterruptedException if the thread is interrupted while it waits; the lease stays as it is
     */
    ExtendOutcome extend(Duration duration) throws InterruptedException;

    /** As {@link #extend}, without blocking. Completes on a worker thread. */
    CompletionStage<ExtendOutcome> extendAsync(Duration duration);

    /**
     * What a holder before has left for those who come after: as of when this lease was granted, or as last written under it. Costs no
     * message. Never older than the last value whose writing was {@link WriteOutcome#WRITTEN}, as long as a majority of nodes keeps its
     * memory; one that was {@link WriteOutcome#UNCONFIRMED} may be seen or not. Kept for the {@link dev.holdfast.HoldfastBuilder#fenceRetention} after
     * the last use of the lock.
     */
    Optional<String> value();

    /**
     * Leaves a value for whoever gets the lock next (PROTOCOL §3, "values"), such as how far the work has come. Blocks for a round trip, a
     * node timeout at most. Extends the lease too, if it is one that is extended by itself. Not for what must never be lost: nodes keep it
     * as well as they keep anything.
     *
     * @param value at most 1,024 bytes of UTF-8; empty to leave nothing
     * @throws IllegalArgumentException if it is longer
     * @throws IllegalStateException if the lease is in another mode than EX or PW
     * @throws InterruptedException if the thread is interrupted while it waits; the value may be written or not
     */
    WriteOutcome writeValue(String value) throws InterruptedException;

    /** As {@link #writeValue}, without blocking. Completes on a worker thread. */
    CompletionStage<WriteOutcome> writeValueAsync(String value);

    /**
     * Gives the lease back. Blocks until a majority of nodes has answered, a node timeout at most; an interrupt does not cut that short and
     * stays visible. Harmless more than once: tells the first outcome again.
     */
    ReleaseOutcome release();

    /** As {@link #release}, without blocking. Completes on a worker thread. */
    CompletionStage<ReleaseOutcome> releaseAsync();

    /**
     * Lets the lease go once it has been held for so long since it was granted, or now if it has; no thread waits for that. Until then it is held and
     * extended as before. The nodes are asked at once to keep it for so long by themselves, so it stays also if this client is closed meanwhile, or
     * its process dies: for work that is not to be done again too soon, however fast it was. Not in a try-with-resources statement, since
     * {@link #release} and {@link #close} give it back at once all the same.
     *
     * @param held 0 to 24 h since it was granted; above the ttl, what is said at {@link #extend} of long durations holds; never beyond
     *     {@code maxHold}
     * @return completes on a worker thread when it has been given back; {@link ReleaseOutcome#UNKNOWN} if the client was closed before, and the nodes
     *     free it by themselves
     */
    CompletionStage<ReleaseOutcome> releaseAfter(Duration held);

    /**
     * Says that the work under this lock is done for good, and gives the lease back: until the retention is over nobody gets the lock, and
     * whoever asks is told so at once ({@link Refusal.Reason#SEALED}). For work that is to be done once (PROTOCOL §3, "seal"); call it after
     * success only. Also after the lease was lost, since what was done is done. Blocks as {@link #release} does; {@link #release} and
     * {@link #close} do nothing after it.
     *
     * @param retention how long it stays so, 1 ms to 365 days; a later duplicate finds the lock free
     */
    SealOutcome seal(Duration retention);

    /** As {@link #seal}, without blocking. Completes on a worker thread. */
    CompletionStage<SealOutcome> sealAsync(Duration retention);

    /** {@link #release}; never throws because the lease had ended before. */
    @Override
    void close();
}
