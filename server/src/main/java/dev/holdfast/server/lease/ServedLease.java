package dev.holdfast.server.lease;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A lease of a client of this server. It is extended by that client, or by the server as long as the client's session lasts. Thread-safe. */
public final class ServedLease {

    /** How it has ended if an operator broke it. */
    static final String BROKEN = "broken";

    public final String id;
    final String client;
    public final Lease lease;
    public final Duration ttl;
    final long grantedNanos;

    /** What the holder before has left, as it was when this one was granted. */
    private final @Nullable String found;

    private volatile @Nullable WriteOutcome written;
    private volatile LongSupplier boundMillis = () -> Long.MAX_VALUE;
    private volatile Consumer<String> onEnd = how -> {};
    private volatile Runnable onBroken = () -> {};
    private final AtomicReference<@Nullable String> end = new AtomicReference<>();

    ServedLease(String id, String client, Lease lease, Duration ttl, long grantedNanos) {
        this.id = id;
        this.client = client;
        this.lease = lease;
        this.ttl = ttl;
        this.grantedNanos = grantedNanos;
        this.found = lease.value().orElse(null);
    }

    /** How long its client may count on it at most, asked whenever it is told. */
    public void limitTo(LongSupplier millis) {
        boundMillis = millis;
    }

    /** How long its client may count on it from when it asked, unless it is told otherwise. */
    public long remainingMillis() {
        return Math.max(Math.min(lease.remaining().toMillis(), boundMillis.getAsLong()), 0);
    }

    /** What came of writing the value that was asked for with the lock. */
    void recordWrite(WriteOutcome outcome) {
        written = outcome;
    }

    /** Who is to be told of the end that its client gives it. */
    void onEnd(Consumer<String> listener) {
        onEnd = listener;
    }

    /** Its client has ended it. */
    public void endByClient(String how) {
        onEnd.accept(how);
    }

    /** An operator has broken it: the nodes have no vote of it any more. */
    void endByOperator() {
        onEnd.accept(BROKEN);
        onBroken.run();
        lease.releaseAsync(); // this client's part of it
    }

    /** Sets what runs once an operator has broken it. */
    public void onBroken(Runnable listener) {
        onBroken = listener;
        if (BROKEN.equals(end.get())) {
            listener.run();
        }
    }

    /** Only the first end counts, and after it {@link #whileHeld} does nothing. */
    synchronized boolean ends(String how) {
        return end.compareAndSet(null, how);
    }

    /** Something is told of it that would make no sense after its end. */
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
