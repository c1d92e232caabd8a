package dev.holdfast.internal.lease;

import dev.holdfast.lock.Waiting;
import dev.holdfast.time.Scheduler;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A reporter that passes the state of one waiter to a user's observer, on a worker thread. It gives one report after the other, and only the latest one if the
 * observer is slow. It gives no report once the wait has ended. Thread-safe.
 */
final class WaitObserver {

    private final Consumer<Waiting> observer;
    private final Callbacks callbacks;
    private final AtomicReference<@Nullable Waiting> latest = new AtomicReference<>();
    private volatile boolean closed;

    WaitObserver(Consumer<Waiting> observer, Scheduler scheduler) {
        this.observer = observer;
        this.callbacks = new Callbacks(scheduler);
    }

    void report(Waiting state) {
        if (latest.getAndSet(state) == null) {
            callbacks.run(this::reportLatest);
        }
    }

    private void reportLatest() {
        Waiting state = latest.getAndSet(null);
        if (state != null && !closed) {
            observer.accept(state);
        }
    }

    /** Ends the reports, because the wait has ended. */
    void close() {
        closed = true;
    }
}
