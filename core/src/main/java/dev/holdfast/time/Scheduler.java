package dev.holdfast.time;

/**
 * A scheduler of timers and worker threads. It is thread-safe.
 *
 * <p>Timers run Holdfast's own short steps and never user code. Tasks that may block or belong to the user run through {@link #execute}.
 */
public interface Scheduler extends AutoCloseable {

    /**
     * Runs a short task that does not block, no earlier than {@code delayNanos} from now by the monotonic clock. A delay of zero or less means as
     * soon as possible. After {@link #close}, the scheduler drops the task.
     */
    Timer schedule(long delayNanos, Runnable task);

    /** Runs a task that may block, such as a user's callback, on a worker thread. It does so even after {@link #close}. */
    void execute(Runnable task);

    /**
     * Runs a task on a separate daemon thread, which ends with the task. Use this method for tasks that may last as long as the program. It works
     * even after {@link #close}.
     *
     * @param name the end of the thread's name
     */
    void start(String name, Runnable task);

    /** Drops all timers, and lets the workers end as soon as they are idle. A second call has no effect. */
    @Override
    void close();
}
