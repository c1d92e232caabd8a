package dev.holdfast;

import dev.holdfast.election.Candidacies;
import dev.holdfast.election.Election;
import dev.holdfast.internal.lease.ClientLeases;
import dev.holdfast.internal.lease.LeaseLimits;
import dev.holdfast.internal.observe.Observers;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.survey.StatusCount;
import dev.holdfast.internal.survey.Survey;
import dev.holdfast.internal.thread.Await;
import dev.holdfast.internal.thread.CurrentLease;
import dev.holdfast.lock.BreakOutcome;
import dev.holdfast.lock.BreakReport;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockListing;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.NodeRefusedException;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import dev.holdfast.recipe.LockSemaphore;
import dev.holdfast.recipe.MultiLock;
import dev.holdfast.recipe.OnceGuard;
import dev.holdfast.time.RunningTimeout;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A client of one set of nodes: connections, attempts, leases. Thread-safe; a program needs one, and closes it at its end.
 *
 * <pre>{@code
 * try (Holdfast holdfast = Holdfast.connect("redis://a:6379", "redis://b:6379", "redis://c:6379");
 *         Lease lease = holdfast.lock("orders:42").acquire(Duration.ofSeconds(5))) {
 *     repository.save(order, lease.fencingToken());
 * }
 * }</pre>
 *
 * <p>One node is the single-instance lock of the Redis documentation; three or more are Redlock, which goes on as long as a majority of
 * them can be reached (PROTOCOL §4).
 */
public final class Holdfast implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Holdfast.class.getName());
    private static final Duration LONGEST_CLOSE = Duration.ofMillis(500);
    private static final Duration SILENT_NODE_PATIENCE = Duration.ofMillis(250);
    private static final long LONGEST_LIST = 10_000;
    private static final int LIST_TIMEOUTS = 4;
    private static final long BURY_BROKEN_MILLIS = 60_000;

    private final HoldfastSettings settings;
    private final Timing timing;
    private final boolean ownTiming;
    private final Quorum quorum;
    private final ClientLeases leases;
    private final Candidacies candidacies = new Candidacies(Observers::areToldByThisThread);
    private final AtomicBoolean closed = new AtomicBoolean();

    Holdfast(HoldfastSettings settings, Timing timing, boolean ownTiming, Quorum quorum) {
        this.settings = settings;
        this.timing = timing;
        this.ownTiming = ownTiming;
        this.quorum = quorum;
        this.leases =
                new ClientLeases(quorum, millis -> settings.requireRemembered("duration", Duration.ofMillis(millis)));
    }

    /**
     * Connects to these nodes with default settings; see {@link HoldfastBuilder#connect}.
     *
     * @param nodes such as {@code redis://host:6379}, or {@code memory:} for locks within this process
     */
    public static Holdfast connect(String... nodes) {
        return builder().nodes(nodes).connect();
    }

    public static HoldfastBuilder builder() {
        return new HoldfastBuilder();
    }

    /**
     * A lock of this name, with the client's defaults.
     *
     * @param name 1 to 1024 bytes of UTF-8 with the key prefix; no control characters; braces only as a Redis Cluster hash tag
     */
    public DistributedLock lock(String name) {
        return new ClientLock(this, name, LockNames.resource(settings.keyPrefix(), name), settings.options());
    }

    /**
     * Several locks, all or none, with the client's defaults.
     *
     * @param names at least one, each once, in any order
     */
    public MultiLock locks(String... names) {
        return locks(Arrays.stream(names).map(this::lock).toList());
    }

    /** Several locks, all or none, each with settings of its own. */
    public MultiLock locks(List<DistributedLock> locks) {
        return new MultiLock(locks, timing.ticker());
    }

    /**
     * Work that is to be done once, such as the handling of a message.
     *
     * @param name what tells this piece of work from all others
     * @param retention how long it is remembered that it was done: longer than a duplicate may be late; 1 ms to 365 days
     */
    public OnceGuard once(String name, Duration retention) {
        LeaseLimits.requireRetention(retention);
        OnceGuard guard = new OnceGuard(lock(name), retention);
        quorum.nodes().sealsAreUsed();
        return guard;
    }

    /**
     * A semaphore of this name.
     *
     * @param name as that of a lock, with a few bytes to spare
     * @param permits how many may hold one at the same time, 1 to 1,000; the same for everybody who uses the name
     */
    public LockSemaphore semaphore(String name, int permits) {
        return new LockSemaphore(name, permits, this::lock, timing);
    }

    /**
     * A leader election of this name, with the client's defaults. Its lock is that of the same name.
     *
     * @param name as that of a lock
     */
    public Election election(String name) {
        String client = client();
        return new Election(
                lock(name), client.substring(0, client.lastIndexOf('~')), candidacies, this::statusAsync, timing);
    }

    /**
     * The lease under which the calling thread works: that of the innermost {@link DistributedLock#run} or {@link DistributedLock#call} around it, of
     * whichever client. For code further down that needs the {@link Lease#fencingToken}. Bound to the thread: other threads that this one starts have none.
     */
    public static Optional<Lease> currentLease() {
        return CurrentLease.get();
    }

    /** The id under which nodes and other clients see this client. */
    public String client() {
        return quorum.client();
    }

    // ---- for people

    /** What every node knows of a lock; blocks for a round trip, a node timeout at most. */
    public LockStatus status(String name) throws InterruptedException {
        return Await.interruptibly(surveyOf(name));
    }

    /** As {@link #status}, without blocking. Completes on a worker thread. */
    public CompletableFuture<LockStatus> statusAsync(String name) {
        return Await.onWorker(surveyOf(name), timing.scheduler());
    }

    private CompletableFuture<LockStatus> surveyOf(String name) {
        String resource = LockNames.resource(settings.keyPrefix(), name);
        return surveyOfServers((node, index) -> node.inspect(resource), this::silent)
                .thenApply(answers -> StatusCount.of(name, answers, quorum::name));
    }

    /**
     * The names of the locks that are held, waited for or sealed at any node that answers, in order.
     *
     * @param prefix what the names begin with; empty for all
     * @param limit how many at most, 1 to 10,000
     */
    public List<String> list(String prefix, int limit) throws InterruptedException {
        return listing(prefix, limit).names();
    }

    /** As {@link #list}, and how many nodes have told it. A node has four times as long as for a vote, since many names take longer. */
    public LockListing listing(String prefix, int limit) throws InterruptedException {
        if (limit < 1 || limit > LONGEST_LIST) {
            throw new IllegalArgumentException("limit is " + limit + ", but must be from 1 to " + LONGEST_LIST);
        }
        ensureOpen();
        long timeout =
                LIST_TIMEOUTS * ClientLock.nodeTimeoutNanos(settings.options().ttl(), nodeTimeout());
        List<ListAnswer> answers = Await.interruptibly(Survey.ofServers(
                quorum, timeout, (node, index) -> node.list(settings.keyPrefix() + prefix, limit), this::silent));
        TreeSet<String> names = new TreeSet<>();
        List<String> problems = new ArrayList<>();
        int answered = 0;
        for (int node = 0; node < answers.size(); node++) {
            ListAnswer answer = answers.get(node);
            if (answer instanceof Unavailable unavailable) {
                problems.add(quorum.name(node) + ": " + unavailable.reason());
            } else if (answer instanceof ListAnswer.Names found) {
                answered++;
                found.names()
                        .forEach(name ->
                                names.add(name.substring(settings.keyPrefix().length())));
            }
        }
        return new LockListing(names.stream().limit(limit).toList(), answered, answers.size(), problems);
    }

    /** How every node is, asked now, in the order in which the nodes were given. */
    public List<NodeStatus> nodes() throws InterruptedException {
        return Await.interruptibly(surveyOfNodes());
    }

    /** As {@link #nodes}, without blocking. Completes on a worker thread. */
    public CompletableFuture<List<NodeStatus>> nodesAsync() {
        return Await.onWorker(surveyOfNodes(), timing.scheduler());
    }

    private CompletableFuture<List<NodeStatus>> surveyOfNodes() {
        ensureOpen();
        return Survey.of(
                        quorum,
                        surveyTimeoutNanos(),
                        (node, index) -> node.status(),
                        node -> NodeStatus.unreachable(quorum.name(node), NodeStatus.State.DOWN, "no answer in time"))
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

    /**
     * Takes a lease from its holder by force: for operators, when a holder hangs. The holder learns of it at its next extension, and may
     * go on until then; the resource is safe only if it checks tokens.
     *
     * @param token the fencing token of the lease that is meant, so that no later one is hit
     * @param reason why, for the log
     */
    public BreakOutcome breakLease(String name, long token, String reason) throws InterruptedException {
        return breaking(name, token, reason).outcome();
    }

    /**
     * Breaks a lease as {@link #breakLease} does, and also reports the nodes that failed.
     *
     * @param name the lock's name
     * @param token the lease's fencing token, 1 or more
     * @param reason why, for the log; not blank
     * @return the outcome, and the reason of each node that did not release the lease
     * @throws IllegalArgumentException if the token is below 1 or the reason is blank
     * @throws InterruptedException if the thread is interrupted while it waits for the nodes
     */
    public BreakReport breaking(String name, long token, String reason) throws InterruptedException {
        if (token < 1 || reason.isBlank()) {
            throw new IllegalArgumentException("token is " + token + ", reason is '" + reason
                    + "', but a token is 1 or more, and a reason must be given");
        }
        LockStatus status = status(name);
        Optional<OwnerId> owner = holderOf(token, status);
        if (owner.isEmpty()) {
            return new BreakReport(
                    status.hasQuorum() ? BreakOutcome.NOT_FOUND : BreakOutcome.NO_QUORUM, status.problems());
        }
        LOG.log(
                Level.WARNING,
                "Lease of ''{0}'' with token {1}, held by {2}, is broken: {3}",
                name,
                token,
                owner.get(),
                reason);
        List<String> problems = breakVotes(status, owner.get());
        int gone = quorum.size() - problems.size();
        return new BreakReport(gone >= quorum.majority() ? BreakOutcome.BROKEN : BreakOutcome.NO_QUORUM, problems);
    }

    /** The lease that a majority bears; without one whoever has a vote of that number, since nodes count each by itself. */
    private static Optional<OwnerId> holderOf(long token, LockStatus status) {
        Stream<String> leases = status.holders().stream()
                .filter(holder -> holder.hasMajority() && holder.token() == token)
                .flatMap(holder -> allVotes(status)
                        .map(LockStatus.Vote::owner)
                        .filter(owner -> owner.startsWith(holder.owner() + "/")));
        Stream<String> votes =
                allVotes(status).filter(holder -> holder.fence() == token).map(LockStatus.Vote::owner);
        return Stream.concat(leases, votes)
                .flatMap(text -> OwnerId.parse(text).stream())
                .findFirst()
                .map(OwnerId::firstRound);
    }

    private static Stream<LockStatus.Vote> allVotes(LockStatus status) {
        return status.nodes().stream()
                .flatMap(node -> node.state().stream())
                .flatMap(state -> state.holders().stream());
    }

    /**
     * Buried, so that an extension can't heal what was broken: for longer than the votes would have lasted, since the next extension
     * comes before they end.
     */
    private List<String> breakVotes(LockStatus status, OwnerId owner) throws InterruptedException {
        long buryMillis = Math.max(longestVoteMillis(status, owner), BURY_BROKEN_MILLIS);
        String resource = LockNames.resource(settings.keyPrefix(), status.name());
        List<ReleaseAnswer> answers = Await.interruptibly(surveyOfServers(
                (node, index) -> {
                    OwnerId here = votesOf(owner, status.nodes().get(index));
                    return node.release(new ReleaseRequest(resource, here, buryMillis));
                },
                this::silent));
        List<String> problems = new ArrayList<>();
        for (int node = 0; node < answers.size(); node++) {
            if (answers.get(node) instanceof Unavailable unavailable) {
                problems.add(quorum.name(node) + ": " + unavailable.reason());
            }
        }
        return problems;
    }

    /** The owner's id at this node, where its round may be another. */
    private static OwnerId votesOf(OwnerId owner, LockStatus.NodeState node) {
        return votes(owner, node)
                .flatMap(holder -> OwnerId.parse(holder.owner()).stream())
                .findFirst()
                .orElse(owner);
    }

    private static long longestVoteMillis(LockStatus status, OwnerId owner) {
        return status.nodes().stream()
                .flatMap(node -> votes(owner, node))
                .mapToLong(
                        vote -> vote.remaining() == null ? -1 : vote.remaining().toMillis())
                .max()
                .orElse(0);
    }

    private static Stream<LockStatus.Vote> votes(OwnerId owner, LockStatus.NodeState node) {
        return node.state().stream()
                .flatMap(state -> state.holders().stream())
                .filter(holder -> OwnerId.parse(holder.owner())
                        .filter(id -> id.ticket().equals(owner.ticket()))
                        .isPresent());
    }

    private Unavailable silent(int node) {
        return new Unavailable("no answer in time", true);
    }

    private <A> CompletableFuture<List<A>> surveyOfServers(Survey.Call<A> call, IntFunction<A> silent) {
        ensureOpen();
        return Survey.ofServers(quorum, surveyTimeoutNanos(), call, silent);
    }

    private long surveyTimeoutNanos() {
        return ClientLock.nodeTimeoutNanos(settings.options().ttl(), nodeTimeout());
    }

    // ---- for locks

    Timing timing() {
        return timing;
    }

    ClientLeases leases() {
        ensureOpen();
        return leases;
    }

    long waiterTtlMillis(Duration ttl) {
        return Math.min(settings.waiterTtl().toMillis(), ttl.toMillis());
    }

    @Nullable
    Duration nodeTimeout() {
        return settings.nodeOptions().timeout();
    }

    void requireFitting(Duration ttl) {
        settings.requireFitting(ttl);
    }

    private void ensureOpen() {
        if (closed.get()) {
            throw new HoldfastClosedException("this Holdfast client is closed");
        }
    }

    // ---- the beginning and the end

    /**
     * Waits until every node has been tried once, but for a node that keeps silent only as long as it takes for a majority, and refuses
     * what must not be used.
     */
    void awaitNodes() throws InterruptedException {
        CompletableFuture<Void> enough = quorum.nodes().tried().copy();
        Duration longest = settings.nodeOptions().connectTimeout();
        Duration patience = longest.compareTo(SILENT_NODE_PATIENCE) < 0 ? longest : SILENT_NODE_PATIENCE;
        timing.scheduler()
                .schedule(patience.toNanos(), () -> quorum.nodes().reached().thenRun(() -> enough.complete(null)));
        // a node tells within that time of this client's running that it can't be reached; the rest is for one that
        // breaks its word
        Duration guard =
                longest.multipliedBy(RunningTimeout.LONGEST_CONNECT_FACTOR).plus(RunningTimeout.LONGEST_TURN);
        timing.scheduler().schedule(guard.toNanos(), () -> enough.complete(null));
        Await.interruptibly(enough);
        List<String> refusals = quorum.nodes().refusals();
        if (!refusals.isEmpty()) {
            throw new NodeRefusedException(String.join("; ", refusals));
        }
    }

    /** The names of the nodes, in the order in which they were given. */
    public List<String> nodeNames() {
        return IntStream.range(0, quorum.size()).mapToObj(quorum::name).toList();
    }

    /**
     * Gives back all leases, ends all attempts with a {@link HoldfastClosedException}, and closes the connections. Waits for the nodes
     * for half a second at most; what they could not be told expires by itself. Work of a leader is interrupted, and has half of that time to
     * end before its leadership is given back. A lease that is to last {@linkplain Lease#releaseAfter until a time to come} lasts so long all the
     * same. Harmless more than once. From within a {@link dev.holdfast.observe.ClientObserver} it returns at once and does not wait, since the
     * thread may be the one that the answers come on.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        CompletableFuture<Void> stood = candidacies.close().copy();
        timing.scheduler().schedule(LONGEST_CLOSE.toNanos() / 2, () -> stood.complete(null));
        CompletableFuture<Boolean> done = stood.handle((none, failure) -> Boolean.TRUE)
                .thenCompose(none -> leases.close())
                .handle((none, failure) -> Boolean.TRUE); // however that ends, the connections and threads end
        timing.scheduler().schedule(LONGEST_CLOSE.toNanos(), () -> done.complete(Boolean.TRUE));
        if (Observers.areToldByThisThread()) {
            done.thenAcceptAsync(all -> end(), timing.scheduler()::execute);
        } else {
            Await.uninterruptibly(done);
            end();
        }
    }

    private void end() {
        candidacies.end();
        quorum.close();
        if (ownTiming) {
            timing.scheduler().close();
        }
    }

    /**
     * {@link #close} without giving leases back: each lasts at the nodes until its ttl is over, since whoever was promised it, such as a client of a
     * server that stops, may still count on it. Attempts are to be cancelled before.
     */
    public void closeLeavingLeases() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        CompletableFuture<Void> told = quorum.released().copy();
        timing.scheduler().schedule(LONGEST_CLOSE.toNanos(), () -> told.complete(null));
        Await.uninterruptibly(told);
        end();
    }

    /** For messages: the client and its nodes. */
    @Override
    public String toString() {
        return "Holdfast[" + Objects.requireNonNull(client()) + ", " + nodeNames() + "]";
    }
}
