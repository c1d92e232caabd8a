package dev.holdfast.time;

import java.lang.System.Logger.Level;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** A scheduler with one timer thread, which starts with the first timer, and with workers that start and end with the work. */
final class SystemScheduler implements Scheduler {

    private final TimerThread timers;
    private final Workers workers;
    private final String threadName;

    SystemScheduler(String threadName) {
        this.threadName = threadName;
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

    @Override
    public void start(String name, Runnable task) {
        daemon(() -> run(task), threadName + "-" + name).start();
    }

    /** Drops all timers. The workers go on until they are idle, so that each caller that waits for a last callback gets it. */
    @Override
    public void close() {
        timers.close();
        workers.close();
    }

    /** Runs a task, and logs the exception if it throws one. Only then does it make a logger: the first one of a process takes 30 ms. */
    static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            System.getLogger(SystemScheduler.class.getName()).log(Level.ERROR, "A task failed", e);
        }
    }

    private static ThreadFactory daemons(String name) {
        AtomicInteger made = new AtomicInteger();
        return task -> daemon(task, name + "-" + made.incrementAndGet());
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
