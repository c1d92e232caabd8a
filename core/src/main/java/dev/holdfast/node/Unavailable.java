package dev.holdfast.node;

/**
 * The answer in place of a node that gave no answer that counts: it is unreachable, failing, or too slow. It is never a refusal.
 *
 * @param reason the cause, for people, without secrets
 * @param maybeExecuted whether the node may have carried out the request, or may still do so; false only if it certainly has not and will not
 */
public record Unavailable(String reason, boolean maybeExecuted)
        implements AcquireAnswer, ReleaseAnswer, InspectAnswer, ListAnswer {}
