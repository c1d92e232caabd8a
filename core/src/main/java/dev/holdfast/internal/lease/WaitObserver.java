package dev.holdfast.internal.lease;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.Waiting;
import dev.holdfast.time.Scheduler;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A reporter that passes the state of one waiter to a user's observer, on a worker thread. It gives one report after the other, and only the latest one if the
 * observer is slow. It gives no report once the wait has ended. Thread-safe.
 */
final class WaitObserver {

    private static final System.Logger LOG = System.getLogger(WaitObserver.class.getName());

    private final Consumer<Waiting> observer;
    private final Scheduler scheduler;
    private final SerialExecutor executor = new SerialExecutor();
    private @Nullable Waiting latest;
    private boolean busy;
    private volatile boolean closed;

    WaitObserver(Consumer<Waiting> observer, Scheduler scheduler) {
        this.observer = observer;
        this.scheduler = scheduler;
    }

    void report(Waiting state) {
        executor.execute(() -> {
            latest = state;
            next();
        });
    }

    /** Ends the reports, because the wait has ended. */
    void close() {
        closed = true;
    }

    private void next() {
        Waiting state = latest;
        if (!busy && state != null) {
            busy = true;
            latest = null;
            scheduler.execute(() -> call(state));
        }
    }

    private void call(Waiting state) {
        try {
            if (!closed) {
                observer.accept(state);
            }
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "An observer of a waiting attempt failed", e);
        } finally {
            executor.execute(() -> {
                busy = false;
                next();
            });
        }
    }
}
