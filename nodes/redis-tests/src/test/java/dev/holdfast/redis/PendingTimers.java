package dev.holdfast.redis;

import dev.holdfast.time.Scheduler;
import dev.holdfast.time.Timer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the timers that still have to fire or are at work; a timer that sets the next one leaves no gap between the two. */
final class PendingTimers implements Scheduler {

    private final Scheduler scheduler;
    private final Set<Object> pending = ConcurrentHashMap.newKeySet();

    PendingTimers(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    int pending() {
        return pending.size();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        Object one = new Object();
        pending.add(one);
        Timer timer = scheduler.schedule(delayNanos, () -> {
            try {
                task.run();
            } finally {
                pending.remove(one);
            }
        });
        return () -> {
            timer.cancel();
            pending.remove(one);
        };
    }

    @Override
    public void execute(Runnable task) {
        Object one = new Object();
        pending.add(one);
        scheduler.execute(() -> {
            try {
                task.run();
            } finally {
                pending.remove(one);
            }
        });
    }

    @Override
    public void start(String name, Runnable task) {
        scheduler.start(name, task);
    }

    @Override
    public void close() {
        scheduler.close();
    }
}
