package dev.holdfast.node;

/** The answer of a node to a {@link ReleaseRequest}. */
public sealed interface ReleaseAnswer permits ReleaseAnswer.Released, ReleaseAnswer.Absent, Unavailable {

    /** The answer that the node dropped the owner's vote. */
    record Released() implements ReleaseAnswer {}

    /**
     * The answer that the owner had no vote at the node: never granted, expired, or released before. The node has still removed the owner from the
     * queue.
     */
    record Absent() implements ReleaseAnswer {}
}
