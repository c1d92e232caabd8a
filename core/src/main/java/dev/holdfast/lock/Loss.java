package dev.holdfast.lock;

/**
 * That a lease is lost, and why. Whoever held it must stop what it protects.
 *
 * @param lock the name of the lock
 * @param reason why
 * @param detail what is known beyond that, for people
 */
public record Loss(String lock, Reason reason, String detail) {

    /** Why a lease was lost. */
    public enum Reason {
        /** Its validity ended without an extension that a majority agreed to. */
        EXPIRED,
        /** A majority of nodes said that it has no vote there any more: broken by an operator, or lost with the nodes' memory. */
        TAKEN,
        /** The longest hold that was allowed is over. */
        MAX_HOLD,
    }

    @Override
    public String toString() {
        String why = switch (reason) {
            case EXPIRED -> "its time ran out";
            case TAKEN -> "a majority of nodes has no vote of it any more";
            case MAX_HOLD -> "the longest hold allowed is over";
        };
        return "lease of '" + lock + "' lost: " + why + (detail.isEmpty() ? "" : " [" + detail + "]");
    }
}
