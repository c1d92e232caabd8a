package dev.holdfast.lock;

/**
 * The mode of a lease: the six modes of the OpenVMS distributed lock manager (PROTOCOL §2). Two leases can be held at the same time if and only if
 * their modes are compatible. Most users need {@link #EX}, and {@link #PR} for readers.
 */
public enum LockMode {
    /** Null: compatible with all modes, and without a fencing token. It only shows other clients that this one is interested. */
    NL,
    /** Concurrent read: reads while other holders write unprotected; compatible with all but EX. */
    CR,
    /** Concurrent write: writes beside other writers; compatible with NL, CR and CW. */
    CW,
    /** Protected read, the usual shared lock: many readers and no writer; compatible with NL, CR and PR. */
    PR,
    /** Protected write: one writer beside unprotected readers; compatible with NL and CR. */
    PW,
    /** Exclusive: compatible with NL only. */
    EX;

    private static final String[] COMPATIBLE = {
        "NL CR CW PR PW EX", "NL CR CW PR PW", "NL CR CW", "NL CR PR", "NL CR", "NL",
    };

    private static final boolean[][] MATRIX = matrix();

    /** Returns whether clients can hold leases in this mode and in the other at the same time. The relation is symmetric. */
    public boolean isCompatibleWith(LockMode other) {
        return MATRIX[ordinal()][other.ordinal()];
    }

    /** Returns whether leases in this mode and in the other exclude each other. The relation is symmetric. */
    public boolean conflictsWith(LockMode other) {
        return !isCompatibleWith(other);
    }

    /** Returns whether leases in this mode have a fencing token: every mode but NL. */
    public boolean bearsToken() {
        return this != NL;
    }

    /** Returns whether leases in this mode may write the lock's value: true for EX and PW, which conflict with themselves and each other. */
    public boolean mayWrite() {
        return this == EX || this == PW;
    }

    private static boolean[][] matrix() {
        boolean[][] matrix = new boolean[COMPATIBLE.length][COMPATIBLE.length];
        for (LockMode mode : values()) {
            for (String other : COMPATIBLE[mode.ordinal()].split(" ")) {
                matrix[mode.ordinal()][valueOf(other).ordinal()] = true;
            }
        }
        return matrix;
    }
}
