package dev.holdfast.cluster;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.RaftGroupService;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.Task;
import com.alipay.sofa.jraft.option.NodeOptions;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.Timing;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One server of a cluster: a replica of the lock table, which takes part in the consensus. Thread-safe.
 *
 * <p>The server that leads carries out requests. The others refuse them, and say who leads.
 */
public final class ClusterServer implements AutoCloseable {

    /** How long a cluster remembers a fence after its last use. It is the same in all releases, since all servers must agree on it. */
    static final Duration FENCE_RETENTION = Duration.ofHours(24);

    private final ClusterConfig config;
    private final Timing timing;
    private final Proposals proposals;
    private final Office office;
    private final LeadQuestions questions;
    private final DataFolder data;
    private final PeerTraffic traffic;
    private final Founding founding;
    private final StatusReports reports;
    private final Members members;
    private final RaftStateMachine machine;
    private final NodeOptions options;
    private final long startNanos;
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;
    private volatile @Nullable RaftGroupService service;
    private volatile @Nullable Node node; // null until the cluster is created

    private ClusterServer(ClusterConfig config, Timing timing) {
        this.config = config;
        this.timing = timing;
        this.startNanos = timing.ticker().nanos();
        this.proposals = new Proposals(new LogTime(timing.ticker()), this::append);
        this.questions = new LeadQuestions(config.name(), timing.ticker());
        LeadTransfer transfer = new LeadTransfer();
        this.office = new Office(proposals, transfer, timing.scheduler());
        if (config.options().tls() != null) {
            PeerRpc.requireTls();
        }
        this.data = DataFolder.open(config, timing.random());
        this.machine =
                new RaftStateMachine(new LockStateMachine(FENCE_RETENTION.toMillis()), timing.scheduler(), office);
        this.options = EngineOptions.of(config, data, machine);
        this.traffic = new PeerTraffic(config, timing.scheduler(), this::answer);
        this.reports = new StatusReports(config, data, traffic, timing.ticker(), new Self());
        PeerId self = Members.peer(config.address(), data.identity());
        this.members = new Members(config, self, reports, transfer, () -> node);
        LeaderWatch watch = new LeaderWatch(
                config.cluster(), timing.scheduler(), () -> node, members::present, reports::ask, office::term);
        traffic.onConnectionEnd(watch::connectionEnded);
        this.founding = new Founding(config, data, traffic, timing, this::takePart);
    }

    /**
     * Starts a server. It does not wait for the others, except for the answers of those that run if it starts for the first time.
     *
     * @param timing the clock of the log time, and the workers for notifications
     * @throws HoldfastException if the server cannot use its data folder or its address, or if another server refuses it
     */
    public static ClusterServer start(ClusterConfig config, Timing timing) {
        ClusterServer server = new ClusterServer(config, timing);
        try {
            server.traffic.start();
            server.founding.begin();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Starts to vote and to replicate, once the other servers know this one's data. */
    private synchronized void takePart() {
        if (closing.get()) {
            return;
        }
        options.setInitialConf(founding.members());
        RaftGroupService starting = new RaftGroupService(
                config.cluster(), Members.peer(config.address(), data.identity()), options, traffic.server(), true);
        try {
            service = starting;
            node = starting.start(false);
        } catch (RuntimeException e) {
            service = null;
            String reason = "server " + config.name() + " cannot start: " + e.getMessage();
            proposals.close(reason);
            throw new HoldfastException(reason);
        }
    }

    /** Answers another server. */
    private PeerMessage answer(PeerMessage question) {
        if (!question.get("question").equals("hello")) {
            return reports.own();
        }
        PeerMessage answer = founding.answer(question, members.present());
        if (!answer.get("problem").isEmpty() && members.has(question.get("address"))) {
            reports.refused(question.get("address"), answer.get("problem"));
        }
        return answer;
    }

    /** Returns whether this server leads, and has applied all that earlier leaders committed. */
    public boolean leads() {
        return proposals.leads();
    }

    /** Returns the name of the server that leads as far as this server knows. */
    public Optional<String> leader() {
        return reports.leader();
    }

    /** Returns the name of this server. */
    public String name() {
        return config.name();
    }

    /** Returns the name of the cluster. */
    public String cluster() {
        return config.cluster();
    }

    /** Returns how long this server has run. */
    public Duration uptime() {
        return Duration.ofNanos(timing.ticker().nanos() - startNanos);
    }

    /**
     * Connects a client, and returns its view of this server. Requests to a server that does not lead are answered with {@link
     * dev.holdfast.node.Unavailable}.
     *
     * @param client the client part of its owner ids
     * @param listener is notified on a worker thread of whether this server leads, first now and then after each change, and of pushes while it leads
     */
    public LockNode connect(String client, NodeListener listener) {
        ServerConnection connection = new ServerConnection(this, client, listener, timing.scheduler());
        office.connections().add(connection);
        listener.identified(config.cluster());
        if (closed) {
            connection.close();
        } else {
            connection.tellLead();
        }
        return connection;
    }

    void disconnected(ServerConnection connection) {
        office.connections().remove(connection);
    }

    /** Carries out an operation if this server leads. */
    CompletionStage<Object> propose(Operation<?> operation) {
        Optional<String> refusal = refusal();
        return refusal.isPresent()
                ? CompletableFuture.completedFuture(new Unavailable(refusal.get(), false))
                : proposals.propose(operation);
    }

    /**
     * Answers INSPECT if this server leads, with all that was acknowledged before. That writes to the log only if something has expired since its last entry.
     */
    @SuppressWarnings("unchecked") // the answer is that of the operation, or Unavailable
    CompletionStage<InspectAnswer> inspect(Operation.Inspect operation) {
        return confirmLead().thenCompose(refusal -> {
            if (refusal.isPresent()) {
                return CompletableFuture.completedFuture(new Unavailable(refusal.get(), false));
            }
            Optional<ResourceState> state = machine.inspect(operation.resource(), proposals.millis());
            return state.isPresent()
                    ? CompletableFuture.completedFuture(state.get())
                    : (CompletionStage<InspectAnswer>) (CompletionStage<?>) propose(operation);
        });
    }

    /**
     * Asks a majority of the servers whether this one still leads. That writes nothing to the log.
     *
     * @return completes with the reason why this server carries out no requests; empty if it does
     */
    CompletionStage<Optional<String>> confirmLead() {
        Optional<String> refusal = refusal();
        Node running = node;
        return refusal.isPresent() || running == null
                ? CompletableFuture.completedFuture(refusal)
                : questions.ask(running);
    }

    /** Returns why this server carries out no requests; empty if it does. */
    Optional<String> refusal() {
        if (closed) {
            return Optional.of("server " + name() + " is closed");
        }
        if (node == null) {
            return Optional.of(founding.waitsFor());
        }
        return leads()
                ? Optional.empty()
                : Optional.of(leader().filter(one -> !one.equals(name()))
                        .map(one -> "server " + one + " leads, and this is server " + name())
                        .orElse("the cluster has no leader that server " + name() + " knows"));
    }

    /** Changes how long this server waits for a leader that is silent. */
    void resetElectionTimeout(Duration timeout) {
        Node running = node;
        if (running != null) {
            running.resetElectionTimeoutMs(Math.toIntExact(timeout.toMillis()));
        }
    }

    /** Returns the state of all members. It asks each of them, and waits for a second for those that do not answer. */
    public CompletionStage<ClusterStatus> status() {
        return members.status();
    }

    /** Returns how far the log of this server is, without the lag; empty before it takes part. */
    public Optional<ClusterStatus.LogPosition> position() {
        return reports.position();
    }

    /** Returns how often a server has become the leader, as far as this one has seen since it started. */
    public long leaderChanges() {
        return office.changes();
    }

    /**
     * Observes how long each entry of this leader takes from its proposal until it is committed and applied, in nanoseconds. The observer must return at
     * once. A later observer replaces an earlier one.
     */
    public void onCommitted(LongConsumer observer) {
        proposals.onCommitted(observer);
    }

    /**
     * Adds a server to the cluster, if this one leads. The new server must run, started with {@link ClusterConfig.Start#JOIN}.
     *
     * @param name the name of the new server
     * @param address its address for the traffic between servers
     * @return completes with an empty text once the server takes part, or with the reason why it does not
     * @throws IllegalArgumentException if the name or the address cannot be one
     */
    public CompletionStage<String> add(String name, String address) {
        return members.add(name, address);
    }

    /**
     * Removes a server from the cluster, if this one leads. The other server need not run. If it runs, it stays without a vote until it is closed.
     *
     * @param nameOrAddress the name of the server; its address if {@link #status} shows no name
     * @return completes with an empty text once the cluster goes on without the server, or with the reason why it does not
     */
    public CompletionStage<String> remove(String nameOrAddress) {
        return members.remove(nameOrAddress);
    }

    /**
     * Makes another server the leader, if this one leads. Meanwhile, requests are refused as unavailable, and clients re-send them.
     *
     * @param nameOrAddress the name of the other server; its address if {@link #status} shows no name
     * @return completes with an empty text once another server leads, or with the reason why this one still does
     */
    public CompletionStage<String> transfer(String nameOrAddress) {
        return members.transfer(nameOrAddress);
    }

    /** Makes another server the leader, if this one leads and one of the others is up to date. Returns at once. */
    public void stepDown() {
        Node running = node;
        if (running != null) {
            running.transferLeadershipTo(PeerId.ANY_PEER);
        }
    }

    /**
     * Writes a snapshot now, and drops the log before it.
     *
     * @return completes with an empty text, or with the reason why there is no snapshot
     */
    public CompletionStage<String> snapshot() {
        Node running = node;
        if (running == null) {
            return CompletableFuture.completedFuture(founding.waitsFor());
        }
        CompletableFuture<String> done = new CompletableFuture<>();
        running.snapshot(status -> done.complete(status.isOk() ? "" : status.toString()));
        return done;
    }

    /**
     * Makes a backup of the cluster, if this server leads: the content of a file from which a new cluster can start ({@link Backup#restore}). It contains every
     * operation that was acknowledged before this call.
     *
     * @return completes exceptionally with a {@link HoldfastException} that says why there is no backup
     */
    public CompletionStage<byte[]> backup() {
        return propose(new Operation.Sweep())
                .thenApplyAsync(
                        answer -> {
                            if (answer instanceof Unavailable unavailable) {
                                throw new HoldfastException(unavailable.reason());
                            }
                            return new Backup(config.cluster(), timing.ticker().wallMillis(), machine.state()).bytes();
                        },
                        timing.scheduler()::execute);
    }

    private void append(Proposals.Proposal proposal, long term) {
        RaftStateMachine.Done done = new RaftStateMachine.Done(proposal);
        Node running = node;
        if (closed || running == null) {
            done.run(new Status(-1, "the server closes"));
            return;
        }
        Task task = new Task(ByteBuffer.wrap(proposal.batch().bytes()), done);
        task.setExpectedTerm(term); // its time is that of this term, and must not be used in another one
        running.apply(task);
    }

    /**
     * Stops this server. If it leads, it hands the lead to another one first, so that requests are refused for the time of a hand-over only. It waits no
     * longer than a second for the answers of the others, and two election timeouts for each one that answers. A server that does not lead does not
     * wait. A second call has no effect.
     */
    @Override
    public void close() {
        if (closing.getAndSet(true)) {
            return;
        }
        founding.end();
        members.handOver();
        RaftGroupService running;
        synchronized (this) {
            closed = true;
            running = service;
        }
        office.close();
        traffic.close();
        if (running == null) {
            return;
        }
        running.shutdown();
        try {
            running.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Self implements StatusReports.Self {

        @Override
        public @Nullable Node node() {
            return node;
        }

        @Override
        public long term() {
            return office.term();
        }

        @Override
        public String problem() {
            return node == null ? founding.waitsFor() : machine.problem();
        }
    }
}
