package dev.holdfast.lock;

import java.time.Duration;
import java.util.List;

/**
 * The state of a request that waits for a lock. A request waits at the nodes, or behind another waiter or holder of its own client, which the nodes do not
 * know (PROTOCOL §7).
 *
 * @param lock the name of the lock
 * @param place the position in the queue, 1 for the next one; 0 if no node has queued it. While a client's attempt waits at the nodes, this is
 *     the attempt's position at a majority of them, plus the waiters of the client in front; while the client has the lease, the position in the client's own queue
 * @param holder who is in the way, in words; empty if not known. A client's own lease is {@code NAME, which is this client}
 * @param waited how long this request has waited
 * @param nodes the latest answer of each node; behind the client's own lease, what each node would answer
 * @param owner the owner id of the attempt or lease that it waits with or behind, without its round, as {@link LockStatus#waiters} begin and {@link LockStatus.Holder#owner} would be
 */
public record Waiting(String lock, int place, String holder, Duration waited, List<NodeReport> nodes, String owner) {
    public Waiting {
        nodes = List.copyOf(nodes);
    }
}
