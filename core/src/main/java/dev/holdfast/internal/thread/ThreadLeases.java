package dev.holdfast.internal.thread;

import dev.holdfast.lock.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The leases that each thread is known to hold, because it works in a scope under them or has locked a view. A lease that a program merely keeps is not among
 * them, since any of its threads may use that lease.
 */
public final class ThreadLeases {

    private static final ThreadLocal<@Nullable List<Lease>> LEASES = new ThreadLocal<>();

    private ThreadLeases() {}

    /** Records that this thread holds the lease from now on. */
    public static void add(Lease lease) {
        List<Lease> leases = LEASES.get();
        if (leases == null) {
            leases = new ArrayList<>(2);
            LEASES.set(leases);
        }
        leases.add(lease);
    }

    /** Records that this thread no longer holds the lease. */
    public static void remove(Lease lease) {
        List<Lease> leases = LEASES.get();
        if (leases != null) {
            leases.remove(lease);
            if (leases.isEmpty()) {
                LEASES.remove();
            }
        }
    }

    /** Does the work while this thread counts as the holder of these leases. */
    public static <T extends @Nullable Object, E extends Exception> T during(List<Lease> leases, Scope.Work<T, E> work)
            throws E {
        leases.forEach(ThreadLeases::add);
        try {
            return work.run();
        } finally {
            leases.forEach(ThreadLeases::remove);
        }
    }

    /** Returns whether this thread holds a lease that matches. */
    public static boolean anyMatch(Predicate<Lease> kind) {
        List<Lease> leases = LEASES.get();
        return leases != null && leases.stream().anyMatch(kind);
    }
}
