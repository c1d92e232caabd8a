package dev.holdfast.node;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Persistence;
import dev.holdfast.time.Moment;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One client's view of one voter (PROTOCOL §3): a Redis master, a table in memory, a Holdfast server.
 *
 * <p>Implementations are thread-safe. No call blocks. Every stage completes normally, with an {@link Unavailable} where there is no
 * answer, on any thread, and in any order; a node need not time a request out (the client does), but must answer what it has taken
 * once its connection is gone. Requests of one client about one resource are carried out in the order in which they were sent as
 * long as a connection lasts. Nothing is sent twice.
 *
 * <p>What is pushed goes to the {@link NodeListener} that the node was opened with.
 */
public interface LockNode extends AutoCloseable {

    /** What people call it, such as {@code redis://10.0.0.1:6379}: unique among a client's nodes, without secrets. */
    String name();

    /** Asks for the node's vote (ACQUIRE). */
    CompletionStage<AcquireAnswer> acquire(AcquireRequest request);

    /**
     * How long this client does not count the node's votes for requests of this ttl, because the node may have lost state (PROTOCOL §5).
     *
     * @param ttlMillis the longest ttl of a vote that the node may have lost
     * @return 0 if the votes count
     */
    default long quarantineMillis(long ttlMillis) {
        return 0;
    }

    /**
     * Compares the node's clock with this client's clocks, as they have run since the last comparison (PROTOCOL §5).
     *
     * @param since the step that is in question came later
     * @param micros the step that is in question, in microseconds; negative if a clock went back
     * @return the step of the node's clock in microseconds, positive if it went forward and 0 if there was none; empty if the node can't
     *     tell: this client did not know its clock yet at that moment, or the answer took too long to show a step of that size
     */
    default CompletionStage<OptionalLong> clockStepMicros(Moment since, long micros) {
        return CompletableFuture.completedStage(OptionalLong.empty());
    }

    /** Gives the vote and the place in the queue back (RELEASE). Sent to a node in quarantine too. */
    CompletionStage<ReleaseAnswer> release(ReleaseRequest request);

    /** What the node knows of a resource. */
    CompletionStage<InspectAnswer> inspect(String resource);

    /**
     * The resources in use whose names begin with the prefix.
     *
     * @param limit the largest number of names, 1 or more
     */
    CompletionStage<ListAnswer> list(String prefix, int limit);

    /** What the node keeps when it restarts, by what it said when it connected. */
    default Persistence persistence() {
        return Persistence.UNKNOWN;
    }

    /** How the node is, asked now; completes with {@link NodeStatus.State#DOWN} where it can't be asked. */
    CompletionStage<NodeStatus> status();

    /**
     * Runs a task once this client has read what had come from the node before: at once where nothing is left unread. A client that was held
     * up itself lets answers that wait in a buffer come first, before it says that there are none.
     *
     * @param task short, and does not block
     */
    default void afterReading(Runnable task) {
        task.run();
    }

    /** Ends the connection; requests under way end as {@link Unavailable}. Harmless more than once. */
    @Override
    void close();
}
