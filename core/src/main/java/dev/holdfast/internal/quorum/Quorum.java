package dev.holdfast.internal.quorum;

import dev.holdfast.internal.node.NodeSet;
import dev.holdfast.internal.owner.OwnerIds;
import dev.holdfast.internal.report.NoQuorumAlarm;
import dev.holdfast.internal.report.NodeReports;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Ticket;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The shared state of one client's attempts, leases and releases: its nodes, its owner ids, and the targets of the nodes' pushes. Thread-safe. */
public final class Quorum implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Quorum.class.getName());

    private final NodeSet nodes;
    private final OwnerIds owners;
    private final NodeReports reports;
    private final NoQuorumAlarm alarm;
    private final int majority;
    private final Map<Long, PushTarget> targets = new ConcurrentHashMap<>();
    private final Set<Release> retrying = Collections.synchronizedSet(new LinkedHashSet<>()); // in the order of time
    private final AtomicInteger releasing = new AtomicInteger();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private volatile boolean awaitsReleases;

    /**
     * Opens the nodes.
     *
     * @param client the client part of this client's owner ids
     * @param openers open the nodes, each with its listener
     * @param observer notified of what the client does
     */
    public Quorum(
            String client, Timing timing, List<Function<NodeListener, LockNode>> openers, ClientObserver observer) {
        this(client, timing, openers, observer, Long.MAX_VALUE);
    }

    /**
     * Opens the nodes.
     *
     * @param noQuorumNanos how long an attempt without a limit waits while no majority answers, {@link Long#MAX_VALUE} without end
     */
    public Quorum(
            String client,
            Timing timing,
            List<Function<NodeListener, LockNode>> openers,
            ClientObserver observer,
            long noQuorumNanos) {
        if (openers.isEmpty()) {
            throw new IllegalArgumentException("no nodes are given, but a lock needs at least one");
        }
        this.majority = Validity.majority(openers.size());
        this.nodes = new NodeSet(openers.size(), timing, observer, new Pushes());
        this.owners = new OwnerIds(client, nodes.timing());
        this.reports = new NodeReports(nodes);
        this.alarm = new NoQuorumAlarm(nodes.timing().ticker(), majority, noQuorumNanos);
        nodes.open(openers); // last, since a node may push at once
    }

    // ---- what the parts of the protocol share

    public NodeSet nodes() {
        return nodes;
    }

    /** Returns the client part of this client's owner ids. */
    public String client() {
        return owners.client();
    }

    public Timing timing() {
        return nodes.timing();
    }

    public int size() {
        return nodes.size();
    }

    public ClientObserver observer() {
        return nodes.observer();
    }

    /** Returns how many nodes are a majority. */
    public int majority() {
        return majority;
    }

    /** Returns the name of the node at this index, without secrets. */
    public String name(int index) {
        return nodes.name(index);
    }

    OwnerIds owners() {
        return owners;
    }

    NodeReports reports() {
        return reports;
    }

    /** Returns the alarm that logs that no majority answers. */
    NoQuorumAlarm alarm() {
        return alarm;
    }

    /** Closes the connections to all nodes. */
    @Override
    public void close() {
        nodes.close();
    }

    // ---- pushes

    /** Sends pushes for this attempt to this target from now on. */
    public void register(long attempt, PushTarget target) {
        targets.put(attempt, target);
    }

    /** Releases votes that are pushed for this attempt from now on. */
    public void unregister(long attempt) {
        targets.remove(attempt);
    }

    /** Passes a CONTENDED push on that has reached the earlier target of its attempt. */
    void passContended(
            PushTarget earlier, int node, OwnerId owner, long fence, Ticket waiter, @Nullable LockValue value) {
        PushTarget target = targets.get(owner.attempt());
        if (target != null && target != earlier) {
            target.contended(node, owner, fence, waiter, value);
        }
    }

    /** Releases a vote that no live attempt of this client knows (PROTOCOL §4, last rule), unless a copy of this process made the attempt. */
    public void releaseOrphan(int index, String resource, OwnerId orphan) {
        if (owners.mayBeOwn(orphan)) {
            LOG.log(
                    Level.DEBUG,
                    "Released a vote for {0} on {1}: the attempt had already ended",
                    orphan,
                    nodes.name(index));
            nodes.ask(index, node -> node.release(new ReleaseRequest(resource, orphan, 0)));
        }
    }

    private final class Pushes implements NodeSet.Listener {

        @Override
        public void granted(int node, String resource, OwnerId owner, long fence, @Nullable LockValue value) {
            PushTarget target = targets.get(owner.attempt());
            if (!owner.client().equals(client())) {
                LOG.log(
                        Level.WARNING,
                        "Node " + name(node) + " pushed a vote for " + owner + ", which is not this client");
            } else if (target != null) {
                target.granted(node, owner, fence, value);
            } else if (owners.mayHaveGivenTicket(owner)) { // or the vote is a copy's, and stays
                releaseOrphan(node, resource, owner);
            }
        }

        @Override
        public void contended(int node, OwnerId owner, long fence, Ticket waiter, @Nullable LockValue value) {
            PushTarget target = targets.get(owner.attempt());
            if (target != null && owner.client().equals(client())) {
                target.contended(node, owner, fence, waiter, value);
            }
        }

        @Override
        public void connected() {
            owners.connected();
        }

        @Override
        public void available(int node) {
            targets.values().forEach(target -> target.available(node));
            List.copyOf(retrying).forEach(release -> release.retry(node));
        }

        @Override
        public void clockMoved() {
            targets.values().forEach(PushTarget::clockMoved);
        }
    }

    // ---- releases

    /** Notes that a release has begun: the connections must not close before the nodes have it. */
    void releaseBegun() {
        releasing.incrementAndGet();
    }

    /** Notes that every node has answered a release, or has had its time to. */
    void releaseHeard() {
        if (releasing.decrementAndGet() == 0 && awaitsReleases) {
            released.complete(null);
        }
    }

    /** Completes when every node has answered every release that has begun, or has had its time to. */
    public CompletableFuture<Void> released() {
        awaitsReleases = true;
        if (releasing.get() == 0) {
            released.complete(null);
        }
        return released;
    }

    /** Notifies this release when a node is available again. Harmless more than once. */
    void retries(Release release) {
        retrying.add(release);
    }

    void retriesNoMore(Release release) {
        retrying.remove(release);
    }
}
