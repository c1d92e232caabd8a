package dev.holdfast.internal.quorum;

import dev.holdfast.internal.node.NodeSet;
import dev.holdfast.internal.owner.OwnerIds;
import dev.holdfast.internal.report.NoQuorumAlarm;
import dev.holdfast.internal.report.NodeReports;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
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

/** The shared state of one client's attempts, leases and releases: its nodes, its owner ids, and the targets of the nodes' pushes. Thread-safe. */
public final class Quorum implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Quorum.class.getName());

    final OwnerIds owners;
    final NodeReports reports;
    final NoQuorumAlarm alarm; // logs that no majority answers
    private final NodeSet nodes;
    private final int majority;
    final Map<Ticket, VoteSet> attempts = new ConcurrentHashMap<>(); // the receivers of pushes
    final Set<Release.NodeRelease> waiting =
            Collections.synchronizedSet(new LinkedHashSet<>()); // releases that wait for a retry, oldest first
    private final AtomicInteger releasing = new AtomicInteger();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private volatile boolean awaitsReleases;

    /**
     * Opens the nodes.
     *
     * @param client the client part of this client's owner ids
     * @param openers open the nodes, each with its listener
     * @param observer notified of what the client does
     * @param noQuorumNanos how long an attempt without a limit waits while no majority answers, {@link Long#MAX_VALUE} for no limit
     */
    public Quorum(
            String client,
            Timing timing,
            List<Function<NodeListener, LockNode>> openers,
            ClientObserver observer,
            long noQuorumNanos) {
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

    /** Returns how many nodes are a majority. */
    public int majority() {
        return majority;
    }

    /** Closes the connections to all nodes. */
    @Override
    public void close() {
        nodes.close();
    }

    // ---- pushes

    /** Releases a vote that no live attempt of this client knows (PROTOCOL §4, last rule), unless a copy of this process made the attempt. */
    void releaseOrphan(int index, String resource, OwnerId orphan) {
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
        public void pushed(int node, Push push) {
            OwnerId owner = push.owner();
            VoteSet votes = attempts.get(owner.ticket());
            if (!owner.client().equals(client())) {
                LOG.log(
                        Level.WARNING,
                        "Node " + nodes.name(node) + " pushed a vote for " + owner + ", which is not this client");
            } else if (votes != null) {
                votes.pushed(node, push);
            } else if (push instanceof Push.Granted
                    && owners.mayHaveGivenTicket(owner)) { // otherwise the vote belongs to a copy, and stays
                releaseOrphan(node, push.resource(), owner);
            }
        }

        @Override
        public void connected() {
            owners.connected();
        }

        @Override
        public void available(int node) {
            attempts.values().forEach(votes -> votes.available(node));
            List.copyOf(waiting).stream()
                    .filter(release -> release.node() == node)
                    .forEach(Release.NodeRelease::retry);
        }

        @Override
        public void clockMoved() {
            attempts.values().forEach(VoteSet::clockMoved);
        }
    }

    // ---- releases

    /** Notes that a release has begun: the connections must not close before the nodes have it. */
    void releaseBegun() {
        releasing.incrementAndGet();
    }

    /** Notes that every node has answered a release or timed out. */
    void releaseHeard() {
        if (releasing.decrementAndGet() == 0 && awaitsReleases) {
            released.complete(null);
        }
    }

    /** Completes when every node has answered every release that has begun, or has timed out. */
    public CompletableFuture<Void> released() {
        awaitsReleases = true;
        if (releasing.get() == 0) {
            released.complete(null);
        }
        return released;
    }
}
