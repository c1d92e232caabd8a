package dev.holdfast.election;

import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.NoQuorumException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A leader election: the candidate that holds the lock of this name leads, and the others wait in its queue. A leadership has the same guarantees as a lock.
 * Terms are fencing tokens, and they increase. When a leader crashes, the next is elected within one ttl; when it steps down, at once.
 *
 * <p>An election is an immutable, thread-safe value; {@link dev.holdfast.Holdfast#election} creates it. Methods that change a setting return a changed copy.
 */
public interface Election {

    // ---- settings

    /**
     * Returns the same election with changed options of its lock. The lock is always exclusive, extended automatically and not handed over within a client,
     * regardless of the options. All candidates should use the same ttl.
     *
     * @throws IllegalArgumentException as {@link dev.holdfast.lock.DistributedLock#options(LockOptions)}
     */
    Election options(UnaryOperator<LockOptions> change);

    /**
     * Returns the same election with another {@linkplain LockOptions#ttl(Duration) ttl}: how long the election has no leader after a crash, and how long a
     * leader keeps leading without a majority of nodes.
     *
     * @param ttl 50 ms to 24 h; the client's unless set
     */
    default Election ttl(Duration ttl) {
        return options(options -> options.ttl(ttl));
    }

    /**
     * Returns the same election with another name for the candidates that stand through it; observers see the name, and hand-overs refer to it. The default is
     * the client's name. The name need not be unique: a hand-over to a name goes to the first candidate of that name in the queue.
     *
     * @param candidateName 1 to 100 bytes of UTF-8, printable characters only, with no space at either end
     * @throws IllegalArgumentException if the name is not valid
     */
    Election candidateName(String candidateName);

    /** Returns the name of the election, and of its lock. */
    String name();

    /** Returns the name of the candidates that stand through this election. */
    String candidateName();

    /** Returns how long a leadership lasts without an extension. */
    Duration ttl();

    // ---- leading

    /**
     * Stands for election until the candidacy or the client is closed: waits in the queue without a limit, leads when it is elected, and queues again when that
     * leadership has ended. Unreachable nodes do not end the candidacy; a log message reports when too few nodes are reachable. Returns at once.
     *
     * @param candidate the leader's work, and the callbacks that notify the candidate
     * @throws HoldfastClosedException if the client is closed
     */
    Candidacy stand(Candidate candidate);

    // ---- watching

    /**
     * Asks the nodes who leads. Blocks for a round trip, a node timeout at most.
     *
     * @return empty if no candidate leads, or a leader was elected and has not yet announced itself
     * @throws NoQuorumException if fewer nodes than a majority answered
     * @throws HoldfastClosedException if the client is closed
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    Optional<Leader> leader() throws InterruptedException;

    /**
     * Asks the nodes who leads, as {@link #leader} does, without blocking.
     *
     * @return completes on a worker thread, with the exceptions of {@link #leader} as causes
     * @throws HoldfastClosedException if the client is closed
     */
    CompletableFuture<Optional<Leader>> leaderAsync();

    /** Observes who leads, as {@link #observe(Duration, Consumer)} does, polling every second, or three times per ttl if that is more often. */
    LeaderWatch observe(Consumer<Optional<Leader>> observer);

    /**
     * Calls the observer with the present leader, and again after every change that it sees, one call after the other, on a worker thread. It polls the nodes,
     * since they push only to waiters: a change is reported up to an interval and a node timeout late, and a shorter leadership may be missed. While no
     * majority answers, the observer is not called, so its last leader may be outdated.
     *
     * @param interval the pause between an answer and the next query, 10 ms to 1 h; each query goes to every node
     * @param observer receives the leader, or empty if no candidate leads; if it throws, the exception is logged and the next change is reported
     * @throws IllegalArgumentException if the interval is outside that range
     * @throws HoldfastClosedException if the client is closed; once it is, the observer is not called any more
     */
    LeaderWatch observe(Duration interval, Consumer<Optional<Leader>> observer);
}
