package dev.holdfast.lock;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.internal.time.Durations;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The options of a lock and its leases. {@code LockOptions} are immutable and thread-safe: a method with an argument returns a changed copy and
 * leaves this object as it is.
 *
 * <p>{@link dev.holdfast.HoldfastBuilder#lockOptions} sets the defaults of a client, and {@link DistributedLock#options(LockOptions)} sets the
 * options of one lock.
 *
 * <pre>{@code
 * LockOptions batch = LockOptions.defaults().ttl(Duration.ofMinutes(2)).maxHold(Duration.ofHours(1));
 * }</pre>
 *
 * <p>{@link #ttl}, {@link #autoExtend} and {@link #maxHold} are independent: none of them switches another off.
 */
public final class LockOptions {

    private static final LockOptions DEFAULTS = new LockOptions(new Values());
    private static final Pattern LABEL = Pattern.compile("(?!\\p{Z}+$)[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]*");
    private static final int LONGEST_SHOWN = 60;
    private static final Duration LONGEST_LINGER = Duration.ofMinutes(1);

    private final Values values;

    private LockOptions(Values values) {
        this.values = values;
    }

    /** The values of the options. They never change once a {@link LockOptions} refers to them. */
    private static final class Values implements Cloneable {
        private LockMode mode = LockMode.EX;
        private Duration ttl = Duration.ofSeconds(30);
        private boolean autoExtend = true;
        private Duration maxHold = DistributedLock.FOREVER;
        private boolean localHandOver = true;
        private Duration linger = Duration.ZERO;
        private Duration waiterTtl = Duration.ofSeconds(10);
        private String label = "";
        private @Nullable Consumer<Waiting> onWaiting;

        @Override
        public Values clone() {
            try {
                return (Values) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        private List<@Nullable Object> all() {
            return Arrays.asList(mode, ttl, autoExtend, maxHold, localHandOver, linger, waiterTtl, label, onWaiting);
        }
    }

    private LockOptions with(Consumer<Values> change) {
        Values changed = values.clone();
        change.accept(changed);
        return new LockOptions(changed);
    }

    /**
     * Returns the options of a client that sets none: mode {@link LockMode#EX}, a ttl of 30 s and a waiter ttl of 10 s. Leases are extended
     * automatically and handed over between threads, with neither a longest hold nor a linger time.
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
     * Returns these options with another time to live: how long the nodes keep a lease without an extension. This is also how long a crashed holder
     * blocks the waiters. With a short ttl, a holder loses its lease at its first pause.
     *
     * @param ttl 50 ms to 24 h, in whole milliseconds, and at least twice the client's node timeout
     * @throws IllegalArgumentException if it is outside that range, or has a fraction of a millisecond
     */
    public LockOptions ttl(Duration ttl) {
        Durations.requireTtl("ttl", ttl, DistributedLock.MIN_TTL, DistributedLock.MAX_TTL);
        return with(changed -> changed.ttl = ttl);
    }

    /** Returns how long the nodes keep a lease without an extension. */
    public Duration ttl() {
        return values.ttl;
    }

    /** Returns these options with a choice of whether the client extends its leases until their release. */
    public LockOptions autoExtend(boolean autoExtend) {
        return with(changed -> changed.autoExtend = autoExtend);
    }

    /** Returns whether the client extends a lease until it is released. */
    public boolean autoExtend() {
        return values.autoExtend;
    }

    /**
     * Returns these options with a longest hold. A lease ends after that time even if the client extends it, so a worker that hangs does not hold the
     * lock forever.
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
     * Returns these options with a choice of whether threads of one client hand one lease over to each other without a request to the nodes (PROTOCOL §7).
     * The threads get the lease in the order of their arrival, each with a separate token. Once another client waits, the client hands the lease over
     * at most 16 times more. It hands over only automatically extended leases in mode {@link LockMode#EX}, between locks with equal ttl,
     * {@link #maxHold}, {@link #linger} and {@link #label}. Without the hand-over, each thread queues at the nodes itself, which is slower but fairer between
     * clients.
     */
    public LockOptions localHandOver(boolean localHandOver) {
        return with(changed -> changed.localHandOver = localHandOver);
    }

    /** Returns whether threads of one client hand a lease over to each other. */
    public boolean localHandOver() {
        return values.localHandOver;
    }

    /**
     * Returns these options with a linger time: the client keeps a lease for that long after its release. Until then the client can acquire the lock
     * again without a request to the nodes, each time with a separate token. It releases such a lease at once when another client waits. This option suits a
     * lock that one client acquires many times in a row and other clients seldom, because the other clients wait one round trip longer. Until the end of the
     * linger time, the lock appears as held. The option has no effect without {@link #localHandOver}.
     *
     * @param linger 0 (off) to 1 minute
     * @throws IllegalArgumentException if it is outside that range
     */
    public LockOptions linger(Duration linger) {
        Durations.requireBetween("linger", linger, Duration.ZERO, LONGEST_LINGER);
        return with(changed -> changed.linger = linger);
    }

    /** Returns how long the client keeps a lease after its release; zero if it does not keep it. */
    public Duration linger() {
        return values.linger;
    }

    /**
     * Returns these options with another waiter ttl: how long the nodes keep a position in the queue for a client that does not re-send its request.
     * This is also how long a crashed waiter delays the waiters behind it. A waiter re-sends its request three times within that time. If the waiter ttl is
     * longer than the ttl, the ttl applies instead.
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
     * Returns these options with a label: the name of the waiter or holder in refusals, in {@link LockStatus} and in seals. Without a label, they show
     * the name of the client. Every client of the nodes can read the label. Threads of one client hand a lease over only between locks with equal
     * labels.
     *
     * @param label at most 200 characters, as {@link String#length} counts them, none of them invisible, and not only spaces; empty for no label
     * @throws IllegalArgumentException if it is longer or has other characters
     */
    public LockOptions label(String label) {
        if (label.length() > 200 || !LABEL.matcher(label).matches()) { // as an owner id counts them
            String shown = label.length() > LONGEST_SHOWN ? label.substring(0, LONGEST_SHOWN) + "…" : label;
            throw new IllegalArgumentException("label is '" + shown.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?")
                    + "', but must have 200 characters at most, none of them invisible, and not only spaces");
        }
        return with(changed -> changed.label = label);
    }

    /** Returns the name of the waiter or holder for people; empty for the name of the client. */
    public String label() {
        return values.label;
    }

    /**
     * Returns these options with an observer of attempts that wait. A worker thread calls it with the progress of each such attempt. The observer
     * does not change how the attempt waits.
     */
    public LockOptions onWaiting(Consumer<Waiting> observer) {
        Objects.requireNonNull(observer, "observer");
        return with(changed -> changed.onWaiting = observer);
    }

    /** Returns the observer of attempts that wait, if there is one. */
    public Optional<Consumer<Waiting>> onWaiting() {
        return Optional.ofNullable(values.onWaiting);
    }

    /** Compares all options, and the observers by their {@code equals} method. */
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
                + ", waiterTtl " + DurationText.exact(waiterTtl()) + ", label '" + label() + "']";
    }
}
