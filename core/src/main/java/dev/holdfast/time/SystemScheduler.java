package dev.holdfast.time;

import java.lang.System.Logger.Level;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** One timer thread, made with the first timer, and workers that come and go with the work. */
final class SystemScheduler implements Scheduler {

    private static final System.Logger LOG = System.getLogger(SystemScheduler.class.getName());

    private final TimerThread timers;
    private final Workers workers;

    SystemScheduler(String threadName) {
        timers = new TimerThread(daemons(threadName + "-timer"));
        workers = new Workers(timers, daemons(threadName + "-worker"));
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        return timers.schedule(delayNanos, task);
    }

    @Override
    public void execute(Runnable task) {
        workers.execute(task);
    }

    /** Workers are not shut down, so that whoever waits for a last callback gets it; they end as soon as they are idle. */
    @Override
    public void close() {
        timers.close();
        workers.close();
    }

    /** Runs a task that may throw. */
    static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "A task failed", e);
        }
    }

    private static ThreadFactory daemons(String name) {
        AtomicInteger made = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + made.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
