package dev.holdfast.node;

import dev.holdfast.lock.LockMode;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The state of a resource at a node, for people (INSPECT of PROTOCOL §3).
 *
 * @param resource the name of the resource at the node
 * @param fence the node's fence, 0 if it remembers none
 * @param holders the votes, in the order of their owner ids
 * @param waiters the queue, beginning with the first waiter
 * @param seal the seal of the resource; null if it is not sealed
 * @param value the value that a holder left for later holders; null if there is none
 */
public record ResourceState(
        String resource,
        long fence,
        List<Holder> holders,
        List<Waiter> waiters,
        @Nullable Seal seal,
        @Nullable LockValue value)
        implements InspectAnswer {

    public ResourceState {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
    }

    /**
     * A vote.
     *
     * @param kind the kind of content that the node stores
     * @param owner the owner id, or the content that is stored in its place
     * @param mode the lock mode; EX if Holdfast did not write the content
     * @param fence the fence of the vote; 0 for NL, and if Holdfast did not write the content
     * @param remainingMillis how long the vote lasts without an extension, in milliseconds; empty if it has no expiry
     */
    public record Holder(Blocker.Kind kind, String owner, LockMode mode, long fence, OptionalLong remainingMillis) {}

    /**
     * A position in the queue.
     *
     * @param owner the owner id
     * @param mode the requested lock mode
     * @param remainingMillis how long the entry lasts unless the client re-sends its request, in milliseconds
     */
    public record Waiter(String owner, LockMode mode, long remainingMillis) {}
}
