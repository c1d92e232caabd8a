package dev.holdfast.node;

/** What a node says to a {@link ReleaseRequest}. */
public sealed interface ReleaseAnswer permits ReleaseAnswer.Released, ReleaseAnswer.Absent, Unavailable {

    /** The owner's vote was dropped. */
    record Released() implements ReleaseAnswer {}

    /** The owner had no vote here: never granted, expired, or released before. A place in the queue is gone all the same. */
    record Absent() implements ReleaseAnswer {}
}
