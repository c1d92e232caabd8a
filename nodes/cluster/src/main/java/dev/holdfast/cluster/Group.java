package dev.holdfast.cluster;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.RaftGroupService;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.Task;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.rpc.RpcServer;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.Timing;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One server's replica of a group: a lock table with a log, a leader and a log time of its own. A cluster with one group has nothing else. Thread-safe.
 *
 * <p>A group knows nothing of the other ones at the same server. They share the server's port, its clients and its identity.
 */
final class Group {

    private final ClusterConfig config;
    private final Timing timing;
    private final int index;
    private final Home home;
    private final PeerId self;
    private final Proposals proposals;
    private final Office office;
    private final LeadQuestions questions;
    private final LeadTransfer transfer = new LeadTransfer();
    private final RaftStateMachine machine;
    private final NodeOptions options;
    private volatile boolean closed;
    private volatile @Nullable RaftGroupService service;
    private volatile @Nullable Node node; // null until the cluster is created

    /** The server of a group. */
    interface Home {

        /** Returns the clients of the server. */
        Clients clients();

        /** Returns the name of another server; its address if this one has never heard from it. */
        String nameOf(PeerId peer);

        /** Returns why the server takes no part yet. */
        String waitsFor();
    }

    /** Creates the replica of a group without starting it. */
    Group(ClusterConfig config, DataFolder data, Timing timing, PeerSockets sockets, int index, Home home) {
        this.config = config;
        this.timing = timing;
        this.index = index;
        this.home = home;
        this.self = Members.peer(config.address(), data.identity());
        this.proposals = new Proposals(new LogTime(timing.ticker()), timing.scheduler()::schedule, this::append);
        this.office = new Office(proposals, transfer, timing.scheduler(), home.clients());
        this.questions = new LeadQuestions(config.name(), timing.ticker());
        this.machine = new RaftStateMachine(
                new LockStateMachine(ClusterServer.FENCE_RETENTION.toMillis()), timing.scheduler(), office);
        this.options = EngineOptions.of(config, data, index, machine, new PeerRpc.PeerOptions(sockets, timing));
    }

    /** Returns the name of a group to the engine. */
    static String engineName(ClusterConfig config, int index) {
        return config.groups() == 1 ? config.cluster() : config.cluster() + "-" + index;
    }

    /**
     * Starts to vote and to replicate.
     *
     * @param members those with which the cluster begins
     * @throws HoldfastException if the data cannot be used
     */
    void start(Configuration members, RpcServer server) {
        options.setInitialConf(members);
        RaftGroupService starting = new RaftGroupService(engineName(), self, options, server, true);
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

    /** Refuses all further operations. The replica goes on to vote until {@link #shutDown}. */
    void close() {
        closed = true;
        office.close();
    }

    /** Stops the replica, and returns at once. */
    void shutDown() {
        RaftGroupService running = service;
        if (running != null) {
            running.shutdown();
        }
    }

    /** Waits until the replica has stopped. */
    void join() {
        RaftGroupService running = service;
        try {
            if (running != null) {
                running.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- what it is, and how far

    int index() {
        return index;
    }

    String engineName() {
        return engineName(config, index);
    }

    /** Returns the group for people: the whole cluster if it has one group. */
    String title() {
        return config.groups() == 1 ? "the cluster" : "group " + index;
    }

    /** Returns the fields of a server's answer that are about this group. */
    PeerMessage part(PeerMessage answer) {
        return answer.of(index, config.groups());
    }

    /** Returns this server as a member of the group. */
    PeerId self() {
        return self;
    }

    /** Returns the node of the engine; null before it runs. */
    @Nullable
    Node node() {
        return node;
    }

    /** Returns whether this server leads by the engine's account, even if it has not applied yet what earlier leaders committed. */
    boolean isLeader() {
        Node running = node;
        return running != null && running.isLeader();
    }

    /** Makes another server the leader, if this one leads and one of the others is up to date. Returns at once. */
    void stepDown() {
        Node running = node;
        if (running != null) {
            running.transferLeadershipTo(PeerId.ANY_PEER);
        }
    }

    /** Changes how long this server waits for a leader that is silent. */
    void resetElectionTimeout(Duration timeout) {
        Node running = node;
        if (running != null) {
            running.resetElectionTimeoutMs(Math.toIntExact(timeout.toMillis()));
        }
    }

    LeadTransfer transfer() {
        return transfer;
    }

    /** Returns the present members, as far as the log of this server says. */
    List<PeerId> present() {
        Configuration present = node instanceof NodeImpl running ? running.getCurrentConf() : null;
        return present == null ? List.of() : present.listPeers();
    }

    /** Returns whether this server has no log yet: it waits to be added. */
    boolean isJoining() {
        return node != null && present().isEmpty();
    }

    /** Returns why this server is no member that runs; empty if it is one. */
    Optional<String> outside() {
        return !problem().isEmpty()
                ? Optional.of(problem())
                : present().contains(self) ? Optional.empty() : Optional.of(noMember());
    }

    private String noMember() {
        return "server " + config.name() + " is not a member of " + title();
    }

    /** Returns the server that leads as far as this server knows. */
    Optional<PeerId> leader() {
        return Optional.ofNullable(node).map(Node::getLeaderId);
    }

    /** Returns whether this server leads, and has applied all that earlier leaders committed. */
    boolean leads() {
        return proposals.leads();
    }

    /** Returns the term that this server has reached. */
    long term() {
        return office.term();
    }

    /** Returns how often a server has become the leader, as far as this one has seen in this run. */
    long leaderChanges() {
        return office.changes();
    }

    /** Returns why this server takes no part; an empty text if it does. */
    String problem() {
        return node == null ? home.waitsFor() : machine.problem();
    }

    void onCommitted(LongConsumer observer) {
        proposals.onCommitted(observer);
    }

    /** Returns the present log time, if this server leads. */
    long millis() {
        return proposals.millis();
    }

    // ---- operations

    /** Returns why this server carries out no requests; empty if it does. */
    Optional<String> refusal() {
        if (closed) {
            return Optional.of("server " + config.name() + " is closed");
        }
        if (node == null) {
            return Optional.of(home.waitsFor());
        }
        return leads() ? Optional.empty() : Optional.of(notLeading());
    }

    /** Returns which server leads instead of this one. */
    String notLeading() {
        String what = config.groups() == 1 ? " leads" : " leads " + title();
        return leader().filter(peer -> !peer.equals(self))
                .map(peer -> "server " + home.nameOf(peer) + what + ", and this is server " + config.name())
                .orElse(
                        present().contains(self)
                                ? title() + " has no leader that server " + config.name() + " knows"
                                : noMember() + (isJoining() ? " yet" : "") + "; ask another server");
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
            Optional<ResourceState> state = machine.inspect(operation.resource(), millis());
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

    /**
     * Returns the state in bytes, if this server leads. It contains every operation that was acknowledged before this call.
     *
     * @return completes exceptionally with a {@link HoldfastException} if this server does not lead
     */
    CompletionStage<byte[]> state() {
        return propose(new Operation.Sweep())
                .thenApplyAsync(
                        answer -> {
                            if (answer instanceof Unavailable unavailable) {
                                throw new HoldfastException(unavailable.reason());
                            }
                            return machine.state();
                        },
                        timing.scheduler()::execute);
    }

    private void append(Proposals.Proposal proposal, long term) {
        RaftStateMachine.Done done = new RaftStateMachine.Done(proposal);
        Node running = node;
        if (closed || running == null) {
            timing.scheduler().execute(() -> done.run(new Status(-1, "the server closes")));
            return;
        }
        byte[] entry;
        try {
            entry = proposal.batch().bytes();
        } catch (UncheckedIOException e) { // otherwise the proposals would count the entry as under way for ever
            Status status = new Status(-1, "an operation is too large for the log: %s", e.getMessage());
            timing.scheduler().execute(() -> done.run(status));
            return;
        }
        Task task = new Task(ByteBuffer.wrap(entry), done);
        task.setExpectedTerm(term); // its time is that of this term, and must not be used in another one
        running.apply(task);
    }

    /** Writes a snapshot now. Completes with an empty text, or with the reason why there is no snapshot. */
    CompletableFuture<String> snapshot() {
        Node running = node;
        if (running == null) {
            return CompletableFuture.completedFuture(home.waitsFor());
        }
        CompletableFuture<String> done = new CompletableFuture<>();
        running.snapshot(status -> done.complete(status.isOk() ? "" : status.toString()));
        return done;
    }
}
