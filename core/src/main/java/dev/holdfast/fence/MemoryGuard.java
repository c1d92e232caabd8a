package dev.holdfast.fence;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A guard for resources in this process, such as a file that only this process writes, a device, or a connection to a server without support for
 * tokens. The guard protects against holders in this process only, and its state ends with the process. It is thread-safe.
 *
 * <p>The guard keeps a number for each resource until {@link #forget}.
 */
public final class MemoryGuard {

    private final Map<String, Seen> all = new ConcurrentHashMap<>();

    private static final class Seen {
        final ReentrantLock busy = new ReentrantLock();
        volatile long newest;
    }

    /** Work on a guarded resource. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object, E extends Exception> {

        /** Does the work. */
        T call() throws E;
    }

    /**
     * Accepts the token unless the resource has seen a larger one, and stores it. Another caller may present a larger token right after this call
     * returns. If that matters, use {@link #call}.
     *
     * @param resource 1 to 1,024 bytes of UTF-8, such as the name of the lock
     * @param token the fencing token, 1 to 2<sup>53</sup> - 1; the guard accepts the latest token again
     * @throws StaleTokenException if the resource has seen a larger token
     * @throws IllegalArgumentException if the resource or the token is outside its range
     */
    public void check(String resource, long token) {
        call(resource, token, () -> Boolean.TRUE);
    }

    /**
     * Accepts the token as {@link #check} does, and runs the work before any other check of that resource, so the guard accepts no larger token in
     * between. The same thread may nest calls.
     *
     * @throws StaleTokenException if the resource has seen a larger token; the guard then does not run the work
     * @throws E the exception of the work; the token stays stored
     */
    public <T extends @Nullable Object, E extends Exception> T call(String resource, long token, Work<T, E> work)
            throws E {
        Checks.resource(resource);
        Checks.token(token);
        Seen seen = all.computeIfAbsent(resource, name -> new Seen());
        seen.busy.lock();
        try {
            if (seen.newest > token) {
                throw new StaleTokenException(resource, token, seen.newest);
            }
            seen.newest = token;
            return work.call();
        } finally {
            seen.busy.unlock();
        }
    }

    /** Returns the largest token that the resource has seen; 0 if it has seen none. */
    public long newest(String resource) {
        Seen seen = all.get(resource);
        return seen == null ? 0 : seen.newest;
    }

    /** Forgets a resource that no holder uses any more. If a holder does still use it, the guard accepts older tokens again. */
    public void forget(String resource) {
        all.remove(resource);
    }
}
