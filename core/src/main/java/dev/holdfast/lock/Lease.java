package dev.holdfast.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A lock while it is held. Thread-safe; it belongs to whoever has the object and not to a thread, so it can be passed on.
 *
 * <p>A lease ends when it is released ({@link #release}, {@link #close}, {@link #seal}) or when it is lost. Once it is lost, {@link #isHeld} is false and the
 * {@link #onLost} callbacks run, no later than its deadline by this machine's clocks. A program that was paused may learn of the loss late: the resource must
 * check the {@link #fencingToken} to reject what a former holder writes (PROTOCOL §6).
 *
 * <p>Callbacks of one lease run one after the other on a worker thread of Holdfast. If one throws, the exception is logged; if one blocks, it delays the later ones of the
 * same lease only. A callback that is registered after its event runs at once, except with {@link #onExtended}.
 *
 * <p>Futures complete on a worker thread. Cancelling one has no effect on the request that it belongs to.
 */
public interface Lease extends AutoCloseable {

    /** Returns the name of the lock. */
    String name();

    /** Returns the mode in which the lock is held. */
    LockMode mode();

    /**
     * Returns the fencing token: larger than that of every earlier lease of this lock in a conflicting mode, and below 2<sup>53</sup>; 0 in mode
     * {@link LockMode#NL}. The resource that the lock protects must check it.
     */
    long fencingToken();

    /** Returns the id under which nodes and other clients see this lease. */
    String owner();

    /**
     * Returns how long the lease is valid unless extended, by this machine's clocks, with the drift allowance deducted; zero once it has ended. The client reports a loss, and
     * releases the lock, up to a hundredth of the ttl (1 to 20 ms) earlier, so that the report comes in time; {@link #isHeld} respects that.
     */
    Duration remaining();

    /** Returns whether the lease is valid now. Sends nothing. */
    boolean isHeld();

    /**
     * Returns if the lease is valid now.
     *
     * @throws LeaseLostException if it is lost or released
     */
    void ensureHeld();

    // ---- events

    /**
     * Calls back when less than half of the validity is left and no extension has succeeded. Calls again only if the lease has recovered in between, and never after
     * its loss.
     *
     * @return this
     */
    Lease onAtRisk(Consumer<AtRisk> callback);

    /**
     * Calls back once when the lease is lost; never for a lease that was released in time.
     *
     * @return this
     */
    Lease onLost(Consumer<Loss> callback);

    /**
     * Calls back once when another client waits for a lock that this lease blocks. The holder may go on.
     *
     * @return this
     */
    Lease onContended(Runnable callback);

    /**
     * Calls back after each extension, automatic or requested, with the validity from then on. Earlier extensions are not reported, nor any after
     * the end.
     *
     * @return this
     */
    Lease onExtended(Consumer<Duration> callback);

    /** Returns a future of the loss; it is complete if the loss is known already, and never completes if the lease is released in time. */
    CompletableFuture<Loss> lost();

    // ---- extension

    /**
     * Asks the nodes to keep the lease for at least this long from now. It never shortens the lease, and never extends it beyond
     * {@link LockOptions#maxHold}. Blocks for a round trip, a node timeout at most.
     *
     * @param duration {@link DistributedLock#MIN_TTL} to {@link DistributedLock#MAX_TTL} in whole milliseconds, and at most the
     *     {@link dev.holdfast.HoldfastBuilder#fenceRetention}. If it is longer than every ttl that clients use, all of them need a
     *     {@link dev.holdfast.HoldfastBuilder#restartQuarantine} of that length.
     * @throws IllegalArgumentException if the duration is outside that range
     * @throws InterruptedException if the thread is interrupted while it waits; the lease stays as it is
     */
    ExtendOutcome extend(Duration duration) throws InterruptedException;

    /** Extends the lease as {@link #extend} does, without blocking. */
    CompletableFuture<ExtendOutcome> extendAsync(Duration duration);

    // ---- the value

    /**
     * Returns the value that an earlier holder has left, as of when this lease was granted, or the last one written under this lease; empty if there is none.
     * Sends nothing. It is never older than the last value whose write was {@link WriteOutcome#WRITTEN}, as long as a majority of nodes keeps its
     * state; a value whose write was {@link WriteOutcome#UNCONFIRMED} may appear or not. Nodes keep a value for the
     * {@link dev.holdfast.HoldfastBuilder#fenceRetention} after the last use of the lock.
     */
    Optional<String> value();

    /**
     * Writes a value for later holders (PROTOCOL §3, "values"), such as how far the work has come. Blocks for a round trip, a node timeout at
     * most. It also extends a lease that is extended automatically. The nodes keep it no better than they keep locks: what must never be lost belongs
     * in a store of its own.
     *
     * @param value at most 1,024 bytes of UTF-8; empty to leave none
     * @throws IllegalArgumentException if it is longer
     * @throws IllegalStateException if the lease is in another mode than {@link LockMode#EX} or {@link LockMode#PW}
     * @throws InterruptedException if the thread is interrupted while it waits; the value may be written or not
     */
    WriteOutcome writeValue(String value) throws InterruptedException;

    /** Writes a value as {@link #writeValue} does, without blocking. */
    CompletableFuture<WriteOutcome> writeValueAsync(String value);

    // ---- the end

    /**
     * Releases the lease. Blocks until a majority of nodes has answered, a node timeout at most; an interrupt does not end that, and stays visible. A second call
     * returns the first outcome.
     */
    ReleaseOutcome release();

    /** Releases the lease as {@link #release} does, without blocking. */
    CompletableFuture<ReleaseOutcome> releaseAsync();

    /**
     * Releases the lease once it has been held for this long since it was granted, or now if it has been. Until then it stays held and is
     * extended as before; no thread waits for that. The nodes are asked at once to keep it for so long by themselves, so it stays held even if this
     * client is closed or its process dies. This is for work that must not be repeated too soon, however fast it was. It has no effect in a
     * try-with-resources statement: {@link #release} and {@link #close} release the lease at once all the same.
     *
     * @param held 0 to 24 h since the lease was granted; above the ttl, {@link #extend} says what long durations need; never beyond
     *     {@link LockOptions#maxHold}
     * @return completes when the lease is released; with {@link ReleaseOutcome#UNCONFIRMED} if the client was closed before, and the nodes free it by themselves
     * @throws IllegalArgumentException if {@code held} is outside that range
     */
    CompletableFuture<ReleaseOutcome> releaseAfter(Duration held);

    /**
     * Seals the lock: declares the work under it done, and releases the lease. Until the retention is over, nobody gets the lock, and every attempt is refused
     * at once with {@link Refusal.Reason#SEALED}. This is for work that is to be done once (PROTOCOL §3, "seal"); call it after success only. It also
     * works after the lease was lost, since the work is done all the same. Blocks as {@link #release} does; {@link #release} and
     * {@link #close} have no effect after it.
     *
     * @param retention how long the lock stays sealed, 1 ms to 365 days; a later duplicate finds the lock free
     * @throws IllegalArgumentException if the retention is outside that range
     */
    SealOutcome seal(Duration retention);

    /** Seals the lock as {@link #seal} does, without blocking. */
    CompletableFuture<SealOutcome> sealAsync(Duration retention);

    /** Releases the lease as {@link #release} does; never throws because the lease had ended before. */
    @Override
    void close();
}
