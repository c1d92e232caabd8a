package dev.holdfast.internal.quorum;

import dev.holdfast.lock.Refusal;

/** The result of an attempt. */
public sealed interface AttemptResult {

    /** A majority bears one fence. The attempt receives pushes until the lease registers itself in its place. */
    record Won(Grant grant) implements AttemptResult {}

    /** The attempt has no lease, and is releasing every vote that it was granted. */
    record Refused(Refusal refusal) implements AttemptResult {}
}
