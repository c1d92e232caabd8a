package dev.holdfast.internal.node;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.RequestOutcome;
import java.util.Map;
import java.util.Objects;

/** Translates the nodes' answers into outcomes for observers. */
final class RequestOutcomes {

    private static final Map<Class<?>, RequestOutcome> OUTCOMES = Map.of(
            AcquireAnswer.Granted.class, RequestOutcome.GRANTED,
            AcquireAnswer.Queued.class, RequestOutcome.QUEUED,
            AcquireAnswer.Denied.class, RequestOutcome.DENIED,
            AcquireAnswer.Sealed.class, RequestOutcome.SEALED,
            AcquireAnswer.Quarantined.class, RequestOutcome.QUARANTINED,
            ReleaseAnswer.Released.class, RequestOutcome.RELEASED,
            ReleaseAnswer.Absent.class, RequestOutcome.ABSENT,
            Unavailable.class, RequestOutcome.UNAVAILABLE);

    private RequestOutcomes() {}

    /** Returns the outcome that this answer of a node stands for. */
    static RequestOutcome of(Object answer) {
        return Objects.requireNonNull(OUTCOMES.get(answer.getClass()), () -> "no answer of a node: " + answer);
    }
}
