package dev.holdfast.observe;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.Unavailable;

/** What came of a request to a node. */
public enum RequestOutcome {
    /** The node gave its vote, or let it last longer. */
    GRANTED,
    /** The request stands in the node's queue. */
    QUEUED,
    /** No vote: somebody else has it, or came first; or there is none to extend. */
    DENIED,
    /** No vote: the work was declared done. */
    SEALED,
    /** The node may have lost its memory, and does not vote yet (PROTOCOL §5). */
    QUARANTINED,
    /** The vote was given back. */
    RELEASED,
    /** There was nothing to give back. */
    ABSENT,
    /** The node can't be reached, must not be used, or failed. */
    UNAVAILABLE,
    /** No answer in time: neither yes nor no. */
    TIMEOUT;

    /** What this answer of a node is. */
    public static RequestOutcome of(Object answer) {
        if (answer instanceof AcquireAnswer.Granted) {
            return GRANTED;
        } else if (answer instanceof AcquireAnswer.Queued) {
            return QUEUED;
        } else if (answer instanceof AcquireAnswer.Denied) {
            return DENIED;
        } else if (answer instanceof AcquireAnswer.Sealed) {
            return SEALED;
        } else if (answer instanceof AcquireAnswer.Quarantined) {
            return QUARANTINED;
        } else if (answer instanceof ReleaseAnswer.Released) {
            return RELEASED;
        } else if (answer instanceof ReleaseAnswer.Absent) {
            return ABSENT;
        } else if (answer instanceof Unavailable) {
            return UNAVAILABLE;
        }
        throw new IllegalArgumentException("no answer of a node: " + answer);
    }
}
