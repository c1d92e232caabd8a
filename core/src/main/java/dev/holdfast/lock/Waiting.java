package dev.holdfast.lock;

import java.time.Duration;
import java.util.List;

/**
 * How an attempt that stands in line is doing.
 *
 * @param lock the name of the lock
 * @param place the place in the queue at a majority of nodes, 1 for the first; 0 if it stands in no queue
 * @param holder who is in the way, in words; empty if not known
 * @param waited how long the attempt has gone on
 * @param nodes the latest answer of each node
 * @param owner the owner id of the attempt without its round, as {@link LockStatus#waiters} begin and {@link LockStatus.Holder#owner} would be
 */
public record Waiting(String lock, int place, String holder, Duration waited, List<NodeReport> nodes, String owner) {
    public Waiting {
        nodes = List.copyOf(nodes);
    }
}
