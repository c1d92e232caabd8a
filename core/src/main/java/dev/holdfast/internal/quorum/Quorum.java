package dev.holdfast.internal.quorum;

import dev.holdfast.internal.time.AdjustedTicker;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Persistence;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Ticket;
import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
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
 * server. No vote counts before its server is identified and compared with the others (docs/decisions/0033).
 */
public final class Quorum implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Quorum.class.getName());

    private final String client;
    private final Timing timing;
    private final ClockSteps clockSteps;
    private final ClientObserver observer;
    private final TicketClock tickets;
    private final Copies copies;
    private final List<Seat> seats;
    private final Map<Long, PushTarget> targets = new ConcurrentHashMap<>();
    private final NavigableMap<Long, Release> unfinished =
            new ConcurrentSkipListMap<>(); // in the order of their numbers
    private final AtomicLong releases = new AtomicLong();
    private final BitSet all = new BitSet();
    private final AtomicInteger releasing = new AtomicInteger();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private final AtomicBoolean copySeen = new AtomicBoolean();
    private volatile boolean awaitsReleases;
    private final CompletableFuture<Void> reached = new CompletableFuture<>();
    private final int majority;
    private volatile boolean sealsUsed;
    private volatile boolean valuesUsed;
    private final long noQuorumNanos;
    private final NoQuorumAlarm alarm;

    /**
     * Opens the nodes.
     *
     * @param client the client part of this client's owner ids
     * @param openers what opens each node, given its listener
     * @param observer told what the client does
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
        this.client = client;
        AdjustedTicker clock =
                timing.ticker() instanceof AdjustedTicker adjusted ? adjusted : new AdjustedTicker(timing.ticker());
        this.timing = new Timing(clock, timing.scheduler(), timing.random());
        this.clockSteps = new ClockSteps(this, clock);
        this.observer = observer;
        this.noQuorumNanos = noQuorumNanos;
        this.alarm = new NoQuorumAlarm(clock);
        this.tickets = new TicketClock(clock);
        this.copies = new Copies(timing.random());
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

    /** How long an attempt without a limit waits while no majority answers. */
    long noQuorumNanos() {
        return noQuorumNanos;
    }

    /** What logs that no majority answers. */
    NoQuorumAlarm alarm() {
        return alarm;
    }

    TicketClock tickets() {
        return tickets;
    }

    Copies copies() {
        return copies;
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

    /** Passes a CONTENDED push on that has reached its attempt's earlier target. */
    void contended(PushTarget earlier, int node, OwnerId owner, long fence, Ticket waiter, @Nullable LockValue value) {
        PushTarget target = targets.get(owner.attempt());
        if (target != null && target != earlier) {
            target.contended(node, owner, fence, waiter, value);
        }
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

    /** RELEASE of a vote that no live attempt of this client knows of (PROTOCOL §4, last rule), unless it is that of a copy of this process. */
    public void giveBack(int index, String resource, OwnerId ghost) {
        if (!copies.mayBeOwn(ghost)) {
            complainOfACopy(ghost);
            return;
        }
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

    private void complainOfACopy(OwnerId owner) {
        if (copySeen.compareAndSet(false, true)) {
            LOG.log(
                    Level.ERROR,
                    "Another process uses this client''s id: it was granted {0}, which this client never asked for. Both may hold the same lock. A process that is"
                            + " restored from a checkpoint or a snapshot must make its Holdfast afterwards",
                    owner);
        }
    }

    private void checkReached() {
        if (seats.stream().filter(seat -> seat.met).count() >= majority) {
            reached.complete(null);
        }
    }

    /** The server behind a node; null if the node has not identified it. Another object whenever it is another server, or stops or begins to count. */
    @Nullable
    Server server(int index) {
        return seats.get(index).server;
    }

    /** Whether votes of the server that was asked count: the node still stands for it, and no earlier node stands for it too. */
    boolean counts(int index, @Nullable Server asked) {
        return asked != null && asked.twin == null && seats.get(index).server == asked;
    }

    /** The answer as it counts: one of a server that is not known, or no longer the node's, neither grants nor denies anything. */
    AcquireAnswer counted(int index, @Nullable Server asked, AcquireAnswer answer) {
        boolean speaksForServer = answer instanceof AcquireAnswer.Granted
                || answer instanceof AcquireAnswer.Queued
                || answer instanceof AcquireAnswer.Denied;
        return !speaksForServer || counts(index, asked) ? answer : uncounted(index, asked);
    }

    /** Why an answer of the server that was asked does not count. */
    Unavailable uncounted(int index, @Nullable Server asked) {
        String refusal = refusal(index);
        String reason = asked == null ? "its server is not identified yet" : "its server has changed meanwhile";
        return new Unavailable(refusal != null ? refusal : reason, true);
    }

    /**
     * A node stands for this server from now on. Of nodes that stand for one server only the first counts.
     *
     * <p>A server must never count twice, whoever looks and whenever: those that stop counting are changed first, then the node itself, and
     * last the node that counts again because this one has left its server. So whoever has seen a vote under the new server finds that those
     * under the old one do not count.
     */
    private synchronized void seat(Seat changed, String id) {
        Server[] next = new Server[seats.size()];
        for (Seat seat : seats) {
            Server before = seat.server;
            String serverId = seat == changed ? id : before == null ? null : before.id;
            if (serverId != null) {
                String twin = twin(seat, serverId, next);
                next[seat.index] =
                        before != null && before.isSame(serverId, twin) ? before : new Server(serverId, twin);
            }
        }
        for (Seat seat : seats) {
            Server after = next[seat.index];
            if (after != null && after.twin != null && after != seat.server) {
                boolean isNews = seat.server == null || seat.server.twin == null;
                seat.server = after;
                if (isNews) {
                    seat.node.thenRun(() -> seat.complain(String.valueOf(after.twin)));
                }
            }
        }
        changed.server = next[changed.index];
        for (Seat seat : seats) {
            seat.server = next[seat.index];
        }
    }

    private @Nullable String twin(Seat seat, String serverId, @Nullable Server[] earlier) {
        for (int index = 0; index < seat.index; index++) {
            Server other = earlier[index];
            if (other != null && other.id.equals(serverId)) {
                return "the same server as " + name(index) + " (" + serverId
                        + "), and one server has one vote: every node must be a server of its own";
            }
        }
        return null;
    }

    /** A server that a node stands for, compared by identity: the same server on a later visit is another one. */
    static final class Server {

        private final String id;
        private final @Nullable String twin; // why it does not count at this node

        private Server(String id, @Nullable String twin) {
            this.id = id;
            this.twin = twin;
        }

        private boolean isSame(String otherId, @Nullable String otherTwin) {
            return id.equals(otherId) && Objects.equals(twin, otherTwin);
        }
    }

    /** One node's place in this client. */
    private final class Seat implements NodeListener {

        final int index;
        final CompletableFuture<LockNode> node = new CompletableFuture<>();
        final CompletableFuture<Void> tried = new CompletableFuture<>();
        final @Nullable NodeReport[] reports =
                new NodeReport[NodeReport.Kind.values().length]; // a race makes two alike
        volatile @Nullable Server server;
        volatile boolean met; // it has connected once
        volatile boolean identifies; // the node says which server it asks before it does
        volatile @Nullable String barred; // why the node itself must not be used
        private boolean warnedOfSeals;
        private boolean warnedOfValues;

        Seat(int index) {
            this.index = index;
        }

        @Nullable
        String refusal() {
            String reason = barred;
            Server at = server;
            return reason != null ? reason : at == null ? null : at.twin;
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
                            + " see \"Persistence\" in docs/guides/operations.md");
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
            } else if (target == null && !tickets.mayHaveGiven(owner.attempt())) {
                complainOfACopy(owner); // the vote is the other's, and stays
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
        public void identified(String id) {
            identifies = true;
            copies.connected();
            seat(this, id);
        }

        @Override
        public void available(String id) {
            if (!identifies) {
                copies.connected();
                seat(this, id);
            }
            barred = null;
            met = true;
            node.thenRun(this::warnOfForgetting);
            tried.complete(null);
            checkReached();
            if (refusal() == null) {
                targets.values().forEach(target -> target.available(index));
                unfinished.values().forEach(release -> release.available(index));
            }
        }

        @Override
        public CompletionStage<Boolean> clockStepped(long micros, Moment since) {
            return clockSteps.isOwn(index, micros, since);
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
