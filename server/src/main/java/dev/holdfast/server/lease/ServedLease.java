package dev.holdfast.server.lease;

import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.lock.SealOutcome;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import dev.holdfast.time.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A lease of a client of this server. The client extends it, or the server does while the client's session lasts. Once it has ended for good, it keeps only what
 * its answers need, since the server remembers many ended leases. Thread-safe.
 */
public final class ServedLease {

    /** The reason for the end if an operator broke the lease. */
    static final String BROKEN = "broken";

    private static final String RELEASED = "released";
    static final String SEALED = "sealed";
    private static final long DRIFT_DIVISOR = 100;
    private static final long ROUNDING_NANOS = 2_000_000;

    public final String id;
    public final String lock;
    public final long token;
    public final Duration ttl;
    final String client;
    final LockMode mode;

    /** The owner id by which the nodes distinguish holders. */
    final String owner;

    private final boolean adoptable;
    private final Ticker ticker;

    /** The lease at the nodes, with all that belongs to it; null once its outcomes are final. */
    volatile @Nullable Lease lease;

    private volatile Outcomes outcomes = Outcomes.NONE;

    /** The lock's value as of the grant or of a later look at the nodes; null if there is none. */
    private volatile @Nullable String found;

    private volatile @Nullable WriteOutcome written;
    private volatile LongSupplier boundMillis = () -> Long.MAX_VALUE;
    private volatile Consumer<String> onEnd = how -> {};
    private volatile Consumer<BreakNotice> onBroken = notice -> {};
    private volatile Runnable onForgotten = () -> {};
    private volatile @Nullable BreakNotice broken;
    private volatile long grantedNanos;
    private volatile long grantedAtMillis;
    private volatile boolean extendedHere;
    private volatile long votesFromNanos; // the earliest end of this server's votes
    private volatile long votesUntilNanos; // and the latest
    private final AtomicReference<@Nullable String> end = new AtomicReference<>();

    /** The outcomes of the end, which later requests get again. */
    private record Outcomes(ReleaseOutcome released, SealOutcome sealed) {

        static final Outcomes NONE = new Outcomes(ReleaseOutcome.EXPIRED, SealOutcome.RELEASED_BEFORE);
    }

    ServedLease(String id, String client, Lease lease, Duration ttl, boolean adoptable, Ticker ticker) {
        this.id = id;
        this.client = client;
        this.lease = lease;
        this.lock = lease.name();
        this.token = lease.fencingToken();
        this.mode = lease.mode();
        this.owner = Owners.withoutRound(lease.owner());
        this.ttl = ttl;
        this.adoptable = adoptable;
        this.ticker = ticker;
        this.grantedNanos = ticker.nanos();
        this.grantedAtMillis = ticker.wallMillis();
        this.found = lease.value().orElse(null);
    }

    // ---- the lease at the nodes

    private Duration remaining() {
        Lease known = lease;
        return known == null ? Duration.ZERO : known.remaining();
    }

    /** Returns for how many ms the lease is valid at the nodes. */
    public long validMillis() {
        return remaining().toMillis();
    }

    /** Extends the lease as {@link Lease#extendAsync} does. */
    public CompletionStage<ExtendOutcome> extend(Duration extension) {
        Lease known = lease;
        return known == null ? CompletableFuture.completedStage(ExtendOutcome.LOST) : known.extendAsync(extension);
    }

    /** Writes the lock's value as {@link Lease#writeValueAsync} does. */
    public CompletionStage<WriteOutcome> write(String value) {
        Lease known = lease;
        return known == null ? CompletableFuture.completedStage(WriteOutcome.LOST) : known.writeValueAsync(value);
    }

    /** Releases the lease for its client. A lease that has ended repeats its outcome. */
    public CompletionStage<ReleaseOutcome> release() {
        Lease known = lease;
        if (known == null) {
            return CompletableFuture.completedStage(outcomes.released());
        }
        return known.releaseAsync().whenComplete((outcome, failure) -> {
            if (outcome != null) {
                outcomes = new Outcomes(outcome, SealOutcome.RELEASED_BEFORE);
            }
            onEnd.accept(RELEASED);
            if (outcome != null && hasEndedForGood()) {
                keepOnly(outcomes);
            }
        });
    }

    /** Seals the lock for its client, even if the lease is lost. A lease that was sealed repeats its outcome. */
    public CompletionStage<SealOutcome> seal(Duration retention) {
        Lease known = lease;
        if (known == null) {
            return CompletableFuture.completedStage(outcomes.sealed());
        }
        return known.sealAsync(retention).thenCombine(known.releaseAsync(), (seal, release) -> {
            onEnd.accept(SEALED);
            keepOnly(new Outcomes(release, seal));
            return seal;
        });
    }

    /** Stops to care for the lease, which another server does. */
    void abandon() {
        Lease known = lease;
        if (known != null) {
            known.abandon();
        }
    }

    /** Sets the listener for the loss of the lease. */
    public void onLost(Consumer<Loss> listener) {
        Lease known = lease;
        if (known != null) {
            known.onLost(listener);
        }
    }

    /** Sets the action that runs when another client starts to wait for the lock. */
    public void onContended(Runnable listener) {
        Lease known = lease;
        if (known != null) {
            known.onContended(listener);
        }
    }

    /** Drops the lease at the nodes and all listeners; further requests get these outcomes. */
    private void keepOnly(Outcomes last) {
        outcomes = last;
        lease = null;
        found = null;
        boundMillis = () -> 0;
        onEnd = how -> {};
        onBroken = notice -> {};
    }

    // ---- the grant

    /** Notes that another server has granted the lease, at this time in ms of its wall clock. */
    void grantedElsewhere(long atMillis) {
        long agoMillis = Math.max(ticker.wallMillis() - atMillis, 0);
        grantedNanos = ticker.nanos() - agoMillis * 1_000_000;
        grantedAtMillis = ticker.wallMillis() - agoMillis;
    }

    /** Returns when the lease was granted, in ms of this server's wall clock. */
    long grantedAtMillis() {
        return grantedAtMillis;
    }

    /** Returns for how many ns the lease has been held. */
    long heldNanos() {
        return ticker.nanos() - grantedNanos;
    }

    // ---- votes of this server and of others

    /** Records that the nodes have granted this server votes of this ttl. */
    void extendedHere(Duration granted) {
        long now = ticker.nanos();
        long validNanos = remaining().toNanos();
        votesFromNanos = now + validNanos + validNanos / DRIFT_DIVISOR;
        long ttlNanos = granted.toNanos();
        long untilNanos = now + ttlNanos + ttlNanos / DRIFT_DIVISOR + ROUNDING_NANOS;
        votesUntilNanos = extendedHere ? Math.max(votesUntilNanos, untilNanos) : untilNanos;
        extendedHere = true;
    }

    /** Returns whether this server has granted or extended the lease. */
    boolean isExtendedHere() {
        return extendedHere;
    }

    /** Returns whether votes that this server requested can't have expired yet. */
    boolean hasVotesAt(long nanos) {
        return extendedHere && nanos - votesFromNanos < 0;
    }

    /** Returns whether votes until then last longer than any that this server requested. */
    boolean isExtendedElsewhere(long untilNanos) {
        return !extendedHere || untilNanos - votesUntilNanos > 0;
    }

    /** Returns whether other servers may adopt the lease. */
    boolean isAdoptable() {
        return adoptable;
    }

    /** Returns whether this server knows without the nodes that the lease is held, or has ended. */
    boolean isCertain() {
        Lease known = lease;
        return !adoptable || hasEndedForGood() || (known != null && known.isHeld() && !hasEnded());
    }

    /** Returns whether the lease was released, sealed or broken. One that expired here may have been extended at another server. */
    boolean hasEndedForGood() {
        return BROKEN.equals(end.get()) || isEndedByClient();
    }

    /** Returns whether the client has released the lease, or sealed its lock. */
    public boolean isEndedByClient() {
        String how = end.get();
        return RELEASED.equals(how) || SEALED.equals(how);
    }

    /** Limits how long the client may rely on the lease; each answer evaluates the limit again. */
    public void limitTo(LongSupplier millis) {
        boundMillis = millis;
    }

    /** Returns for how many ms the client may rely on the lease, counted from its request, unless the server notifies it earlier. */
    public long remainingMillis() {
        return Math.max(Math.min(validMillis(), boundMillis.getAsLong()), 0);
    }

    /** Notes the lock's value, which the client may have written at another server; null if there is none. */
    void sees(@Nullable String value) {
        if (lease != null) {
            found = value;
        }
    }

    /** Records the outcome of the write that was requested with the lock. */
    void recordWrite(WriteOutcome outcome) {
        written = outcome;
    }

    /** Sets the listener for the end of the lease by its client or by an operator. */
    void onEnd(Consumer<String> listener) {
        onEnd = listener;
    }

    /** Sets the action that runs when this server drops the lease. */
    void onForgotten(Runnable listener) {
        onForgotten = listener;
    }

    /** Runs the action for the time when this server drops the lease. */
    void forgotten() {
        onForgotten.run();
    }

    /** Ends the lease for an operator who broke it: the nodes no longer hold votes for it. */
    void endByOperator(BreakNotice notice) {
        onEnd.accept(BROKEN);
        String how = end.get();
        boolean wasHeldWhenReleased = RELEASED.equals(how) && outcomes.released() != ReleaseOutcome.EXPIRED;
        if (!wasHeldWhenReleased && !SEALED.equals(how)) { // the loss may have been noticed before the notice came
            broken = notice;
        }
        onBroken.accept(notice);
        release(); // releases this client's part of the lease
    }

    /** Returns the lease, unless an operator has broken it. */
    public ServedLease unbroken() {
        if (broken != null) {
            throw ended();
        }
        return this;
    }

    /** Sets the listener for a break of the lease by an operator. */
    public void onBroken(Consumer<BreakNotice> listener) {
        onBroken = listener;
        BreakNotice notice = broken;
        if (notice != null && BROKEN.equals(end.get())) {
            listener.accept(notice);
        }
    }

    /** Ends the lease, and returns whether this was the first end; only the first counts. After it, {@link #whileHeld} has no effect. */
    synchronized boolean ends(String how) {
        return end.compareAndSet(null, how);
    }

    /** Runs an action that makes sense only before the lease's end. */
    synchronized void whileHeld(Runnable telling) {
        if (!hasEnded()) {
            telling.run();
        }
    }

    public boolean hasEnded() {
        return end.get() != null;
    }

    public Problem ended() {
        return ended(lock, token, end.get(), broken);
    }

    /**
     * Returns the problem of a request for a lease that has ended.
     *
     * @param how how the lease ended; null if this server does not know
     * @param broken the break that ended it; null if none is known
     */
    static Problem ended(String lock, long token, @Nullable String how, @Nullable BreakNotice broken) {
        String end = how == null ? "is lost, or has ended at another server" : words(how);
        return new Problem(
                        Problem.Kind.LEASE_ENDED,
                        "The lease of '" + Printable.of(lock) + "' with token " + token + " "
                                + (broken == null ? end : "was " + broken.words()) + ".")
                .with("lock", lock);
    }

    private static String words(String how) {
        return switch (how) {
            case "expired", "moved" -> "has " + how;
            case "lost" -> "is lost";
            default -> "was " + how;
        };
    }

    public ObjectNode json() {
        WriteOutcome outcome = written;
        ObjectNode json = Json.object();
        json.put("id", id);
        json.put("lock", lock);
        json.put("mode", mode.name());
        json.put("token", token);
        json.put("owner", owner);
        json.put("ttlMillis", ttl.toMillis());
        json.put("remainingMillis", remainingMillis());
        json.put("value", found);
        if (outcome != null) {
            json.put("written", Json.word(outcome));
        }
        return json;
    }
}
