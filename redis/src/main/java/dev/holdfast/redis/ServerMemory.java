package dev.holdfast.redis;

import dev.holdfast.time.Ticker;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Since when a server has had its memory, as far as this client knows, and how long its votes therefore do not count (PROTOCOL
 * §5). Thread-safe.
 *
 * <p>It follows from the server's age and its {@link Epoch} key. The server forgets that key with everything else, so whoever finds it
 * gone before its time knows of a loss, and writes one that says so to all others.
 */
final class ServerMemory {

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** The epoch key lives at least this long after the last look at it. */
    private static final long SHORTEST_LIFE_MILLIS = 60_000;

    private final Ticker ticker;
    private final LongSupplier quarantineMillis;
    private final Supplier<String> nonces;

    private @Nullable String runId;
    private volatile Since since;
    private String known = "";
    private long knownUntilNanos;

    ServerMemory(Ticker ticker, LongSupplier quarantineMillis, Supplier<String> nonces) {
        this.ticker = ticker;
        this.quarantineMillis = quarantineMillis;
        this.nonces = nonces;
        this.since = new Since(ticker.nanos(), false);
    }

    /**
     * What decides whether votes count; read with every request, so without a lock.
     *
     * @param nanos since when the server has had its memory
     * @param clean whether an operator has said that nothing was lost then
     */
    private record Since(long nanos, boolean clean) {}

    /** What to write at the epoch key, and only if it has another value still. */
    record Write(String value, String insteadOf) {}

    /** Whether quarantine is in use at all. */
    boolean isWatched() {
        return quarantineMillis.getAsLong() > 0;
    }

    /** How long the server's votes do not count; 0 if they do. */
    long remainingMillis() {
        long quarantine = quarantineMillis.getAsLong();
        Since kept = since;
        if (quarantine <= 0 || kept.clean) {
            return 0;
        }
        long age = (ticker.nanos() - kept.nanos) / NANOS_PER_MILLI;
        return Math.max(quarantine - Math.max(age, 0), 0);
    }

    /** How long after its start the server's votes did not count. */
    long keptQuarantineMillis() {
        return since.clean ? 0 : Math.max(quarantineMillis.getAsLong(), 0);
    }

    /** How long the epoch key should live from the next look on. */
    long epochLifeMillis() {
        return Math.max(SHORTEST_LIFE_MILLIS, 4 * Math.min(quarantineMillis.getAsLong(), Long.MAX_VALUE / 8));
    }

    /**
     * A new connection: the server has run for so long, unless its clock was set forward.
     *
     * @param serverRunId null if it does not tell: then every connection may be to one that has just restarted, and nothing that is
     *     written there can be held to be about this run
     * @param ageMillis how long this run has lasted at least; 0 or more
     */
    synchronized void connected(@Nullable String serverRunId, long ageMillis) {
        long startNanos = ticker.nanos() - (serverRunId == null ? 0 : ageMillis * NANOS_PER_MILLI);
        if (serverRunId == null || !serverRunId.equals(runId)) {
            runId = serverRunId;
            known = "";
            since = new Since(startNanos, false);
        }
    }

    /**
     * What stands at the epoch key.
     *
     * @param found its value, empty if there is none
     * @param serverMillis the server's clock
     * @param sentNanos before the look was sent
     * @return what to write there, if anything
     */
    synchronized Optional<Write> seen(String found, long serverMillis, long sentNanos) {
        if (runId == null) {
            return Optional.empty();
        }
        Epoch epoch =
                Epoch.parse(found).filter(ours -> ours.runId().equals(runId)).orElse(null);
        if (epoch != null) {
            adopt(found, epoch, serverMillis);
            knownUntilNanos = sentNanos + epochLifeMillis() * NANOS_PER_MILLI;
            return Optional.empty();
        }
        if (!known.isEmpty() && ticker.nanos() - knownUntilNanos < 0) {
            return lost(found, serverMillis);
        }
        known = "";
        return remainingMillis() > 0 ? Optional.empty() : write(found, serverMillis, since.nanos);
    }

    private void adopt(String found, Epoch epoch, long serverMillis) {
        if (found.equals(known)) {
            return;
        }
        known = found;
        long nanos = since.nanos;
        boolean clean = epoch.isDeclaredClean();
        if (!clean) {
            long age = Math.max(serverMillis - epoch.sinceMillis(), 0);
            long epochNanos = ticker.nanos() - Math.min(age, Long.MAX_VALUE / NANOS_PER_MILLI / 2) * NANOS_PER_MILLI;
            nanos = epochNanos - nanos > 0 ? epochNanos : nanos;
        }
        since = new Since(nanos, clean);
    }

    /** The memory is gone, or votes ended before their time: the node stays out from now on. */
    synchronized Optional<Write> lost(String found, long serverMillis) {
        since = new Since(ticker.nanos(), false);
        return write(found, serverMillis, since.nanos);
    }

    private Optional<Write> write(String found, long serverMillis, long sinceNanos) {
        long age = Math.max((ticker.nanos() - sinceNanos) / NANOS_PER_MILLI, 0);
        known = "";
        return Optional.ofNullable(runId)
                .map(run -> new Epoch(run, nonces.get(), Math.max(serverMillis - age, 0)))
                .map(epoch -> new Write(epoch.toString(), found));
    }
}
