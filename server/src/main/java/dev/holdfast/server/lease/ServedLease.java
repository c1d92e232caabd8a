package dev.holdfast.server.lease;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import dev.holdfast.time.Ticker;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A lease of a client of this server. The client extends it, or the server does while the client's session lasts. Thread-safe. */
public final class ServedLease {

    /** The reason for the end if an operator broke the lease. */
    static final String BROKEN = "broken";

    private static final Set<String> ENDED_FOR_GOOD = Set.of("released", "sealed", BROKEN);
    private static final long DRIFT_DIVISOR = 100;
    private static final long ROUNDING_NANOS = 2_000_000;

    public final String id;
    final String client;
    public final Lease lease;
    public final Duration ttl;
    final long grantedNanos;
    private final boolean adoptable;
    private final Ticker ticker;

    /** The value of the previous holder, as of the grant of this lease. */
    private final @Nullable String found;

    private volatile @Nullable WriteOutcome written;
    private volatile LongSupplier boundMillis = () -> Long.MAX_VALUE;
    private volatile Consumer<String> onEnd = how -> {};
    private volatile Runnable onBroken = () -> {};
    private volatile boolean extendedHere;
    private volatile long votesFromNanos; // the earliest end of this server's votes
    private volatile long votesUntilNanos; // and the latest
    private final AtomicReference<@Nullable String> end = new AtomicReference<>();

    ServedLease(String id, String client, Lease lease, Duration ttl, boolean adoptable, Ticker ticker) {
        this.id = id;
        this.client = client;
        this.lease = lease;
        this.ttl = ttl;
        this.adoptable = adoptable;
        this.ticker = ticker;
        this.grantedNanos = ticker.nanos();
        this.found = lease.value().orElse(null);
    }

    /** Records that the nodes have granted this server votes of this ttl. */
    void extendedHere(Duration granted) {
        long now = ticker.nanos();
        long validNanos = lease.remaining().toNanos();
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
        return !adoptable || hasEndedForGood() || (lease.isHeld() && !hasEnded());
    }

    /** Returns whether the lease was released, sealed or broken. One that expired here may have been extended at another server. */
    boolean hasEndedForGood() {
        String how = end.get();
        return how != null && ENDED_FOR_GOOD.contains(how);
    }

    /** Limits how long the client may rely on the lease; each answer evaluates the limit again. */
    public void limitTo(LongSupplier millis) {
        boundMillis = millis;
    }

    /** Returns for how many ms the client may rely on the lease, counted from its request, unless the server notifies it earlier. */
    public long remainingMillis() {
        return Math.max(Math.min(lease.remaining().toMillis(), boundMillis.getAsLong()), 0);
    }

    /** Records the outcome of the write that was requested with the lock. */
    void recordWrite(WriteOutcome outcome) {
        written = outcome;
    }

    /** Sets the listener for the end of the lease by its client or by an operator. */
    void onEnd(Consumer<String> listener) {
        onEnd = listener;
    }

    /** Ends the lease for its client. */
    public void endByClient(String how) {
        onEnd.accept(how);
    }

    /** Ends the lease for an operator who broke it: the nodes no longer hold votes for it. */
    void endByOperator() {
        onEnd.accept(BROKEN);
        onBroken.run();
        lease.releaseAsync(); // releases this client's part of the lease
    }

    /** Sets the action that runs once an operator has broken the lease. */
    public void onBroken(Runnable listener) {
        onBroken = listener;
        if (BROKEN.equals(end.get())) {
            listener.run();
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
        String how = end.get();
        return new Problem(
                        Problem.Kind.LEASE_ENDED,
                        "The lease of '" + Printable.of(lease.name()) + "' with token " + lease.fencingToken() + " is "
                                + (how == null ? "lost" : how) + ".")
                .with("lock", lease.name());
    }

    public ObjectNode json() {
        WriteOutcome outcome = written;
        ObjectNode json = Json.object();
        json.put("id", id);
        json.put("lock", lease.name());
        json.put("mode", lease.mode().name());
        json.put("token", lease.fencingToken());
        json.put("owner", Owners.owner(lease));
        json.put("ttlMillis", ttl.toMillis());
        json.put("remainingMillis", remainingMillis());
        json.put("value", found);
        if (outcome != null) {
            json.put("written", Json.word(outcome));
        }
        return json;
    }
}
