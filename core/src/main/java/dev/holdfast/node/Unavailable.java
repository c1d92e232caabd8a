package dev.holdfast.node;

/**
 * The node gave no answer that counts: it is unreachable, unwell, or too slow. Never a "no".
 *
 * @param reason what happened, in words for people, without secrets
 * @param maybeExecuted whether the request may have been carried out, or still may be; false only if it certainly was not and
 *     will not be
 */
public record Unavailable(String reason, boolean maybeExecuted)
        implements AcquireAnswer, ReleaseAnswer, InspectAnswer, ListAnswer {}
