package dev.holdfast.time;

import java.lang.System.Logger.Level;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One timer thread, made with the first timer, and workers that come and go with the work. */
final class SystemScheduler implements Scheduler {

    private static final System.Logger LOG = System.getLogger(SystemScheduler.class.getName());
    private static final long WORKER_IDLE_SECONDS = 5;

    private final TimerThread timers;
    private final ThreadPoolExecutor workers;

    SystemScheduler(String threadName) {
        timers = new TimerThread(daemons(threadName + "-timer"));
        workers = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                WORKER_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                daemons(threadName + "-worker"));
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        return timers.schedule(delayNanos, task);
    }

    @Override
    public void execute(Runnable task) {
        workers.execute(logged(task));
    }

    /** Workers are not shut down, so that whoever waits for a last callback gets it; they end as soon as they are idle. */
    @Override
    public void close() {
        timers.close();
        workers.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
    }

    private static Runnable logged(Runnable task) {
        return () -> run(task);
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
