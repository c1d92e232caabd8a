package dev.holdfast.internal.thread;

import dev.holdfast.lock.Lease;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The lease under which a thread works now, for code that needs its token; see {@link dev.holdfast.Holdfast#currentLease}. */
public final class CurrentLease {

    private static final ThreadLocal<@Nullable Lease> CURRENT = new ThreadLocal<>();

    private CurrentLease() {}

    /** Returns the lease of the innermost work of this thread. */
    public static Optional<Lease> get() {
        return Optional.ofNullable(CURRENT.get());
    }

    /**
     * Makes the lease this thread's current one, until the thread {@linkplain #leave leaves} it.
     *
     * @return the lease that was current before
     */
    public static @Nullable Lease enter(Lease lease) {
        Lease before = CURRENT.get();
        CURRENT.set(lease);
        ThreadLeases.add(lease);
        return before;
    }

    /** Makes {@code before} the thread's current lease again, as {@link #enter} has returned it. */
    public static void leave(Lease lease, @Nullable Lease before) {
        ThreadLeases.remove(lease);
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }

    /** Does the work with this lease as the thread's current one. When the work ends, the previous lease is current again. */
    public static <T extends @Nullable Object, E extends Exception> T during(Lease lease, Scope.Work<T, E> work)
            throws E {
        Lease before = enter(lease);
        try {
            return work.run();
        } finally {
            leave(lease, before);
        }
    }
}
