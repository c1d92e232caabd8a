package dev.holdfast.server.lease;

/** The locks whose values the servers share. No client can use or see them, even with a token for all names. */
public final class ServersLocks {

    /** The lock whose value contains the latest breaks. */
    public static final String BREAKS = "~holdfast~breaks";

    /** The lock whose value contains the keys of the ids of leases. */
    public static final String KEYS = "~holdfast~keys";

    private static final String PREFIX = "~holdfast~";

    private ServersLocks() {}

    /** Returns whether this is the name of such a lock. */
    public static boolean contain(String lock) {
        return lock.startsWith(PREFIX);
    }

    /** Rejects the name of such a lock. */
    public static void reject(String lock) {
        if (contain(lock)) {
            throw new IllegalArgumentException(
                    "the lock '" + lock + "' is the servers' own, as are all that begin with " + PREFIX);
        }
    }
}
