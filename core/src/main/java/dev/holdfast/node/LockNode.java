package dev.holdfast.node;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Persistence;
import dev.holdfast.time.Moment;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A client's view of one voter (PROTOCOL §3), such as a Redis master, a PostgreSQL database, a lock server or a table in memory.
 *
 * <p>Implementations are thread-safe, and no call blocks. Every stage completes normally, with an {@link Unavailable} if there is no answer, on any
 * thread and in any order. The client times out requests, so a node need not do so, but it must complete every request under way when its connection
 * ends. During one connection, it carries out the requests of one client for one resource in the order of sending. It sends no request twice.
 *
 * <p>Pushes go to the {@link NodeListener} that the node was opened with.
 */
public interface LockNode extends AutoCloseable {

    /**
     * Returns the name for people, such as {@code redis://10.0.0.1:6379}. It is unique among the nodes of a client, and has no user and password.
     */
    String name();

    /**
     * Returns the groups of locks whose requests this node carries out now. A server of a cluster with several groups may lead some of them only. It is
     * {@link NodeListener#available} while it leads at least one, and says so again when that changes. All other nodes carry out all requests.
     */
    default LockGroups groups() {
        return LockGroups.WHOLE;
    }

    /** Asks for the node's vote (ACQUIRE). */
    CompletionStage<AcquireAnswer> acquire(AcquireRequest request);

    /**
     * Returns how long this client does not count the votes of the node for requests of this ttl, because the node may have lost state (PROTOCOL §5).
     *
     * @param ttlMillis the longest ttl of a vote that the node may have lost, in milliseconds
     * @return the time in milliseconds; 0 if the votes count
     */
    default long quarantineMillis(long ttlMillis) {
        return 0;
    }

    /**
     * Asks for the node's clock, because another node's clock stepped, and compares it with this client's clocks (PROTOCOL §5). The answer is empty if
     * the node does not answer, or if this client had not read the node's clock before that moment.
     *
     * @param since a moment before the step
     * @return the most by which the node's clock can have gone ahead of this client's since that moment, in microseconds; negative if it went back
     */
    default CompletionStage<OptionalLong> clockGainMicros(Moment since) {
        return CompletableFuture.completedStage(OptionalLong.empty());
    }

    /** Releases the vote and the position in the queue (RELEASE). Clients send it to a quarantined node too. */
    CompletionStage<ReleaseAnswer> release(ReleaseRequest request);

    /** Asks for the state of a resource. */
    CompletionStage<InspectAnswer> inspect(String resource);

    /**
     * Asks for the resources in use whose names begin with the prefix.
     *
     * @param limit the largest number of names, 1 or more
     */
    CompletionStage<ListAnswer> list(String prefix, int limit);

    /** Returns the kinds of state that the node keeps across a restart, as reported when the client connected. */
    default Persistence persistence() {
        return Persistence.UNKNOWN;
    }

    /** Asks for the state of the node; completes with {@link NodeStatus.State#DOWN} if it is unreachable. */
    CompletionStage<NodeStatus> status();

    /**
     * Runs a task once this client has read everything that the node has sent so far, or at once if nothing is unread. So a client that was itself
     * held up reads the answers in its buffers before it concludes that there are none.
     *
     * @param task a short task that does not block
     */
    default void afterReading(Runnable task) {
        task.run();
    }

    /** Ends the connection. Requests under way complete with {@link Unavailable}. A second call has no effect. */
    @Override
    void close();
}
