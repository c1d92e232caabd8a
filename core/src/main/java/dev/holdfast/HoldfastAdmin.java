package dev.holdfast;

import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.survey.StatusCount;
import dev.holdfast.internal.survey.Survey;
import dev.holdfast.internal.thread.Await;
import dev.holdfast.lock.BreakReport;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.LockListing;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.Unavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * An operator's view of the nodes of a client. It shows the state of locks and nodes, and can break a lease. {@link Holdfast#admin} returns it. This
 * class is thread-safe and has no state of its own, so it needs no closing.
 *
 * <p>Answers are snapshots for people and tools: a lock may have changed before the caller reads them. Code that needs a lock must acquire it.
 */
public final class HoldfastAdmin {

    private static final int LONGEST_LIST = 10_000;
    private static final int LIST_TIMEOUTS = 4;

    private final HoldfastSettings settings;
    private final Quorum quorum;
    private final Runnable ensureOpen;

    HoldfastAdmin(HoldfastSettings settings, Quorum quorum, Runnable ensureOpen) {
        this.settings = settings;
        this.quorum = quorum;
        this.ensureOpen = ensureOpen;
    }

    /** Returns the beginning of the names under which the nodes know the client's locks. Sends nothing. */
    public String keyPrefix() {
        return settings.keyPrefix();
    }

    // ---- nodes

    /** Returns the names of the nodes, in the order of the client's configuration. Sends nothing. */
    public List<String> nodeNames() {
        return IntStream.range(0, quorum.nodes().size())
                .mapToObj(quorum.nodes()::name)
                .toList();
    }

    /**
     * Asks every node for its state. Blocks for a round trip, a node timeout at most.
     *
     * @return the nodes in the order of the client's configuration; a node that does not answer in time is {@link NodeStatus.State#DOWN}
     * @throws HoldfastClosedException if the client is closed
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public List<NodeStatus> nodes() throws InterruptedException {
        return Await.interruptibly(surveyOfNodes());
    }

    /**
     * Asks every node for its state, as {@link #nodes} does, without blocking.
     *
     * @return completes on a worker thread
     * @throws HoldfastClosedException if the client is closed
     */
    public CompletableFuture<List<NodeStatus>> nodesAsync() {
        return Await.onWorker(surveyOfNodes(), quorum.timing().scheduler());
    }

    private CompletableFuture<List<NodeStatus>> surveyOfNodes() {
        ensureOpen.run();
        return Survey.of(
                        quorum,
                        timeoutNanos(),
                        (node, index) -> node.status(),
                        node -> NodeStatus.unreachable(
                                quorum.nodes().name(node), NodeStatus.State.DOWN, "no answer in time"))
                .thenApply(this::withRefusals);
    }

    private List<NodeStatus> withRefusals(List<NodeStatus> statuses) {
        List<NodeStatus> shown = new ArrayList<>();
        for (int node = 0; node < statuses.size(); node++) {
            String refusal = quorum.nodes().refusal(node);
            shown.add(refusal == null ? statuses.get(node) : statuses.get(node).refused(refusal));
        }
        return shown;
    }

    // ---- locks

    /**
     * Asks every node for the state of a lock. Blocks for a round trip, a node timeout at most.
     *
     * @param name the lock's name, as that of {@link Holdfast#lock}
     * @return the state at the nodes that answered; {@link LockStatus#hasQuorum} says whether they are a majority
     * @throws IllegalArgumentException if the name is invalid
     * @throws HoldfastClosedException if the client is closed
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public LockStatus status(String name) throws InterruptedException {
        return Await.interruptibly(surveyOf(name));
    }

    /**
     * Asks every node for the state of a lock, as {@link #status} does, without blocking.
     *
     * @param name the lock's name, as that of {@link Holdfast#lock}
     * @return completes on a worker thread
     * @throws IllegalArgumentException if the name is invalid
     * @throws HoldfastClosedException if the client is closed
     */
    public CompletableFuture<LockStatus> statusAsync(String name) {
        return Await.onWorker(surveyOf(name), quorum.timing().scheduler());
    }

    private CompletableFuture<LockStatus> surveyOf(String name) {
        String resource = LockNames.resource(keyPrefix(), name);
        return surveyOfServers((node, index) -> node.inspect(resource), HoldfastAdmin::silent)
                .thenApply(answers -> StatusCount.of(name, answers, quorum.nodes()::name));
    }

    /**
     * Lists the locks with a holder, a waiter or a seal at any node that answers. Blocks for four node timeouts at most, since many names take longer
     * than a vote.
     *
     * @param prefix the beginning of the names; empty for all names
     * @param limit the largest number of names to return, 1 to 10,000
     * @return the names in order, and the nodes that did not answer; if {@link LockListing#hasQuorum} is false, held locks may be missing
     * @throws IllegalArgumentException if the limit is outside that range
     * @throws HoldfastClosedException if the client is closed
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public LockListing list(String prefix, int limit) throws InterruptedException {
        if (limit < 1 || limit > LONGEST_LIST) {
            throw new IllegalArgumentException("limit is " + limit + ", but must be from 1 to " + LONGEST_LIST);
        }
        ensureOpen.run();
        List<ListAnswer> answers = Await.interruptibly(Survey.ofServers(
                quorum,
                LIST_TIMEOUTS * timeoutNanos(),
                (node, index) -> node.list(keyPrefix() + prefix, limit),
                HoldfastAdmin::silent));
        TreeSet<String> names = new TreeSet<>();
        List<String> problems = new ArrayList<>();
        int answered = 0;
        for (int node = 0; node < answers.size(); node++) {
            ListAnswer answer = answers.get(node);
            if (answer instanceof Unavailable unavailable) {
                problems.add(quorum.nodes().name(node) + ": " + unavailable.reason());
            } else if (answer instanceof ListAnswer.Names found) {
                answered++;
                found.names()
                        .forEach(name -> names.add(name.substring(keyPrefix().length())));
            }
        }
        return new LockListing(names.stream().limit(limit).toList(), answered, answers.size(), problems);
    }

    /**
     * Breaks a lease: releases it at the nodes although its holder has not released it. Operators use this method when a holder hangs. The holder
     * learns of the loss at its next extension, and may go on working until then. The resource is safe only if it checks fencing tokens. Logs the
     * reason. Blocks for two round trips, two node timeouts at most.
     *
     * @param name the lock's name
     * @param token the fencing token of the lease, as {@link LockStatus.Holder#token} shows it, 1 or more, so that this call does not break a later lease
     * @param reason the reason for the log; not blank
     * @return the outcome, and for each node that did not release the lease, the reason
     * @throws IllegalArgumentException if the token is below 1 or the reason is blank
     * @throws HoldfastClosedException if the client is closed
     * @throws InterruptedException if the thread is interrupted while it waits; the lease may or may not be broken
     */
    public BreakReport breakLease(String name, long token, String reason) throws InterruptedException {
        if (token < 1 || reason.isBlank()) {
            throw new IllegalArgumentException("token is " + token + ", reason is '" + reason
                    + "', but a token is 1 or more, and a reason must be given");
        }
        return new LeaseBreak(this, LockNames.resource(keyPrefix(), name), status(name), token).carryOut(reason);
    }

    // ---- for the client itself

    <A> CompletableFuture<List<A>> surveyOfServers(Survey.Call<A> call, IntFunction<A> silent) {
        ensureOpen.run();
        return Survey.ofServers(quorum, timeoutNanos(), call, silent);
    }

    int majority() {
        return quorum.majority();
    }

    static Unavailable silent(int node) {
        return new Unavailable("no answer in time", true);
    }

    private long timeoutNanos() {
        return settings.nodeTimeoutNanos(settings.options().ttl());
    }
}
