package dev.holdfast.lock;

import java.time.Duration;
import java.util.List;

/**
 * The state of a request that waits for a lock. A request waits at the nodes, or behind another waiter or holder of its own client. The nodes do not
 * know a request that waits in its client (PROTOCOL §7).
 *
 * @param lock the name of the lock
 * @param place the position in the queue, 1 for the next waiter; 0 if no node has queued the request. While the client's attempt waits at the nodes,
 *     this is the attempt's position at a majority of nodes, plus the client's own waiters in front. While the client has the lease, this is the
 *     position in the client's own queue.
 * @param holder the holder that blocks the request, for people; empty if not known. A lease of the same client appears as
 *     {@code NAME, which is this client}.
 * @param waited how long this request has waited
 * @param nodes the latest answer of each node; behind a lease of the same client, the answer that each node would give
 * @param owner the owner id, without its round, of the attempt that the request waits with or the lease that it waits behind. The owner ids of
 *     {@link LockStatus#waiters} begin with this text, and {@link LockStatus.Holder#owner} equals it.
 */
public record Waiting(String lock, int place, String holder, Duration waited, List<NodeReport> nodes, String owner) {
    public Waiting {
        nodes = List.copyOf(nodes);
    }
}
