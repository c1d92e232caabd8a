package dev.holdfast.lock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work that a client has declared done, so that no client can acquire its lock.
 *
 * @param by the owner id of the lease under which the work was done; if another program wrote the seal, the text that it stored
 * @param client the client that did the work, {@code name@host~random}; the same as {@code by} if another program wrote the seal
 * @param displayBy the name for people: the label of the lease, or the client without its random part
 * @param ago the time since the client declared the work done, by the clock of the node that reported it
 * @param remaining how long the lock stays sealed; null for a seal without an end, which Holdfast never writes
 */
public record SealedWork(
        String by,
        String client,
        String displayBy,
        Duration ago,
        @Nullable Duration remaining) {}
