package dev.holdfast.fence;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Guards resources that live in this process: a file that only it writes, a device, a connection to something that knows no tokens. It
 * protects from holders in this process only, and what it knows ends with the process. Thread-safe.
 *
 * <p>It remembers a number for each resource until that is {@linkplain #forget forgotten}.
 */
public final class MemoryGuard {

    private final Map<String, Seen> all = new ConcurrentHashMap<>();

    private static final class Seen {
        final ReentrantLock busy = new ReentrantLock();
        volatile long newest;
    }

    /** What is done at a guarded resource. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object, E extends Exception> {

        T call() throws E;
    }

    /**
     * Lets the token pass if no larger one has, and remembers it. A larger one may come right after this returns; where that matters, use
     * {@link #call}.
     *
     * @param token 1 to 2^53 - 1; the one that was here last passes again
     * @throws StaleTokenException if a larger token was here before
     */
    public void check(String resource, long token) {
        call(resource, token, () -> Boolean.TRUE);
    }

    /**
     * As {@link #check}, and does the work before anybody else's check of that resource: a larger token can't come in between. The same
     * thread may nest it.
     *
     * @throws StaleTokenException if a larger token was here before; the work is not done
     * @throws E what the work throws; the token counts as seen
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

    /** The largest token that has passed; 0 if none has. */
    public long newest(String resource) {
        Seen seen = all.get(resource);
        return seen == null ? 0 : seen.newest;
    }

    /** Frees the memory of a resource that is gone for good; if it is not, older tokens pass again. */
    public void forget(String resource) {
        all.remove(resource);
    }
}
