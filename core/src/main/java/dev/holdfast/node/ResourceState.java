package dev.holdfast.node;

import dev.holdfast.lock.LockMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node knows of a resource, for people (INSPECT of PROTOCOL §3).
 *
 * @param resource the name as the node knows it
 * @param fence the node's fence, 0 if it remembers none
 * @param holders those with a vote, in the order of their owner ids
 * @param waiters those in line, the first one first
 * @param seal that the work is done for good; null if it is not
 * @param value what holders have left to those who come after; null if nothing
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

    /** How long the resource stays sealed, 0 if it is not; -1 without end. */
    public long sealedMillis() {
        return seal == null ? 0 : seal.remainingMillis();
    }

    /**
     * A vote.
     *
     * @param kind whether Holdfast wrote it
     * @param owner the owner id, or what stands in its place
     * @param mode the lock mode; EX for what is not ours
     * @param fence the fence of the vote; 0 for NL and for what is not ours
     * @param remainingMillis how long the vote lasts unless prolonged; -1 if it has no expiry
     */
    public record Holder(Blocker.Kind kind, String owner, LockMode mode, long fence, long remainingMillis) {}

    /**
     * A place in the queue.
     *
     * @param owner the owner id
     * @param mode the lock mode asked for
     * @param remainingMillis how long the entry lasts unless asked again
     */
    public record Waiter(String owner, LockMode mode, long remainingMillis) {}
}
