package dev.holdfast.internal.lease;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.time.Scheduler;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;

/** Runs the callbacks of a lease or a waiter on worker threads, one after the other, in the order of their events. Thread-safe. */
final class Callbacks {

    private static final System.Logger LOG = System.getLogger(Callbacks.class.getName());

    private final Scheduler scheduler;
    private final SerialExecutor executor = new SerialExecutor();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    Callbacks(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    void run(Runnable callback) {
        executor.execute(() -> {
            waiting.add(callback);
            next();
        });
    }

    private void next() {
        Runnable callback = running ? null : waiting.poll();
        if (callback != null) {
            running = true;
            scheduler.execute(() -> call(callback));
        }
    }

    private void call(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "A callback of a lease or a waiter failed", e);
        } finally {
            executor.execute(() -> {
                running = false;
                next();
            });
        }
    }
}
