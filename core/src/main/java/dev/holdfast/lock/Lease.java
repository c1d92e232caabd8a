package dev.holdfast.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A lease on a lock. A {@code Lease} is thread-safe. It is not bound to a thread, so a thread may pass it to another one.
 *
 * <p>A lease ends when it is released ({@link #release}, {@link #close}, {@link #seal}) or when it is lost. Once it is lost, {@link #isHeld} returns
 * false and the {@link #onLost} callbacks run, no later than its deadline by this machine's clocks. A program that was paused may learn of the loss
 * late. Therefore the resource must check the {@link #fencingToken} to reject the writes of a former holder (PROTOCOL §6).
 *
 * <p>Callbacks of one lease run one after the other on a worker thread of Holdfast. If a callback throws an exception, Holdfast logs it. A callback
 * that blocks delays only the later callbacks of the same lease. A callback that is registered after its event runs at once, except with
 * {@link #onExtended}.
 *
 * <p>Futures complete on a worker thread. Cancelling a future has no effect on its request.
 */
public interface Lease extends AutoCloseable {

    /** Returns the name of the lock. */
    String name();

    /** Returns the mode in which the lock is held. */
    LockMode mode();

    /**
     * Returns the fencing token. It is larger than the token of every earlier lease of this lock in a conflicting mode, and below 2<sup>53</sup>. In
     * mode {@link LockMode#NL} it is 0. The resource that the lock protects must check the token.
     */
    long fencingToken();

    /** Returns the id under which nodes and other clients see this lease. */
    String owner();

    /**
     * Lets other clients of the same nodes {@linkplain DistributedLock#adoptAsync adopt} this lease, so that it can outlive its client. Sends nothing. From then
     * on another client may have extended the lease or released it. So this client leaves the lease to the nodes if it expires, instead of releasing it. The
     * release leaves a note at each node for the ttl, so that no late request restores the lease. Acquire such leases without {@linkplain
     * LockOptions#localHandOver local hand-over}, which would give the lease to another thread.
     *
     * @return the text that the other client needs. It is no secret: every client that can see the nodes can make it.
     */
    String share();

    /**
     * Returns how long the lease stays valid unless the client extends it, by this machine's clocks and less the drift allowance. Returns zero once
     * the lease has ended. To report a loss in time, the client reports it and releases the lock up to a hundredth of the ttl (1 to 20 ms) earlier;
     * {@link #isHeld} takes that into account.
     */
    Duration remaining();

    /** Returns whether the lease is valid now, without a request to the nodes. */
    boolean isHeld();

    /**
     * Checks that the lease is valid now, without a request to the nodes.
     *
     * @throws LeaseLostException if the lease is lost or released
     */
    void ensureHeld();

    // ---- events

    /**
     * Registers a callback for when less than half of the validity is left and no extension has succeeded. The callback runs again only if the lease
     * has recovered in between, and never after the loss of the lease.
     *
     * @return this
     */
    Lease onAtRisk(Consumer<AtRisk> callback);

    /**
     * Registers a callback that runs once when the lease is lost. It never runs for a lease that was released in time.
     *
     * @return this
     */
    Lease onLost(Consumer<Loss> callback);

    /**
     * Registers a callback that runs once when another client waits for a lock that this lease blocks. The holder may keep the lease.
     *
     * @return this
     */
    Lease onContended(Runnable callback);

    /**
     * Registers a callback that runs after each extension, automatic or requested, with the validity from then on. It does not run for earlier
     * extensions, nor after the end of the lease.
     *
     * @return this
     */
    Lease onExtended(Consumer<Duration> callback);

    /** Returns a future of the loss. It is complete if the loss is known already, and never completes if the lease is released in time. */
    CompletableFuture<Loss> lost();

    // ---- extension

    /**
     * Asks the nodes to keep the lease for at least this long from now. This call never shortens the lease, and never extends it beyond
     * {@link LockOptions#maxHold}. It blocks for a round trip, a node timeout at most.
     *
     * @param duration {@link DistributedLock#MIN_TTL} to {@link DistributedLock#MAX_TTL} in whole milliseconds, and at most the
     *     {@link dev.holdfast.HoldfastBuilder#fenceRetention}. If the duration is longer than every ttl that clients use, all clients need a
     *     {@link dev.holdfast.HoldfastBuilder#restartQuarantine} of that length.
     * @throws IllegalArgumentException if the duration is outside that range
     * @throws InterruptedException if the thread is interrupted while it waits; the lease stays as it is
     */
    ExtendOutcome extend(Duration duration) throws InterruptedException;

    /** Extends the lease as {@link #extend} does, without blocking. */
    CompletableFuture<ExtendOutcome> extendAsync(Duration duration);

    // ---- the value

    /**
     * Returns the value of the lock: the last one written under this lease, else the one that an earlier holder had left when this lease was granted.
     * Returns empty if there is no value. Sends nothing. As long as a majority of nodes keeps its state, the value is never older than the last one
     * whose write was {@link WriteOutcome#WRITTEN}. A value whose write was {@link WriteOutcome#UNCONFIRMED} may or may not appear. Nodes keep a
     * value for the {@link dev.holdfast.HoldfastBuilder#fenceRetention} after the last use of the lock.
     */
    Optional<String> value();

    /**
     * Writes a value for later holders (PROTOCOL §3, "values"), such as the progress of the work. Blocks for a round trip, a node timeout at most.
     * The write also extends a lease that the client extends automatically. Values are no safer at the nodes than locks, so keep data that must never
     * be lost in a separate store.
     *
     * @param value at most 1,024 bytes of UTF-8; empty to leave no value
     * @throws IllegalArgumentException if the value is longer
     * @throws IllegalStateException if the lease is in another mode than {@link LockMode#EX} or {@link LockMode#PW}
     * @throws InterruptedException if the thread is interrupted while it waits; the value may or may not be written
     */
    WriteOutcome writeValue(String value) throws InterruptedException;

    /** Writes a value as {@link #writeValue} does, without blocking. */
    CompletableFuture<WriteOutcome> writeValueAsync(String value);

    // ---- the end

    /**
     * Releases the lease. Blocks until a majority of nodes has answered, a node timeout at most. An interrupt does not end the call, and the thread's
     * interrupt status stays set. A second call returns the first outcome.
     */
    ReleaseOutcome release();

    /** Releases the lease as {@link #release} does, without blocking. */
    CompletableFuture<ReleaseOutcome> releaseAsync();

    /**
     * Releases the lease once {@code held} has passed since its grant, or now if it has passed already. Until then the lease stays held and the
     * client extends it as before; no thread waits for the release. The client asks the nodes at once to keep the lease until then, so it stays held
     * even if the client is closed or its process dies. Use this method for work that must not be repeated too soon, however fast it was. It does not
     * delay {@link #release} and {@link #close}, so it has no effect in a try-with-resources statement.
     *
     * @param held 0 to 24 h since the grant of the lease, and never beyond {@link LockOptions#maxHold}. For durations above the ttl, {@link #extend}
     *     says which settings they need.
     * @return completes when the lease is released. If the client is closed first, the future completes with {@link ReleaseOutcome#UNCONFIRMED}, and
     *     the nodes drop the lease at its end.
     * @throws IllegalArgumentException if {@code held} is outside that range
     */
    CompletableFuture<ReleaseOutcome> releaseAfter(Duration held);

    /**
     * Ends this client's part of the lease, and leaves its votes to the nodes until they expire. Sends nothing. Use this method for a lease that another client
     * has {@linkplain DistributedLock#adoptAsync adopted}: {@link #release} would end it there too.
     */
    void abandon();

    /**
     * Seals the lock: declares the work under it done, and releases the lease. Until the retention has passed, no client gets the lock: the nodes
     * refuse every attempt at once with {@link Refusal.Reason#SEALED}. Use this method for work that must be done once (PROTOCOL §3, "seal"), and
     * call it after success only. It also works after the loss of the lease, since the work is done all the same. Blocks as {@link #release} does.
     * After this call, {@link #release} and {@link #close} have no effect.
     *
     * @param retention how long the lock stays sealed, 1 ms to 365 days; a duplicate of the work that arrives later finds the lock free
     * @throws IllegalArgumentException if the retention is outside that range
     */
    SealOutcome seal(Duration retention);

    /** Seals the lock as {@link #seal} does, without blocking. */
    CompletableFuture<SealOutcome> sealAsync(Duration retention);

    /** Releases the lease as {@link #release} does. It throws no exception if the lease had ended before. */
    @Override
    void close();
}
