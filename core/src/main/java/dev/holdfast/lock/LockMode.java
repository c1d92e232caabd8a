package dev.holdfast.lock;

/**
 * How a lease shares its resource with others: the six modes of the OpenVMS distributed lock manager (PROTOCOL §2).
 *
 * <p>Two leases may exist together if and only if their modes are compatible. Most users need {@link #EX}, and {@link #PR} for
 * readers.
 */
public enum LockMode {
    /** Null: compatible with everything, bears no fencing token. Tells others of an interest, and nothing more. */
    NL,
    /** Concurrent read: reads while others write unprotected; compatible with all but EX. */
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

    /** Whether a lease in this mode may exist together with one in the other. Symmetric. */
    public boolean isCompatibleWith(LockMode other) {
        return MATRIX[ordinal()][other.ordinal()];
    }

    public boolean conflictsWith(LockMode other) {
        return !isCompatibleWith(other);
    }

    /** Whether leases in this mode bear a fencing token: all but NL. */
    public boolean bearsToken() {
        return this != NL;
    }

    /** Whether leases in this mode may write the lock's value: EX and PW, of which there is never more than one. */
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
