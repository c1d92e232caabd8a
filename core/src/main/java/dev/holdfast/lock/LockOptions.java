package dev.holdfast.lock;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.internal.time.Durations;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The options of a lock and of the leases that come of it. Immutable and thread-safe; a method with an argument returns a changed copy and leaves
 * this object as it is.
 *
 * <p>A client's defaults are given to {@link dev.holdfast.HoldfastBuilder#lockOptions}, those of one lock to {@link DistributedLock#options(LockOptions)}.
 *
 * <pre>{@code
 * LockOptions batch = LockOptions.defaults().ttl(Duration.ofMinutes(2)).maxHold(Duration.ofHours(1));
 * }</pre>
 *
 * <p>{@link #ttl}, {@link #autoExtend} and {@link #maxHold} are independent: none of them switches another off.
 */
public final class LockOptions {

    private static final LockOptions DEFAULTS = new LockOptions(new Values());
    private static final Duration LONGEST_LINGER = Duration.ofMinutes(1);

    private final Values values;

    private LockOptions(Values values) {
        this.values = values;
    }

    /** The options themselves; nobody changes them once a {@link LockOptions} has them. */
    private static final class Values {
        private LockMode mode = LockMode.EX;
        private Duration ttl = Duration.ofSeconds(30);
        private boolean autoExtend = true;
        private Duration maxHold = DistributedLock.FOREVER;
        private boolean localHandOver = true;
        private Duration linger = Duration.ZERO;
        private Duration waiterTtl = Duration.ofSeconds(10);
        private @Nullable Consumer<Waiting> onWaiting;

        private Values copy() {
            Values copy = new Values();
            copy.mode = mode;
            copy.ttl = ttl;
            copy.autoExtend = autoExtend;
            copy.maxHold = maxHold;
            copy.localHandOver = localHandOver;
            copy.linger = linger;
            copy.waiterTtl = waiterTtl;
            copy.onWaiting = onWaiting;
            return copy;
        }

        private List<@Nullable Object> all() {
            return Arrays.asList(mode, ttl, autoExtend, maxHold, localHandOver, linger, waiterTtl, onWaiting);
        }
    }

    private LockOptions with(Consumer<Values> change) {
        Values changed = values.copy();
        change.accept(changed);
        return new LockOptions(changed);
    }

    /**
     * Returns the options of a client that sets none: mode {@link LockMode#EX}, a ttl of 30 s, extended automatically, no longest hold, handed over
     * between threads, no linger, a waiter ttl of 10 s.
     */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /** Returns these options with another mode. */
    public LockOptions mode(LockMode mode) {
        Objects.requireNonNull(mode, "mode");
        return with(changed -> changed.mode = mode);
    }

    /** Returns the mode in which the lock is acquired. */
    public LockMode mode() {
        return values.mode;
    }

    /**
     * Returns these options with another time to live: how long the nodes keep a lease that is not extended, and so how long waiters are blocked
     * after its holder has crashed. A short ttl loses the lease at the first pause of the holder.
     *
     * @param ttl 50 ms to 24 h, in whole milliseconds, and at least twice the client's node timeout
     * @throws IllegalArgumentException if it is outside that range, or has a fraction of a millisecond
     */
    public LockOptions ttl(Duration ttl) {
        Durations.requireTtl("ttl", ttl, DistributedLock.MIN_TTL, DistributedLock.MAX_TTL);
        return with(changed -> changed.ttl = ttl);
    }

    /** Returns how long the nodes keep a lease that is not extended. */
    public Duration ttl() {
        return values.ttl;
    }

    /** Returns these options with leases that the client extends until they are released, or not. */
    public LockOptions autoExtend(boolean autoExtend) {
        return with(changed -> changed.autoExtend = autoExtend);
    }

    /** Returns whether the client extends a lease until it is released. */
    public boolean autoExtend() {
        return values.autoExtend;
    }

    /**
     * Returns these options with a longest hold: a lease ends after it, extended or not, so that a worker that hangs does not hold the lock forever.
     *
     * @param maxHold 50 ms or more; {@link DistributedLock#FOREVER} for no limit
     * @throws IllegalArgumentException if it is shorter than 50 ms
     */
    public LockOptions maxHold(Duration maxHold) {
        Durations.requireBetween("maxHold", maxHold, DistributedLock.MIN_TTL, DistributedLock.FOREVER);
        return with(changed -> changed.maxHold = maxHold);
    }

    /** Returns the longest time that one holder may have a lease; {@link DistributedLock#FOREVER} if there is no limit. */
    public Duration maxHold() {
        return values.maxHold;
    }

    /**
     * Returns these options with threads of one client that hand one lease over to each other, without a request to the nodes in between, or not
     * (PROTOCOL §7). A lease is handed over in the order in which the threads came, each time with a token of its own; once another client
     * waits, at most 16 times more. Only leases in mode {@link LockMode#EX} that are extended automatically are handed over, and only
     * between locks with equal ttl, {@link #maxHold} and {@link #linger}. If this is off, each thread queues at the nodes itself, which is fairer between clients, and slower.
     */
    public LockOptions localHandOver(boolean localHandOver) {
        return with(changed -> changed.localHandOver = localHandOver);
    }

    /** Returns whether threads of one client hand a lease over to each other. */
    public boolean localHandOver() {
        return values.localHandOver;
    }

    /**
     * Returns these options with leases that are kept for a moment after their release, so that this client can acquire them again without a
     * request to the nodes; each use has a token of its own. The client releases such a lease at once when another client waits. This suits a lock that one client
     * acquires many times in a row and other clients seldom: they wait for one more round trip. During that moment the lock appears as held.
     * It has no effect without {@link #localHandOver}.
     *
     * @param linger 0 (off) to 1 minute
     * @throws IllegalArgumentException if it is outside that range
     */
    public LockOptions linger(Duration linger) {
        Durations.requireBetween("linger", linger, Duration.ZERO, LONGEST_LINGER);
        return with(changed -> changed.linger = linger);
    }

    /** Returns how long a lease is kept after its release; zero if it is not. */
    public Duration linger() {
        return values.linger;
    }

    /**
     * Returns these options with another waiter ttl: how long the nodes keep a position in the queue for a client that does not re-send its
     * request, and so how long a waiter that crashed delays those behind it. A waiter re-sends its request three times as often. If this is longer
     * than the ttl, the ttl counts.
     *
     * @param waiterTtl 50 ms to 24 h, in whole milliseconds
     * @throws IllegalArgumentException if it is outside that range, or has a fraction of a millisecond
     */
    public LockOptions waiterTtl(Duration waiterTtl) {
        Durations.requireTtl("waiterTtl", waiterTtl, DistributedLock.MIN_TTL, DistributedLock.MAX_TTL);
        return with(changed -> changed.waiterTtl = waiterTtl);
    }

    /** Returns how long the nodes keep a position in the queue for a client that does not re-send its request. */
    public Duration waiterTtl() {
        return values.waiterTtl;
    }

    /**
     * Returns these options with an observer that is called, on a worker thread, with the progress of each attempt that waits. It does not change how
     * the attempt waits.
     */
    public LockOptions onWaiting(Consumer<Waiting> observer) {
        Objects.requireNonNull(observer, "observer");
        return with(changed -> changed.onWaiting = observer);
    }

    /** Returns the observer of attempts that wait, if there is one. */
    public Optional<Consumer<Waiting>> onWaiting() {
        return Optional.ofNullable(values.onWaiting);
    }

    /** Compares all options; observers are equal if they are the same object or say so themselves. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockOptions options && values.all().equals(options.values.all());
    }

    @Override
    public int hashCode() {
        return values.all().hashCode();
    }

    @Override
    public String toString() {
        return "LockOptions[" + mode() + ", ttl " + DurationText.exact(ttl()) + ", autoExtend " + autoExtend()
                + ", maxHold "
                + DurationText.exact(maxHold()) + ", localHandOver " + localHandOver() + ", linger "
                + DurationText.exact(linger())
                + ", waiterTtl " + DurationText.exact(waiterTtl()) + "]";
    }
}
