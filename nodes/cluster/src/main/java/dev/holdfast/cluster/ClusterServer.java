package dev.holdfast.cluster;

import com.alipay.sofa.jraft.entity.PeerId;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.node.LockGroups;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One server of a cluster: a replica of the lock table of each group, which takes part in the consensus. Thread-safe.
 *
 * <p>The server that leads a group carries out the requests for its locks. The others refuse them, and say who leads.
 */
public final class ClusterServer implements AutoCloseable {

    /** How long a cluster remembers a fence after its last use. It is the same in all releases, since all servers must agree on it. */
    static final Duration FENCE_RETENTION = Duration.ofHours(24);

    private final ClusterConfig config;
    private final Timing timing;
    private final Clients clients = new Clients();
    private final List<Group> groups;
    private final PeerTraffic traffic;
    private final Founding founding;
    private final StatusReports reports;
    private final Members members;
    private final States states;
    private final Spreading spreading;
    private final long startNanos;
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;

    private ClusterServer(ClusterConfig config, Timing timing) {
        this.config = config;
        this.timing = timing;
        this.startNanos = timing.ticker().nanos();
        PeerSockets sockets = PeerSockets.of(config.options().tls(), timing.ticker());
        EngineSignals.release();
        DataFolder data = DataFolder.open(config, timing.random());
        this.groups = IntStream.range(0, config.groups())
                .mapToObj(index -> new Group(config, data, timing, sockets, index, new GroupHome()))
                .toList();
        this.traffic = new PeerTraffic(config, timing, sockets, this::answer);
        this.reports = new StatusReports(config, data, traffic, timing.ticker(), groups);
        this.members = new Members(config, groups, reports, traffic);
        this.states = new States(config, traffic);
        this.spreading = new Spreading(groups, reports, timing);
        groups.stream()
                .map(group -> new LeaderWatch(group, timing.scheduler(), reports::ask))
                .forEach(watch -> traffic.onConnectionEnd(watch::connectionEnded));
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
        if (!closing.get()) {
            groups.forEach(group -> group.start(founding.members(), traffic.server()));
            spreading.begin();
        }
    }

    /** Answers another server. */
    private CompletableFuture<PeerMessage> answer(PeerMessage question) {
        return switch (question.get("question")) {
            case "hello" -> CompletableFuture.completedFuture(hello(question));
            case Members.CHANGE -> members.answer(question);
            case States.STATE -> states.answer(question, groups);
            default -> CompletableFuture.completedFuture(reports.own());
        };
    }

    private PeerMessage hello(PeerMessage question) {
        PeerMessage answer = founding.answer(question, members.present());
        if (!answer.get("problem").isEmpty() && members.has(question.get("address"))) {
            reports.refused(question.get("address"), answer.get("problem"));
        }
        return answer;
    }

    /** Returns whether this server leads at least one group, and has applied all that earlier leaders of the group committed. */
    public boolean leads() {
        return groups.stream().anyMatch(Group::leads);
    }

    /** Returns the groups of the cluster, and those that this server leads now. */
    public LockGroups groups() {
        return groups.size() == 1
                ? groups.get(0).leads() ? LockGroups.WHOLE : LockGroups.NONE
                : new LockGroups(groups.size(), terms().keySet());
    }

    /** Returns the groups that this server leads now. */
    List<Group> led() {
        return groups.stream().filter(Group::leads).toList();
    }

    /** Returns the groups that this server leads now, with the terms in which it does. */
    Map<Integer, Long> terms() {
        return led().stream().collect(Collectors.toMap(Group::index, Group::term));
    }

    /** Returns the group of a lock. */
    Group groupOf(String resource) {
        return groups.get(groups.size() == 1 ? 0 : LockGroups.of(resource, groups.size()));
    }

    /**
     * Returns the name of the server that leads a group, as far as this server knows.
     *
     * @param group the index of the group, from 0 to the number of groups less one
     * @throws IllegalArgumentException if there is no such group
     */
    public Optional<String> leader(int group) {
        return reports.leader(group(group));
    }

    private Group group(int index) {
        if (index < 0 || index >= groups.size()) {
            throw new IllegalArgumentException(
                    "there is no group " + index + "; the cluster has the groups 0 to " + (groups.size() - 1));
        }
        return groups.get(index);
    }

    /** Returns whether this server knows a leader of every group. */
    public boolean leadersKnown() {
        return groups.stream().allMatch(group -> group.leader().isPresent());
    }

    /** Returns the name of this server. */
    public String name() {
        return config.name();
    }

    /** Returns the name of the cluster. */
    public String cluster() {
        return config.cluster();
    }

    /** Returns the name of the cluster with a mark that no other cluster has, as in {@code shop#3f9a21c4}; without it while this server does not know it. */
    public String clusterId() {
        return founding.clusterId();
    }

    /** Returns how long this server has run. */
    public Duration uptime() {
        return Duration.ofNanos(timing.ticker().nanos() - startNanos);
    }

    /**
     * Connects a client, and returns its view of this server. Requests for locks of a group that this server does not lead are answered with {@link
     * dev.holdfast.node.Unavailable}.
     *
     * @param client the client part of its owner ids
     * @param listener is notified on a worker thread of whether this server leads at least one group, first now and then after each change of its groups. It
     *     receives the pushes of the groups that this server leads
     */
    public LockNode connect(String client, NodeListener listener) {
        ServerConnection connection = new ServerConnection(this, client, listener, timing.scheduler());
        clients.add(connection);
        listener.identified(clusterId());
        if (closed) {
            connection.close();
        } else {
            connection.tellLead();
        }
        return connection;
    }

    void disconnected(ServerConnection connection) {
        clients.remove(connection);
    }

    /**
     * Asks a majority of the servers whether this one still leads each group that it leads now.
     *
     * @return completes with the reason why this server carries out no requests; empty if it does
     */
    CompletionStage<Optional<String>> confirmLead() {
        List<Group> led = led();
        if (led.isEmpty()) {
            return CompletableFuture.completedFuture(refusal());
        }
        CompletionStage<Optional<String>> all = CompletableFuture.completedFuture(Optional.empty());
        for (Group group : led) {
            all = all.thenCombine(group.confirmLead(), (one, other) -> one.or(() -> other));
        }
        return all;
    }

    /** Returns why this server carries out no requests; empty if it does. */
    Optional<String> refusal() {
        if (closed) {
            return Optional.of("server " + name() + " is closed");
        }
        if (groups.size() == 1) {
            return groups.get(0).refusal();
        }
        if (leads()) {
            return Optional.empty();
        }
        return Optional.of(groups.stream()
                .map(Group::problem)
                .filter(problem -> !problem.isEmpty())
                .findFirst()
                .orElse("server " + name() + " leads none of the " + groups.size() + " groups"));
    }

    /** Changes how long this server waits for a leader that is silent. */
    void resetElectionTimeout(Duration timeout) {
        groups.forEach(group -> group.resetElectionTimeout(timeout));
    }

    /** Returns the state of all members. It asks each of them, and waits for a second for those that do not answer. */
    public CompletionStage<ClusterStatus> status() {
        return members.status();
    }

    /** Returns the part that this server takes. It asks the leaders, or all members if it does not know them, and waits for a second. */
    public CompletionStage<OwnPart> part() {
        return members.ownPart();
    }

    /** Returns how far the logs of this server are in sum, without the lag; empty before it takes part. */
    public Optional<ClusterStatus.LogPosition> position() {
        return reports.position();
    }

    /** Returns how often a server has become the leader of a group, as far as this one has seen since it started. */
    public long leaderChanges() {
        return groups.stream().mapToLong(Group::leaderChanges).sum();
    }

    /**
     * Observes how long each entry of this leader takes from its proposal until it is committed and applied, in nanoseconds. The observer must return at
     * once. A later observer replaces an earlier one.
     */
    public void onCommitted(LongConsumer observer) {
        groups.forEach(group -> group.onCommitted(observer));
    }

    /**
     * Adds a server to all groups of the cluster. This server asks the leaders of the groups that it does not lead. The new server must run, started
     * with {@link ClusterConfig.Start#JOIN}. Adding a member again changes nothing.
     *
     * @param name the name of the new server
     * @param address its address for the traffic between servers
     * @return completes with an empty text once the server takes part in all groups, or with the reason why it does not. After a failure between two
     *     groups, the change can be repeated
     * @throws IllegalArgumentException if the name or the address cannot be one
     */
    public CompletionStage<String> add(String name, String address) {
        return members.add(name, address);
    }

    /**
     * Removes a server from all groups of the cluster. This server asks the leaders of the groups that it does not lead. The other server need not run. If it
     * runs, it stays without a vote until it is closed.
     *
     * @param nameOrAddress the name of the server; its address if {@link #status} shows no name
     * @return completes with an empty text once the cluster goes on without the server, or with the reason why it does not. After a failure between two
     *     groups, the change can be repeated
     */
    public CompletionStage<String> remove(String nameOrAddress) {
        return members.remove(nameOrAddress);
    }

    /**
     * Makes a server the leader of all groups. This server asks the leaders of the groups that it does not lead. Meanwhile, requests are refused as
     * unavailable, and clients re-send them. A cluster with several groups spreads their leads over the servers again a few seconds later.
     *
     * @param nameOrAddress the name of the server; its address if {@link #status} shows no name
     * @return completes with an empty text once the server leads, or with the reason why another one still does
     */
    public CompletionStage<String> transfer(String nameOrAddress) {
        return members.transfer(nameOrAddress);
    }

    /**
     * Makes a server the leader of one group, as {@link #transfer(String)} does for all groups.
     *
     * @param group the index of the group, from 0 to the number of groups less one
     * @throws IllegalArgumentException if there is no such group
     */
    public CompletionStage<String> transfer(String nameOrAddress, int group) {
        return members.transfer(nameOrAddress, group(group).index());
    }

    /** Sets whether clients can reach this server, which they can by default. As long as they cannot, the others transfer no lead to it. */
    public void setReachable(boolean reachable) {
        reports.setReachable(reachable);
    }

    /**
     * Makes other servers the leaders of the groups that this one leads, as far as others are up to date. Returns at once. The other servers give this one no
     * lead from now on, because it is about to stop.
     */
    public void stepDown() {
        spreading.end();
        reports.leave();
        groups.forEach(Group::stepDown);
    }

    /**
     * Writes a snapshot of each group now, and drops the logs before them.
     *
     * @return completes with an empty text, or with the reason why there is no snapshot
     */
    public CompletionStage<String> snapshot() {
        CompletableFuture<String> all = CompletableFuture.completedFuture("");
        for (Group group : groups) {
            all = all.thenCombine(group.snapshot(), (one, other) -> one.isEmpty() ? other : one);
        }
        return all;
    }

    /**
     * Makes a backup of the cluster: the content of a file from which a new cluster can start ({@link Backup#restore}). It contains every operation that was
     * acknowledged before this call.
     *
     * <p>This server asks the leaders of the groups that it does not lead. The states of two groups may differ by operations that were acknowledged
     * during the call.
     *
     * @return completes exceptionally with a {@link HoldfastException} that says why there is no backup
     */
    public CompletionStage<byte[]> backup() {
        long wallMillis = timing.ticker().wallMillis();
        return states.of(groups).thenApply(all -> new Backup(config.cluster(), wallMillis, all).bytes());
    }

    /**
     * Stops this server. It hands its leads to others first, so that requests are refused for the time of a hand-over only. It waits no longer than a
     * second for the answers of the others. For each group that it leads, it waits no longer than two election timeouts for each server that answers. A
     * server that does not lead does not wait. A second call has no effect.
     */
    @Override
    public void close() {
        if (closing.getAndSet(true)) {
            return;
        }
        founding.end();
        spreading.end();
        reports.leave();
        new HandOver(groups, reports, config.options().electionTimeout().multipliedBy(2)).run();
        synchronized (this) {
            closed = true; // from here on, no group starts any more
        }
        groups.forEach(Group::close);
        traffic.close();
        groups.forEach(Group::shutDown);
        groups.forEach(Group::join);
    }

    private final class GroupHome implements Group.Home {

        @Override
        public Clients clients() {
            return clients;
        }

        @Override
        public String nameOf(PeerId peer) {
            return reports.nameOf(peer);
        }

        @Override
        public String waitsFor() {
            return founding.waitsFor();
        }
    }
}
