package dev.holdfast.node;

import dev.holdfast.time.Ticker;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client's knowledge of the time since which a server has kept its state, and of its quarantine, which follows from that time (PROTOCOL §5). This
 * class is thread-safe.
 *
 * <p>The client relies on facts that it can check. It uses the run id and the age that the server reports, the time of its last answer from the
 * previous run, and a promotion from a replica. It also uses an {@link Epoch} key that is missing although it cannot have expired by the server's
 * clock, and steps of that clock that it measured itself. The first four are facts of the server, so the client shares them through the epoch key. A
 * clock step is this client's own measurement, so the client does not share it.
 */
public final class ServerMemory {

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** The server keeps the epoch key at least this long after the last read of it. */
    private static final long SHORTEST_LIFE_MILLIS = 60_000;

    /**
     * The life of the epoch key of a promoted server. Such a server reports its promotion for ever, and only the epoch key shows when it happened.
     */
    private static final long PROMOTED_LIFE_MILLIS = 30L * 24 * 3_600_000;

    private static final long LONGEST_KNOWN_TTL_MILLIS = 24L * 3_600_000;

    private final Ticker ticker;
    private final LongUnaryOperator quarantineMillis;
    private final Supplier<String> nonces;

    private @Nullable String runId;
    private boolean promoted;
    private long heardNanos; // this run was alive at this time or later
    private volatile Since since;
    private volatile long longestTtlMillis;
    private String known = "";
    private long knownUntilMillis; // by the server's clock

    /**
     * Creates the object of a client that knows nothing of the server yet.
     *
     * @param quarantineMillis how long a server is quarantined for requests of a ttl; 0 switches quarantine off
     * @param ttlMillis the client's default ttl
     * @param nonces the source of texts that distinguish one write of the epoch key from another
     */
    public ServerMemory(Ticker ticker, LongUnaryOperator quarantineMillis, long ttlMillis, Supplier<String> nonces) {
        this.ticker = ticker;
        this.quarantineMillis = quarantineMillis;
        this.nonces = nonces;
        this.longestTtlMillis = ttlMillis;
        this.since = new Since(ticker.nanos(), 0, false);
    }

    /**
     * The facts that decide whether votes count. Every request reads them, so reading takes no lock.
     *
     * @param nanos the time since which the server has kept its state, by this client's clock
     * @param lostMillis when this run last lost state, by the server's clock; 0 if it lost none since its start
     * @param clean whether an operator has declared that nothing was lost
     */
    private record Since(long nanos, long lostMillis, boolean clean) {}

    /** A write of a value to the epoch key, provided that the key still has the other value. */
    public record Write(String value, String insteadOf) {}

    /** Returns whether the client uses quarantine at all. */
    public boolean isWatched() {
        return quarantineMillis.applyAsLong(LONGEST_KNOWN_TTL_MILLIS) > 0;
    }

    /** Returns how long the server's votes do not count for requests of this ttl, in milliseconds; 0 if they count. */
    public long remainingMillis(long ttlMillis) {
        if (ttlMillis > longestTtlMillis) {
            longestTtlMillis = ttlMillis; // a race may keep the smaller ttl; the next request corrects that
        }
        long quarantine = quarantineMillis.applyAsLong(ttlMillis);
        Since kept = since;
        if (quarantine <= 0 || kept.clean) {
            return 0;
        }
        return Math.max(quarantine - Math.max((ticker.nanos() - kept.nanos) / NANOS_PER_MILLI, 0), 0);
    }

    /** Returns the remaining quarantine for the longest ttl that this client has used. */
    public long remainingMillis() {
        return remainingMillis(longestTtlMillis);
    }

    /**
     * Returns the time from which the server's votes count for requests of this ttl, by its clock. The server gave all lost votes before that time.
     *
     * @param startedMillis the latest possible start of this run, by the server's clock
     */
    public long countedFromMillis(long startedMillis, long ttlMillis) {
        Since kept = since;
        long quarantine = kept.clean ? 0 : Math.max(quarantineMillis.applyAsLong(ttlMillis), 0);
        return Math.max(startedMillis, kept.lostMillis) + quarantine;
    }

    /**
     * Returns how long the epoch key should live after it is next read, in milliseconds. The key outlives the quarantine of every client that learns
     * of a loss from it.
     */
    public synchronized long epochLifeMillis() {
        long quarantine = quarantineMillis.applyAsLong(longestTtlMillis);
        return promoted
                ? PROMOTED_LIFE_MILLIS
                : Math.max(SHORTEST_LIFE_MILLIS, 4 * Math.min(quarantine, LONGEST_KNOWN_TTL_MILLIS));
    }

    /**
     * Records a new connection. The server's uptime follows its wall clock, so a step of that clock after the start makes the server look older than
     * it is. A client that has had an answer from the previous run knows a better limit.
     *
     * @param serverRunId the server's run id; null if the server does not report it. In that case, every connection may be to a server that has just
     *     restarted, and no stored value certainly describes this run.
     * @param ageMillis how long this run has lasted at least, by the server's clock; 0 or more
     * @param wasReplica whether the server has been a replica in this run; its state may then lack the latest state of its primary
     */
    public synchronized void connected(@Nullable String serverRunId, long ageMillis, boolean wasReplica) {
        long now = ticker.nanos();
        if (serverRunId == null || !serverRunId.equals(runId)) {
            long startNanos = now - (serverRunId == null ? 0 : ageMillis * NANOS_PER_MILLI);
            boolean heardBefore = runId != null && heardNanos - startNanos > 0;
            since = new Since(heardBefore ? heardNanos : startNanos, 0, false);
            runId = serverRunId;
            known = "";
        }
        promoted = wasReplica;
    }

    /**
     * Records the value of the epoch key.
     *
     * @param found the value of the key, empty if there is none
     * @param serverMillis the server's clock
     * @param sentNanos a time before the client sent its request for the key
     * @return the write to carry out, if any
     */
    public synchronized Optional<Write> seen(String found, long serverMillis, long sentNanos) {
        if (runId == null) {
            return Optional.empty();
        }
        heardNanos = sentNanos;
        boolean due = !known.isEmpty() && serverMillis < knownUntilMillis; // the key cannot have expired yet
        Optional<Epoch> any = Epoch.parse(found);
        Epoch epoch = any.filter(ours -> ours.runId().equals(runId)).orElse(null);
        boolean isNew = !found.equals(known);
        if (epoch != null) {
            known = found;
            knownUntilMillis = serverMillis + epochLifeMillis();
            if (epoch.isFirst() && isNew && due) {
                return lost(found, serverMillis); // the key was missing in between, which its writer could not know
            }
            if (isNew) {
                adopt(epoch, serverMillis);
            }
            return Optional.empty();
        }
        if (due || any.isPresent() || promoted) {
            return lost(found, serverMillis);
        }
        return write(found, Epoch.first(runId, nonces.get(), Math.max(serverMillis - ageMillis(), 0)));
    }

    private long ageMillis() {
        return Math.max((ticker.nanos() - since.nanos) / NANOS_PER_MILLI, 0);
    }

    private void adopt(Epoch epoch, long serverMillis) {
        Since before = since;
        if (epoch.isDeclaredClean() || epoch.isFirst()) {
            since = new Since(before.nanos, before.lostMillis, epoch.isDeclaredClean());
            return;
        }
        long sinceMillis = epoch.sinceMillis().orElseThrow();
        long age = Math.min(Math.max(serverMillis - sinceMillis, 0), Long.MAX_VALUE / NANOS_PER_MILLI / 2);
        long epochNanos = ticker.nanos() - age * NANOS_PER_MILLI;
        since = new Since(
                epochNanos - before.nanos > 0 ? epochNanos : before.nanos,
                Math.max(Math.min(sinceMillis, serverMillis), before.lostMillis),
                false);
    }

    /** Records that the server lost state at this moment, which every client can check. */
    private Optional<Write> lost(String found, long serverMillis) {
        since = new Since(ticker.nanos(), serverMillis, false);
        known = "";
        return Optional.ofNullable(runId)
                .flatMap(run -> write(found, Epoch.lost(run, nonces.get(), Math.max(serverMillis, 0))));
    }

    private static Optional<Write> write(String found, Epoch epoch) {
        return Optional.of(new Write(epoch.toString(), found));
    }

    /**
     * Records that the server's clock stepped, by this client's measurement, so votes may have ended before their time. Other clients need not rely
     * on it.
     */
    public synchronized void clockStepped(long serverMillis) {
        since = new Since(ticker.nanos(), serverMillis, false);
    }
}
