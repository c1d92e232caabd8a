package dev.holdfast.server.client;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Persistence;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockGroups;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A client's view of a cluster as one node: it keeps a connection to each server, and sends each request to the server that leads the group of its lock.
 * Thread-safe.
 *
 * <p>While there is no leader, and when the leader changes under a request, the answer is {@link Unavailable}. Whenever a server leads a further group, the
 * node reports itself as available, and the client re-sends its requests under the same owner ids.
 */
public final class ClusterNode implements LockNode {

    private final String name;
    private final NodeListener listener;
    private final List<Server> servers = new ArrayList<>();
    private volatile List<Server> leading = List.of(); // the one with the latest news first
    private volatile String problem = "not connected yet";
    private volatile @Nullable String conflict; // why the servers cannot be one node; null if they can
    private volatile boolean closed;

    // guarded by this, as are the fields of the servers
    private boolean news; // about servers that lead, which the client does not know yet

    private ClusterNode(String name, NodeListener listener) {
        this.name = name;
        this.listener = listener;
    }

    /**
     * Connects a client to the servers of a cluster.
     *
     * @param name the name of the node
     * @param listener receives pushes, and learns when the cluster has and loses a leader
     * @param servers connect to one server each. A connection must be available while its server leads a group, and unavailable while it leads none. It must
     *     report itself as available again when it leads another set of groups
     */
    public static ClusterNode open(String name, NodeListener listener, List<Function<NodeListener, LockNode>> servers) {
        ClusterNode node = new ClusterNode(name, listener);
        synchronized (node) { // notices wait until all connections are known
            for (Function<NodeListener, LockNode> connecting : servers) {
                Server server = node.new Server();
                node.servers.add(server);
                server.connection = connecting.apply(server);
            }
        }
        return node;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
        return send(request.resource(), node -> node.acquire(request));
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
        return send(request.resource(), node -> node.release(request));
    }

    @Override
    public CompletionStage<InspectAnswer> inspect(String resource) {
        return send(resource, node -> node.inspect(resource));
    }

    /** Sends a request to the leader of the lock's group. {@link Unavailable} belongs to the answers of all of them. */
    @SuppressWarnings("unchecked")
    private <A> CompletionStage<A> send(String resource, Function<LockNode, CompletionStage<A>> request) {
        for (Server server : leading) {
            LockNode connection = server.connection;
            if (isUsable() && connection != null && connection.groups().leads(resource)) {
                return request.apply(connection);
            }
        }
        String why =
                !isUsable() || leading.isEmpty() ? problem() : "no server leads the group of this lock at the moment";
        return CompletableFuture.completedFuture((A) new Unavailable(why, false));
    }

    private boolean isUsable() {
        return !closed && conflict == null;
    }

    /** Returns the connections to the servers that lead, the one with the latest news first; none after the end, and none of several clusters. */
    private List<LockNode> leaders() {
        return !isUsable()
                ? List.of()
                : leading.stream()
                        .<LockNode>mapMulti((server, each) -> {
                            LockNode connection = server.connection;
                            if (connection != null) {
                                each.accept(connection);
                            }
                        })
                        .toList();
    }

    // ---- questions to all leaders

    @Override
    public CompletionStage<ListAnswer> list(String prefix, int limit) {
        Leaders all = Leaders.of(leaders());
        if (!all.without.isEmpty()) {
            return CompletableFuture.completedFuture(new Unavailable(withoutLeader(all), false));
        }
        return all.ask(node -> node.list(prefix, limit)).thenApply(answers -> merge(all, answers, limit));
    }

    private static ListAnswer merge(Leaders asked, List<ListAnswer> answers, int limit) {
        List<ListAnswer.Names> parts = new ArrayList<>();
        for (ListAnswer answer : answers) {
            if (!(answer instanceof ListAnswer.Names names)) {
                return answer;
            }
            parts.add(names);
        }
        return asked.stillLead()
                ? ListAnswer.Names.merge(parts, limit)
                : new Unavailable("the leader of a group has changed meanwhile", false);
    }

    @Override
    public CompletionStage<NodeStatus> status() {
        Leaders all = Leaders.of(leaders());
        return all.without.isEmpty()
                ? all.ask(LockNode::status).thenApply(this::worst)
                : CompletableFuture.completedFuture(
                        NodeStatus.unreachable(name, NodeStatus.State.DOWN, withoutLeader(all)));
    }

    /** Returns the status that hinders most: that of a server that is not up, or else that of the slowest one. */
    private NodeStatus worst(List<NodeStatus> all) {
        NodeStatus worst = Collections.max(
                all,
                Comparator.<NodeStatus, Boolean>comparing(status -> status.state() != NodeStatus.State.UP)
                        .thenComparing(NodeStatus::roundTrip));
        return new NodeStatus(
                name, worst.state(), worst.detail(), worst.roundTrip(), worst.quarantine(), worst.server());
    }

    private String withoutLeader(Leaders all) {
        return all.count == 1 ? problem() : "no server leads the groups " + all.without + " at the moment";
    }

    private String problem() {
        String why = conflict;
        return closed ? "closed" : why != null ? why : problem;
    }

    @Override
    public Persistence persistence() {
        return Persistence.ALL;
    }

    @Override
    public void afterReading(Runnable task) {
        Runnable next = task;
        for (LockNode connection : leaders()) {
            Runnable last = next;
            next = () -> connection.afterReading(last);
        }
        next.run();
    }

    @Override
    public void close() {
        closed = true;
        for (Server server : servers) {
            LockNode connection = server.connection;
            if (connection != null) {
                connection.close();
            }
        }
    }

    /** Reports that further groups have leaders. At first it waits until all groups have, or every server has said which it leads. */
    private void tellAvailable() {
        boolean all = servers.stream().allMatch(server -> server.heard);
        if (news
                && conflict == null
                && !leading.isEmpty()
                && (all || Leaders.of(leaders()).without.isEmpty())) {
            news = false;
            listener.available(clusterId());
        }
    }

    /** Reports that no server leads, once every server has given its reason. */
    private void tellUnavailable() {
        if (conflict != null || !leading.isEmpty() || servers.stream().anyMatch(server -> server.problem == null)) {
            return;
        }
        problem = problems();
        if (servers.stream().allMatch(server -> server.refused)) {
            listener.refused(problem);
        } else {
            listener.unavailable(problem);
        }
    }

    /** Refuses servers of several clusters, whichever of them lead. Two clients that ask different ones could hold the same lock. */
    private void compareClusters() {
        List<String> clusters = clusters();
        if (ClusterIds.areSeveral(clusters)) {
            String why = "the servers belong to several clusters, " + String.join(" and ", clusters)
                    + "; name those of one cluster";
            conflict = why;
            listener.refused(why);
        } else if (conflict != null) {
            conflict = null;
            news = true;
            listener.identified(clusterId());
            tellAvailable();
        }
    }

    /** Returns the clusters to which the servers belong. A server that does not know its cluster's mark yet says only the name. */
    private List<String> clusters() {
        return servers.stream()
                .map(server -> server.cluster)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    private String clusterId() {
        return ClusterIds.common(clusters());
    }

    /** Forgets the marks that other servers have said, unless they lead. They may be those of a former cluster, whose name and addresses the new one has. */
    private void forgetMarks(Server changed) {
        for (Server other : servers) {
            String said = other.cluster;
            if (other != changed && said != null && !leading.contains(other)) {
                other.cluster = ClusterIds.nameIn(said);
            }
        }
    }

    /** Returns the reasons of all servers that have given one. */
    private String problems() {
        return servers.stream()
                .map(server -> server.problem)
                .filter(Objects::nonNull)
                .distinct()
                .collect(Collectors.joining("; "));
    }

    /**
     * The listener for one server. It notifies the client under the lock, so that the last notice is that of the present state.
     */
    private final class Server implements NodeListener {

        private volatile @Nullable LockNode connection;
        private volatile @Nullable String cluster; // to which the server said last that it belongs
        private @Nullable String problem;
        private boolean refused;
        private boolean heard;

        @Override
        public void pushed(Push push) {
            if (leading.contains(this)) { // a server that follows may push the same
                listener.pushed(push);
            }
        }

        /** Compares the clusters of all servers. A known name needs no lock: a session tells it again under a lock of its own. */
        @Override
        public void identified(String serverId) {
            if (!serverId.equals(cluster)) {
                synchronized (ClusterNode.this) {
                    String before = cluster;
                    cluster = serverId;
                    if (before != null && ClusterIds.isMarked(before)) {
                        forgetMarks(this);
                    }
                    compareClusters();
                }
            }
        }

        @Override
        public void available(String serverId) {
            identified(serverId);
            synchronized (ClusterNode.this) {
                leading = Stream.concat(Stream.of(this), others()).toList();
                heard = true;
                problem = null;
                refused = false;
                if (conflict == null) {
                    listener.identified(clusterId());
                }
                news = true;
                tellAvailable();
            }
        }

        @Override
        public void unavailable(String reason) {
            ended(reason, false);
        }

        @Override
        public void refused(String reason) {
            ended(reason, true);
        }

        private void ended(String reason, boolean setup) {
            synchronized (ClusterNode.this) {
                heard = true;
                problem = reason;
                refused = setup;
                boolean led = leading.contains(this);
                leading = others().toList();
                if (led) {
                    ClusterNode.this.problem = problems();
                }
                if (led && leading.isEmpty()) {
                    listener.unavailable(ClusterNode.this.problem);
                } else {
                    tellAvailable();
                    tellUnavailable();
                }
            }
        }

        private Stream<Server> others() {
            return leading.stream().filter(other -> other != this);
        }
    }

    /**
     * The servers that lead all groups, at one moment.
     *
     * @param servers the groups of each server
     * @param count the number of groups; 1 if no server leads
     * @param without the groups without a leader
     */
    private record Leaders(Map<LockNode, LockGroups> servers, int count, Set<Integer> without) {

        static Leaders of(List<LockNode> leaders) {
            Map<LockNode, LockGroups> servers = new LinkedHashMap<>();
            leaders.forEach(leader -> servers.put(leader, leader.groups()));
            int count =
                    servers.values().stream().mapToInt(LockGroups::count).max().orElse(1);
            Set<Integer> without = IntStream.range(0, count).boxed().collect(Collectors.toCollection(TreeSet::new));
            servers.values().forEach(groups -> without.removeAll(groups.led()));
            return new Leaders(servers, count, without);
        }

        boolean stillLead() {
            return servers.entrySet().stream()
                    .allMatch(leader -> leader.getKey().groups().equals(leader.getValue()));
        }

        <A> CompletionStage<List<A>> ask(Function<LockNode, CompletionStage<A>> question) {
            CompletionStage<List<A>> all = CompletableFuture.completedFuture(List.of());
            for (LockNode server : servers.keySet()) {
                all = all.thenCombine(
                        question.apply(server),
                        (before, answer) -> Stream.concat(before.stream(), Stream.of(answer))
                                .toList());
            }
            return all;
        }
    }
}
