package dev.holdfast.internal.node;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.RequestOutcome;

/** Translates the nodes' answers into outcomes for observers. */
final class RequestOutcomes {

    private RequestOutcomes() {}

    /** Returns the outcome that this answer of a node stands for. */
    static RequestOutcome of(Object answer) {
        if (answer instanceof AcquireAnswer.Granted) {
            return RequestOutcome.GRANTED;
        } else if (answer instanceof AcquireAnswer.Queued) {
            return RequestOutcome.QUEUED;
        } else if (answer instanceof AcquireAnswer.Denied) {
            return RequestOutcome.DENIED;
        } else if (answer instanceof AcquireAnswer.Sealed) {
            return RequestOutcome.SEALED;
        } else if (answer instanceof AcquireAnswer.Quarantined) {
            return RequestOutcome.QUARANTINED;
        } else if (answer instanceof ReleaseAnswer.Released) {
            return RequestOutcome.RELEASED;
        } else if (answer instanceof ReleaseAnswer.Absent) {
            return RequestOutcome.ABSENT;
        } else if (answer instanceof Unavailable) {
            return RequestOutcome.UNAVAILABLE;
        }
        throw new IllegalArgumentException("no answer of a node: " + answer);
    }
}
