package dev.holdfast.time;

/**
 * Timers and worker threads. Thread-safe.
 *
 * <p>Timers run Holdfast's own short steps and never user code; what may block or belongs to the user runs through
 * {@link #execute}.
 */
public interface Scheduler extends AutoCloseable {

    /**
     * Runs a short task that does not block, no earlier than {@code delayNanos} from now by the monotonic clock; zero or less
     * means as soon as possible. After {@link #close} it is dropped.
     */
    Timer schedule(long delayNanos, Runnable task);

    /** Runs a task that may block, such as a user's callback, on a worker thread; also after {@link #close}. */
    void execute(Runnable task);

    /**
     * Runs a task on a daemon thread of its own, which ends with it: for what may last as long as the program. Also after {@link #close}.
     *
     * @param name what the thread's name ends with
     */
    void start(String name, Runnable task);

    /** Drops all timers, and lets the workers end as soon as they have nothing to do. Harmless more than once. */
    @Override
    void close();
}
