package dev.holdfast.time;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Threads for tasks that may block: one as long as it makes progress, and more when tasks have to wait. Half of the idle threads end every few
 * seconds. So a hundred thousand short tasks at once do not start many threads, and a task that blocks delays the others only for a moment. This class
 * is thread-safe.
 */
final class Workers {

    /** The interval between checks of the queue. */
    private static final long LOOK_NANOS = 2_000_000;

    /** The longest time that a task waits behind one that keeps its thread before another thread starts. */
    private static final long PATIENCE_NANOS = 100_000_000;

    private static final long IDLE_SECONDS = 5;
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final TimerThread timers;
    private final ThreadPoolExecutor threads;
    private final Set<Thread> living = ConcurrentHashMap.newKeySet(); // and those that ended last
    private final AtomicBoolean looking = new AtomicBoolean();
    private boolean shrinking; // a timer of shrink is set
    private @Nullable Runnable firstBefore;
    private long firstSinceNanos; // when a check first found firstBefore at the head of the queue
    private boolean closed;

    @SuppressWarnings("ErroneousThreadPoolConstructorChecker") // the core grows, up to that size
    Workers(TimerThread timers, ThreadFactory factory) {
        this.timers = timers;
        this.threads = new ThreadPoolExecutor(
                1, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    living.removeIf(one -> one.getState() == Thread.State.TERMINATED);
                    Thread thread = factory.newThread(task);
                    living.add(thread);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** A task, and the time since which it has waited. */
    private record Job(Runnable task, long sinceNanos) implements Runnable {

        @Override
        public void run() {
            SystemScheduler.run(task);
        }

        boolean hasWaited(long now) {
            return now - sinceNanos >= PATIENCE_NANOS;
        }
    }

    void execute(Runnable task) {
        threads.execute(new Job(task, System.nanoTime()));
        lookIfAnyWait();
    }

    private void lookIfAnyWait() {
        if (!threads.getQueue().isEmpty() && looking.compareAndSet(false, true)) {
            timers.schedule(LOOK_NANOS, this::look);
        }
    }

    /**
     * Checks the queue. It adds threads if the queue does not move. If the queue is empty, it returns to one thread, and the others end once they are
     * idle.
     */
    private synchronized void look() {
        Runnable first = threads.getQueue().peek();
        if (closed) {
            return;
        }
        if (first == null) {
            if (threads.getCorePoolSize() != 1) { // each call would wake all idle threads, and keep them from ending
                threads.setCorePoolSize(1);
            }
            looking.set(false);
            lookIfAnyWait();
        } else {
            long now = System.nanoTime();
            if (first != firstBefore) {
                firstSinceNanos = now;
            }
            int wanted = wanted(first, now);
            if (wanted > threads.getPoolSize()) {
                threads.setMaximumPoolSize(Integer.MAX_VALUE);
                threads.setCorePoolSize(wanted);
                shrinkLater();
            }
            timers.schedule(LOOK_NANOS, this::look);
        }
        firstBefore = first;
    }

    private void shrinkLater() {
        if (!shrinking) {
            shrinking = true;
            timers.schedule(TimeUnit.SECONDS.toNanos(IDLE_SECONDS), this::shrink);
        }
    }

    /**
     * Ends half of the idle threads, as long as the queue is empty. Without this they would stay for as long as each of them gets a task now and then:
     * the idle threads take turns.
     */
    private synchronized void shrink() {
        shrinking = false;
        int size = threads.getPoolSize();
        if (closed || size <= 1) {
            return;
        }
        if (threads.getCorePoolSize() == 1) {
            int busy = threads.getActiveCount();
            threads.setMaximumPoolSize(Math.max(busy + (size - busy) / 2, 1));
        }
        shrinkLater();
    }

    /**
     * Returns the number of threads that there should be. More threads help if all threads wait, if some threads wait and tasks stay in the queue for
     * a long time, or if one task keeps its thread for a long time. More threads do not help if the queue moves as fast as this machine can. So this
     * method returns at most the number of waiting threads plus one for each processor: on a busy machine, threads that are only slow seem to wait.
     */
    private int wanted(Runnable first, long now) {
        int size = Math.max(threads.getPoolSize(), 1);
        if (threads.getActiveCount() < threads.getPoolSize()) {
            return size; // a thread has been woken, and takes the task as soon as the machine runs it
        }
        int running = (int) living.stream()
                .filter(thread -> thread.getState() == Thread.State.RUNNABLE)
                .count();
        if (first == firstBefore) {
            boolean stands = running == 0 || now - firstSinceNanos >= PATIENCE_NANOS;
            return stands ? size + (running == 0 ? PROCESSORS : 1) : size;
        }
        boolean slow = first instanceof Job job && job.hasWaited(now);
        return slow ? Math.max(size, size - running + PROCESSORS) : size;
    }

    /** Lets threads end as soon as they are idle. Tasks still run, including new ones, each on a separate thread if necessary. */
    synchronized void close() {
        closed = true;
        threads.setMaximumPoolSize(Integer.MAX_VALUE);
        threads.setCorePoolSize(Integer.MAX_VALUE);
        threads.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
    }
}
