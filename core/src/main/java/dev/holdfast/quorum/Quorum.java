package dev.holdfast.quorum;

import dev.holdfast.NodeReport;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Persistence;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Ticket;
import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.time.AdjustedTicker;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one client: which there are, what they push, and who of this client's attempts and leases is to hear it.
 * Thread-safe.
 *
 * <p>A server that stands behind two names would vote twice, so the second name is not used as long as the first one has the same
 * server.
 */
public final class Quorum implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Quorum.class.getName());

    private final String client;
    private final Timing timing;
    private final ClockSteps clockSteps;
    private final ClientObserver observer;
    private final TicketClock tickets;
    private final List<Seat> seats;
    private final Map<Long, PushTarget> targets = new ConcurrentHashMap<>();
    private final NavigableMap<Long, Release> unfinished =
            new ConcurrentSkipListMap<>(); // in the order of their numbers
    private final AtomicLong releases = new AtomicLong();
    private final BitSet all = new BitSet();
    private final AtomicInteger releasing = new AtomicInteger();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private volatile boolean awaitsReleases;
    private final CompletableFuture<Void> reached = new CompletableFuture<>();
    private final int majority;
    private volatile boolean sealsUsed;
    private volatile boolean valuesUsed;

    /**
     * Opens the nodes.
     *
     * @param client the client part of this client's owner ids
     * @param openers what opens each node, given its listener
     * @param observer told what the client does
     */
    public Quorum(
            String client, Timing timing, List<Function<NodeListener, LockNode>> openers, ClientObserver observer) {
        if (openers.isEmpty()) {
            throw new IllegalArgumentException("no nodes are given, but a lock needs at least one");
        }
        this.client = client;
        AdjustedTicker clock =
                timing.ticker() instanceof AdjustedTicker adjusted ? adjusted : new AdjustedTicker(timing.ticker());
        this.timing = new Timing(clock, timing.scheduler(), timing.random());
        this.clockSteps = new ClockSteps(this, clock);
        this.observer = observer;
        this.tickets = new TicketClock(clock);
        this.majority = Validity.majority(openers.size());
        all.set(0, openers.size());
        this.seats =
                IntStream.range(0, openers.size()).mapToObj(Seat::new).toList(); // before any node can tell of itself
        try {
            for (Seat seat : seats) {
                seat.node.complete(openers.get(seat.index).apply(seat));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    public String client() {
        return client;
    }

    public Timing timing() {
        return timing;
    }

    public int size() {
        return seats.size();
    }

    /** Who is told what the client does. */
    public ClientObserver observer() {
        return observer;
    }

    /** How many nodes are a majority. */
    public int majority() {
        return majority;
    }

    public LockNode node(int index) {
        return seats.get(index).node.join();
    }

    public String name(int index) {
        return node(index).name();
    }

    /** Completes when every node has connected, or has failed to for the first time. */
    public CompletableFuture<Void> tried() {
        return CompletableFuture.allOf(seats.stream().map(seat -> seat.tried).toArray(CompletableFuture<?>[]::new));
    }

    /** Completes when a majority of nodes has connected. */
    public CompletableFuture<Void> reached() {
        return reached;
    }

    /** Why nodes must not be used as they are set up, a line each; empty if all is well as far as is known. */
    public List<String> refusals() {
        List<String> refusals = new ArrayList<>();
        for (Seat seat : seats) {
            String reason = seat.refusal();
            if (reason != null) {
                refusals.add(name(seat.index) + ": " + reason);
            }
        }
        return refusals;
    }

    /** How long this client does not count a node's votes for requests of this ttl, 0 if it does. */
    long quarantineMillis(int index, long ttlMillis) {
        return node(index).quarantineMillis(ttlMillis);
    }

    /** Why this node is not asked, or null if it is. */
    public @Nullable String refusal(int index) {
        return seats.get(index).refusal();
    }

    /** The client seals: nodes that lose seals when they restart are named in the log, once. */
    public void usesSeals() {
        if (!sealsUsed) {
            sealsUsed = true;
            seats.forEach(Seat::warnOfForgetting);
        }
    }

    /** The client writes values: nodes that lose values when they restart are named in the log, once. */
    public void usesValues() {
        if (!valuesUsed) {
            valuesUsed = true;
            seats.forEach(Seat::warnOfForgetting);
        }
    }

    TicketClock tickets() {
        return tickets;
    }

    /** Every node; not to be changed. */
    BitSet all() {
        return all;
    }

    /** That a node is in that state, with nothing more to say. */
    NodeReport report(int index, NodeReport.Kind kind) {
        NodeReport known = seats.get(index).reports[kind.ordinal()];
        if (known == null) {
            known = new NodeReport(name(index), kind, "", null, 0);
            seats.get(index).reports[kind.ordinal()] = known;
        }
        return known;
    }

    @SuppressWarnings("unchecked") // Unavailable is an answer of every kind
    <A> CompletionStage<A> ask(int index, Survey.Call<A> call) {
        String reason = seats.get(index).refusal();
        if (reason != null) {
            return CompletableFuture.completedStage((A) new Unavailable(reason, false));
        }
        try {
            return call.send(node(index), index);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "Node " + name(index) + " threw instead of answering", e);
            return CompletableFuture.completedStage((A) new Unavailable("the node failed: " + e, true));
        }
    }

    /** From now on pushes for this attempt go to this target. */
    public void register(long attempt, PushTarget target) {
        targets.put(attempt, target);
    }

    /** From now on a vote that is pushed for this attempt is a ghost, and given back. */
    public void unregister(long attempt) {
        targets.remove(attempt);
    }

    /** A release has begun: whoever closes the connections waits for it, or it might never leave this machine. */
    void releaseBegun() {
        releasing.incrementAndGet();
    }

    /** A release waits for a node that can't be asked: it is told when one can be again. Harmless more than once. */
    void insistOn(long number, Release release) {
        unfinished.put(number, release);
    }

    void noLongerInsistOn(long number) {
        unfinished.remove(number);
    }

    /** A number for a release, larger than those before: nothing must depend on where objects lie in memory. */
    long nextRelease() {
        return releases.incrementAndGet();
    }

    /** Every node has answered a release, or has had its time to. */
    void releaseHeard() {
        if (releasing.decrementAndGet() == 0 && awaitsReleases) {
            released.complete(null);
        }
    }

    /** Completes when every release that has begun has been answered by every node, or has given it the time to. */
    public CompletableFuture<Void> released() {
        awaitsReleases = true;
        if (releasing.get() == 0) {
            released.complete(null);
        }
        return released;
    }

    /** Closes the connections to all nodes. */
    @Override
    public void close() {
        for (Seat seat : seats) {
            LockNode node = seat.node.getNow(null);
            if (node != null) {
                node.close();
            }
        }
    }

    /** RELEASE of a vote that no live attempt of this client knows of (PROTOCOL §4, last rule). */
    public void giveBack(int index, String resource, OwnerId ghost) {
        LOG.log(
                Level.DEBUG,
                "A vote came for {0} at {1}, which wants none any more; it is given back",
                ghost,
                name(index));
        ask(index, (node, i) -> node.release(new ReleaseRequest(resource, ghost, 0)));
    }

    /** Whatever lasts for a time looks at the clocks again. */
    void clockMoved() {
        targets.values().forEach(PushTarget::clockMoved);
    }

    private void checkReached() {
        if (seats.stream().filter(seat -> seat.serverId != null).count() >= majority) {
            reached.complete(null);
        }
    }

    /** Looks at all seats anew, so the last one of those that change at the same time leaves what is right. */
    private synchronized void checkTwins() {
        for (Seat seat : seats) {
            Seat twin = seats.stream()
                    .filter(other -> other.index < seat.index && other.isServer(seat.serverId))
                    .findFirst()
                    .orElse(null);
            if (twin == null) {
                seat.twin = null;
            } else if (seat.twin == null) {
                seat.twin = "the same server as " + name(twin.index) + " (" + seat.serverId
                        + "), and one server has one vote: every node must be a server of its own";
                seat.complain(seat.twin);
            }
        }
    }

    /** One node's place in this client. */
    private final class Seat implements NodeListener {

        final int index;
        final CompletableFuture<LockNode> node = new CompletableFuture<>();
        final CompletableFuture<Void> tried = new CompletableFuture<>();
        final @Nullable NodeReport[] reports =
                new NodeReport[NodeReport.Kind.values().length]; // a race makes two alike
        volatile @Nullable String serverId;
        volatile @Nullable String barred; // why the node itself must not be used
        volatile @Nullable String twin; // why a server that stands at an earlier seat too must not
        private boolean warnedOfSeals;
        private boolean warnedOfValues;

        Seat(int index) {
            this.index = index;
        }

        boolean isServer(@Nullable String id) {
            return id != null && id.equals(serverId);
        }

        @Nullable
        String refusal() {
            String reason = barred;
            return reason != null ? reason : twin;
        }

        /** Only of what the client uses: locks need no persistence. */
        synchronized void warnOfForgetting() {
            LockNode at = node.getNow(null);
            Persistence keeps = at == null ? Persistence.UNKNOWN : at.persistence();
            if (sealsUsed && !warnedOfSeals && keeps == Persistence.NONE) {
                warnedOfSeals = true;
                warnOfForgetting("seals", "Work that was done once may be done again");
            }
            if (valuesUsed && !warnedOfValues && (keeps == Persistence.NONE || keeps == Persistence.SEALS)) {
                warnedOfValues = true;
                warnOfForgetting("values", "What holders and leaders leave to the next one may be lost");
            }
        }

        private void warnOfForgetting(String what, String harm) {
            LOG.log(
                    Level.WARNING,
                    "Node " + name(index) + " loses " + what + " when it restarts. " + harm
                            + " if a majority of such nodes restarts before a client has used them in between;"
                            + " see \"Persistence\" in docs/operations.md");
        }

        void complain(String reason) {
            LOG.log(Level.ERROR, "Node " + name(index) + " is not used: " + reason);
        }

        @Override
        public void granted(String resource, OwnerId owner, long fence, @Nullable LockValue value) {
            PushTarget target = targets.get(owner.attempt());
            if (!owner.client().equals(client)) {
                LOG.log(
                        Level.WARNING,
                        "Node " + name(index) + " told of a vote for " + owner + ", which is not this client");
            } else if (target == null) {
                giveBack(index, resource, owner);
            } else {
                target.granted(index, owner, fence, value);
            }
        }

        @Override
        public void contended(String resource, OwnerId owner, long fence, Ticket waiter, @Nullable LockValue value) {
            PushTarget target = targets.get(owner.attempt());
            if (target != null && owner.client().equals(client)) {
                target.contended(index, owner, fence, waiter, value);
            }
        }

        @Override
        public void available(String id) {
            boolean isNew = !isServer(id);
            serverId = id;
            barred = null;
            if (isNew) {
                node.thenRun(Quorum.this::checkTwins);
            }
            if (isNew) {
                node.thenRun(this::warnOfForgetting);
            }
            tried.complete(null);
            checkReached();
            if (refusal() == null) {
                targets.values().forEach(target -> target.available(index));
                unfinished.values().forEach(release -> release.available(index));
            }
        }

        @Override
        public CompletionStage<Boolean> clockStepped(long micros) {
            return clockSteps.isOwn(index, micros);
        }

        @Override
        public void unavailable(String reason) {
            tried.complete(null);
        }

        @Override
        public void refused(String reason) {
            barred = reason;
            node.thenRun(() -> complain(reason));
            tried.complete(null);
        }
    }
}
