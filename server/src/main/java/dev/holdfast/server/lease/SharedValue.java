package dev.holdfast.server.lease;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value that all servers in front of the same nodes share: the value of a lock that no client can use. Reading takes no lock; a change is made under the lock.
 * Thread-safe.
 */
final class SharedValue implements AutoCloseable {

    private static final System.Logger LOG = ServerLogger.get();

    private final Holdfast holdfast;
    private final Timing timing;
    private final String lock;
    private final Consumer<Optional<LockStatus>> reader;
    private @Nullable Timer timer;
    private boolean closed;

    /**
     * Creates an instance that has read nothing yet.
     *
     * @param lock one of {@link ServersLocks}
     * @param reader receives the lock's status after each reading, or nothing if no majority of nodes has answered; it must call {@link #readAfter} at once or later
     */
    SharedValue(Holdfast holdfast, Timing timing, String lock, Consumer<Optional<LockStatus>> reader) {
        this.holdfast = holdfast;
        this.timing = timing;
        this.lock = lock;
        this.reader = reader;
    }

    /** Reads the value now, for the reader. */
    void read() {
        readOnce().thenAccept(reader);
    }

    /** Reads the value now, without the reader. Completes with the lock's status, or with nothing if no majority of nodes has answered. */
    CompletionStage<Optional<LockStatus>> readOnce() {
        try {
            return holdfast.admin()
                    .statusAsync(lock)
                    .handle((status, failure) -> Optional.ofNullable(status).filter(LockStatus::hasQuorum));
        } catch (HoldfastException e) {
            LOG.log(Level.DEBUG, "The value of ''{0}'' can't be read any more: {1}", lock, e); // the client is closed
            return CompletableFuture.completedStage(Optional.empty());
        }
    }

    /** Reads the value after this time. */
    synchronized void readAfter(long nanos) {
        if (!closed) {
            timer = timing.scheduler().schedule(nanos, this::read);
        }
    }

    /** Changes the value as {@link #change(Holdfast, String, Duration, Function)} does. */
    CompletionStage<Optional<String>> change(Duration wait, Function<String, Optional<String>> change) {
        return change(holdfast, lock, wait, change);
    }

    /**
     * Changes the value of a lock of the servers.
     *
     * @param wait how long to wait for the lock
     * @param change returns the new value for the present one, which is empty if there is none; empty to write nothing
     * @return completes with the new value once a majority of nodes keeps it; with nothing if nothing was written, or if that failed
     */
    static CompletionStage<Optional<String>> change(
            Holdfast holdfast, String lock, Duration wait, Function<String, Optional<String>> change) {
        CompletableFuture<Optional<String>> done = new CompletableFuture<>();
        try {
            holdfast.lock(lock)
                    .autoExtend(false)
                    .localHandOver(false)
                    .tryAcquireAsync(wait)
                    .whenComplete((acquisition, failure) -> {
                        if (acquisition != null && acquisition.isHeld()) {
                            change(acquisition.lease(), change, done);
                        } else {
                            done.complete(Optional.empty());
                        }
                    });
        } catch (HoldfastException e) { // the client is closed
            done.complete(Optional.empty());
        }
        return done;
    }

    private static void change(
            Lease lease, Function<String, Optional<String>> change, CompletableFuture<Optional<String>> done) {
        try {
            Optional<String> wanted = change.apply(lease.value().orElse(""));
            if (wanted.isEmpty()) {
                lease.releaseAsync();
                done.complete(wanted);
                return;
            }
            lease.writeValueAsync(wanted.get()).whenComplete((outcome, failure) -> {
                lease.releaseAsync();
                done.complete(outcome == WriteOutcome.WRITTEN ? wanted : Optional.empty());
            });
        } catch (RuntimeException | Error e) { // the caller waits for an outcome, even for an error
            lease.releaseAsync();
            done.completeExceptionally(e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (timer != null) {
            timer.cancel();
        }
    }
}
