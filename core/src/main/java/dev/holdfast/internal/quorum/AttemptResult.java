package dev.holdfast.internal.quorum;

import dev.holdfast.lock.Refusal;

/** How an attempt ended. */
public sealed interface AttemptResult {

    /** A majority bears one fence. The attempt goes on being told of pushes until the lease registers itself in its place. */
    record Won(Grant grant) implements AttemptResult {}

    /** No lease; whatever the attempt had been granted is being given back. */
    record Refused(Refusal refusal) implements AttemptResult {}
}
