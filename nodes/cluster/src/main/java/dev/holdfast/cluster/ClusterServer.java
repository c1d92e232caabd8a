package dev.holdfast.cluster;

import com.alipay.sofa.jraft.JRaftUtils;
import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.RaftGroupService;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.closure.ReadIndexClosure;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.Task;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.rpc.RaftRpcServerFactory;
import com.alipay.sofa.jraft.rpc.RpcServer;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Push;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One server of a cluster: a replica of the lock table, which takes part in the consensus. Thread-safe.
 *
 * <p>The server that leads carries out requests. The others refuse them, and say who leads.
 */
public final class ClusterServer implements AutoCloseable {

    /** How long a cluster remembers a fence after its last use. It is the same in all releases, since all servers must agree on it. */
    private static final Duration FENCE_RETENTION = Duration.ofHours(24);

    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int RPC_THREADS = 4;

    /** The fewest entries after which another snapshot is worth its cost. An idle cluster writes one entry a minute. */
    private static final int SNAPSHOT_MARGIN = 10;

    private final ClusterConfig config;
    private final Timing timing;
    private final Proposals proposals;
    private final Set<ServerConnection> connections = ConcurrentHashMap.newKeySet();
    private final List<Executor> workers;
    private final RpcServer rpc;
    private final RaftGroupService service;
    private final Node node;
    private final long startNanos;
    private volatile boolean closed;
    private @Nullable Timer sweeper;

    private ClusterServer(ClusterConfig config, Timing timing) {
        this.config = config;
        this.timing = timing;
        this.startNanos = timing.ticker().nanos();
        this.proposals = new Proposals(new LogTime(timing.ticker()), this::append);
        if (config.options().tls() != null) {
            PeerRpc.requireTls();
        }
        DataFolder data = DataFolder.open(config);
        this.workers = List.of(
                JRaftUtils.createExecutor("holdfast-raft-" + config.name() + "-", RPC_THREADS),
                JRaftUtils.createExecutor("holdfast-raft-other-" + config.name() + "-", 1));
        PeerId self = peer(config.peers().get(config.name()));
        this.rpc = rpcServer(self);
        this.service = new RaftGroupService(config.cluster(), self, options(data), rpc, true);
        this.node = started();
    }

    /**
     * Starts a server. It does not wait for the others.
     *
     * @param timing the clock of the log time, and the workers for notifications
     * @throws HoldfastException if the server cannot use its data folder or its address
     */
    public static ClusterServer start(ClusterConfig config, Timing timing) {
        return new ClusterServer(config, timing);
    }

    private static PeerId peer(@Nullable String address) {
        return JRaftUtils.getPeerId(address);
    }

    private NodeOptions options(DataFolder data) {
        ClusterConfig.Options chosen = config.options();
        NodeOptions options = new PeerRpc.PeerOptions(chosen.tls());
        options.setInitialConf(new Configuration(
                config.peers().values().stream().map(ClusterServer::peer).toList()));
        options.setFsm(new RaftStateMachine(
                new LockStateMachine(FENCE_RETENTION.toMillis()), timing.scheduler(), new Events()));
        options.setLogUri(data.log());
        options.setRaftMetaUri(data.meta());
        options.setSnapshotUri(data.snapshots());
        options.setElectionTimeoutMs(Math.toIntExact(chosen.electionTimeout().toMillis()));
        options.setSnapshotIntervalSecs(
                Math.toIntExact(chosen.snapshotInterval().toSeconds()));
        options.setSnapshotLogIndexMargin(SNAPSHOT_MARGIN);
        options.setDisableCli(true); // no program may change the members of the cluster over the peers' port
        options.getRaftOptions().setSync(true);
        options.getRaftOptions().setEnableLogEntryChecksum(true);
        options.getRaftOptions()
                .setMaxElectionDelayMs(Math.toIntExact(chosen.electionTimeout().toMillis()));
        return options;
    }

    private RpcServer rpcServer(PeerId self) {
        RpcServer server =
                PeerRpc.server(self.getIp(), self.getPort(), config.options().tls());
        RaftRpcServerFactory.addRaftRequestProcessors(server, workers.get(0), workers.get(1), workers.get(1));
        return server;
    }

    /** Starts the traffic before the node: if the address is in use, there is no node that has to be stopped. */
    private Node started() {
        try {
            if (!rpc.init(null)) {
                throw new HoldfastException("the address is in use");
            }
            return service.start(false);
        } catch (RuntimeException e) {
            stopTraffic();
            throw new HoldfastException("server " + config.name() + " cannot start at "
                    + config.peers().get(config.name()) + ": " + e.getMessage());
        }
    }

    private void stopTraffic() {
        if (rpc.isStarted()) {
            rpc.shutdown();
        }
        for (Executor worker : workers) {
            if (worker instanceof ExecutorService pool) {
                pool.shutdown();
            }
        }
    }

    /** Returns whether this server leads, and has applied all that earlier leaders committed. */
    public boolean leads() {
        return proposals.leads();
    }

    /** Returns the name of the server that leads as far as this server knows. */
    public Optional<String> leader() {
        return Optional.ofNullable(node.getLeaderId())
                .map(leader -> config.nameOf(leader.getEndpoint().toString()));
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
        connections.add(connection);
        listener.identified(config.cluster());
        if (closed) {
            connection.close();
        } else {
            connection.tellLead();
        }
        return connection;
    }

    void disconnected(ServerConnection connection) {
        connections.remove(connection);
    }

    /** Carries out an operation if this server leads. */
    CompletionStage<Object> propose(Operation<?> operation) {
        Optional<String> refusal = refusal();
        return refusal.isPresent()
                ? CompletableFuture.completedFuture(new Unavailable(refusal.get(), false))
                : proposals.propose(operation);
    }

    /**
     * Asks a majority of the servers whether this one still leads. That writes nothing to the log.
     *
     * @return completes with the reason why this server carries out no requests; empty if it does
     */
    CompletionStage<Optional<String>> confirmLead() {
        Optional<String> refusal = refusal();
        if (refusal.isPresent()) {
            return CompletableFuture.completedFuture(refusal);
        }
        CompletableFuture<Optional<String>> confirmed = new CompletableFuture<>();
        node.readIndex(new byte[0], new ReadIndexClosure() {
            @Override
            public void run(Status status, long index, byte[] context) {
                confirmed.complete(
                        status.isOk()
                                ? Optional.empty()
                                : Optional.of("no majority confirms that server " + name() + " leads: "
                                        + status.getErrorMsg()));
            }
        });
        return confirmed;
    }

    /** Returns why this server carries out no requests; empty if it does. */
    Optional<String> refusal() {
        if (closed) {
            return Optional.of("server " + name() + " is closed");
        }
        return leads()
                ? Optional.empty()
                : Optional.of(leader().filter(one -> !one.equals(name()))
                        .map(one -> "server " + one + " leads, and this is server " + name())
                        .orElse("the cluster has no leader that server " + name() + " knows"));
    }

    /** Changes how long this server waits for a leader that is silent. */
    void resetElectionTimeout(Duration timeout) {
        node.resetElectionTimeoutMs(Math.toIntExact(timeout.toMillis()));
    }

    /** Makes another server the leader, if this one leads and one of the others is up to date. Returns at once. */
    public void stepDown() {
        node.transferLeadershipTo(PeerId.ANY_PEER);
    }

    /**
     * Writes a snapshot now, and drops the log before it.
     *
     * @return completes with an empty text, or with the reason why there is no snapshot
     */
    public CompletionStage<String> snapshot() {
        CompletableFuture<String> done = new CompletableFuture<>();
        node.snapshot(status -> done.complete(status.isOk() ? "" : status.toString()));
        return done;
    }

    private void append(Proposals.Proposal proposal, long term) {
        RaftStateMachine.Done done = new RaftStateMachine.Done(proposal);
        if (closed) {
            done.run(new Status(-1, "the server closes"));
            return;
        }
        Task task = new Task(ByteBuffer.wrap(proposal.batch().bytes()), done);
        task.setExpectedTerm(term); // its time is that of this term, and must not be used in another one
        node.apply(task);
    }

    private void sweep() {
        proposals.propose(new Operation.Sweep());
        synchronized (this) {
            sweeper = closed || !leads() ? null : timing.scheduler().schedule(SWEEP_NANOS, this::sweep);
        }
    }

    /** Stops this server. Another one takes over if this one leads. A second call has no effect. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (sweeper != null) {
                sweeper.cancel();
            }
        }
        proposals.close("the server is closed");
        connections.forEach(ServerConnection::tellLead);
        stopTraffic();
        service.shutdown();
        try {
            service.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Events implements RaftStateMachine.Events {

        @Override
        public void pushed(List<Push> pushes) {
            if (!proposals.leads()) {
                return; // the server that leads notifies the clients
            }
            for (Push push : pushes) {
                for (ServerConnection connection : connections) {
                    if (connection.client().equals(push.owner().client())) {
                        connection.pushed(push);
                    }
                }
            }
        }

        @Override
        public void leads(long term, long appliedMillis) {
            proposals.open(term, appliedMillis);
            connections.forEach(ServerConnection::tellLead);
            timing.scheduler().execute(ClusterServer.this::sweep);
        }

        @Override
        public void follows(String reason) {
            proposals.close(reason);
            connections.forEach(ServerConnection::tellLead);
        }
    }
}
