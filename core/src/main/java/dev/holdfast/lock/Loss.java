package dev.holdfast.lock;

/**
 * The loss of a lease. The former holder must stop the work that the lock protects.
 *
 * @param lock the name of the lock
 * @param reason why the lease was lost
 * @param detail further information for people; may be empty
 */
public record Loss(String lock, Reason reason, String detail) {

    /** The reason why a lease was lost. */
    public enum Reason {
        /** The validity of the lease ended before a majority of nodes confirmed an extension. */
        EXPIRED,
        /** The lease was released, but not by its holder: an operator broke it, or another client that {@linkplain Lease#share shares} it released it. */
        RELEASED,
        /** A majority of nodes no longer holds a vote for the lease: the nodes lost their state, or an operator removed the votes. */
        TAKEN,
        /** The {@link LockOptions#maxHold} of the lease has passed. */
        MAX_HOLD,
    }

    @Override
    public String toString() {
        String why = switch (reason) {
            case EXPIRED -> "it expired";
            case RELEASED -> "an operator broke it, or another client released it";
            case TAKEN -> "a majority of nodes no longer holds a vote for it";
            case MAX_HOLD -> "its maxHold has passed";
        };
        return "lease of '" + lock + "' lost: " + why + (detail.isEmpty() ? "" : " [" + detail + "]");
    }
}
