package dev.holdfast.cluster;

/**
 * The part that a server takes in its cluster, as the server itself sees it.
 *
 * @param detail for people, without a full stop: what the server waits for, or why its part is missing; empty if it takes part
 */
public record OwnPart(State state, String detail) {

    /** The states of a part. */
    public enum State {
        /** The server leads or follows closely in every group, and reaches the leaders. */
        TAKEN,
        /** The server has never been a member, and waits to be added. */
        JOINING,
        /** The server is missing in at least one group, so the cluster tolerates one failure less. */
        MISSING,
    }

    static final OwnPart WHOLE = new OwnPart(State.TAKEN, "");

    static OwnPart missing(String detail) {
        return new OwnPart(State.MISSING, detail);
    }
}
