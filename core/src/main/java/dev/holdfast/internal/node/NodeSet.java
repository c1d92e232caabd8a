package dev.holdfast.internal.node;

import dev.holdfast.internal.time.AdjustedTicker;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Push;
import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one client, the servers behind them, and which of them may be used. Thread-safe.
 *
 * <p>A server that stands behind two names would vote twice, so the second name is not used as long as the first one has the same server. No
 * vote counts before its server is identified and compared with the others (docs/decisions/0033).
 */
public final class NodeSet implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(NodeSet.class.getName());

    /** Receives what the nodes push. Methods run on any thread. */
    public interface Listener {

        /** Handles a push from this node. */
        void pushed(int node, Push push);

        /** Handles a new connection, before any request is sent on it. */
        void connected();

        /** Handles a node that has become available for requests. */
        void available(int node);

        /** Handles this client's clocks being put forward after they stood still. */
        void clockMoved();
    }

    /** A request to one node. */
    @FunctionalInterface
    public interface Call<A> {

        /** Sends the request. */
        CompletionStage<A> send(LockNode node);
    }

    private final Timing timing;
    private final ClientObserver observer;
    private final Listener listener;
    private final ClockSteps clockSteps;
    private final List<NodeSeat> seats;
    private final CompletableFuture<Void> reached = new CompletableFuture<>();
    private volatile boolean usesSeals;
    private volatile boolean usesValues;

    /** Creates seats for this many nodes; {@link #open} opens the nodes. */
    public NodeSet(int size, Timing timing, ClientObserver observer, Listener listener) {
        AdjustedTicker clock =
                timing.ticker() instanceof AdjustedTicker adjusted ? adjusted : new AdjustedTicker(timing.ticker());
        this.timing = new Timing(clock, timing.scheduler(), timing.random());
        this.observer = observer;
        this.listener = listener;
        this.clockSteps = new ClockSteps(this, clock);
        this.seats = IntStream.range(0, size)
                .mapToObj(index -> new NodeSeat(this, index))
                .toList();
    }

    /** Opens the nodes, and closes them again if one of them cannot be opened. */
    public void open(List<Function<NodeListener, LockNode>> openers) {
        try {
            for (NodeSeat seat : seats) {
                seat.node.complete(openers.get(seat.index).apply(seat));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Closes the connections to all nodes. */
    @Override
    public void close() {
        for (NodeSeat seat : seats) {
            LockNode node = seat.node.getNow(null);
            if (node != null) {
                node.close();
            }
        }
    }

    /** Returns the clocks of this client, put forward by the time for which its machine was frozen. */
    public Timing timing() {
        return timing;
    }

    public ClientObserver observer() {
        return observer;
    }

    Listener listener() {
        return listener;
    }

    ClockSteps clockSteps() {
        return clockSteps;
    }

    public int size() {
        return seats.size();
    }

    /** Returns the node at this index. */
    public LockNode node(int index) {
        return seats.get(index).node.join();
    }

    /** Returns the name of the node at this index, without secrets. */
    public String name(int index) {
        return node(index).name();
    }

    /** Sends a request to a node that may be used; for any other node, the answer is {@link Unavailable}. */
    @SuppressWarnings("unchecked") // Unavailable belongs to every type of answer
    public <A> CompletionStage<A> ask(int index, Call<A> call) {
        String reason = refusal(index);
        if (reason != null) {
            return CompletableFuture.completedStage((A) new Unavailable(reason, false));
        }
        try {
            return call.send(node(index));
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "Node " + name(index) + " threw instead of answering", e);
            return CompletableFuture.completedStage((A) new Unavailable("the node failed: " + e, true));
        }
    }

    // ---- whether the nodes may be used

    /** Completes when every node has connected, or has failed to for the first time. */
    public CompletableFuture<Void> tried() {
        return CompletableFuture.allOf(seats.stream().map(seat -> seat.tried).toArray(CompletableFuture<?>[]::new));
    }

    /** Completes when a majority of nodes has connected. */
    public CompletableFuture<Void> reached() {
        return reached;
    }

    void checkReached() {
        if (seats.stream().filter(seat -> seat.connectedOnce).count() > seats.size() / 2) {
            reached.complete(null);
        }
    }

    /** Returns why the client sends this node no requests; null if it does. */
    public @Nullable String refusal(int index) {
        return seats.get(index).refusal();
    }

    /** Returns why nodes must not be used as configured, one line for each such node; empty if no reason is known. */
    public List<String> refusals() {
        return seats.stream()
                .flatMap(seat -> Stream.ofNullable(seat.refusal()).map(reason -> seat.name() + ": " + reason))
                .toList();
    }

    /** Notes that the client uses seals. The log names, once, the nodes that lose seals when they restart. */
    public void sealsAreUsed() {
        if (!usesSeals) {
            usesSeals = true;
            seats.forEach(NodeSeat::warnOfStateLoss);
        }
    }

    /** Notes that the client writes values. The log names, once, the nodes that lose values when they restart. */
    public void valuesAreUsed() {
        if (!usesValues) {
            usesValues = true;
            seats.forEach(NodeSeat::warnOfStateLoss);
        }
    }

    boolean usesSeals() {
        return usesSeals;
    }

    boolean usesValues() {
        return usesValues;
    }

    // ---- the servers behind the nodes

    /**
     * Returns the server behind a node; null if the node has not identified it. The object is a new one whenever the server is, and whenever the
     * server begins or ceases to count.
     */
    public @Nullable ServerIdentity server(int index) {
        return seats.get(index).server;
    }

    /** Returns whether votes of the server that received the request count: the node must still stand for that server, and no earlier node may. */
    public boolean counts(int index, @Nullable ServerIdentity asked) {
        return asked != null && asked.twin == null && seats.get(index).server == asked;
    }

    /** Returns the answer if it counts. An answer of a server that is unknown, or no longer the node's, neither grants nor denies anything. */
    public AcquireAnswer counted(int index, @Nullable ServerIdentity asked, AcquireAnswer answer) {
        boolean speaksForServer = answer instanceof AcquireAnswer.Granted
                || answer instanceof AcquireAnswer.Queued
                || answer instanceof AcquireAnswer.Denied;
        return !speaksForServer || counts(index, asked) ? answer : uncounted(index, asked);
    }

    /** Returns why an answer of the server that received the request does not count. */
    public Unavailable uncounted(int index, @Nullable ServerIdentity asked) {
        String refusal = refusal(index);
        String reason = asked == null ? "its server is not identified yet" : "its server has changed since the request";
        return new Unavailable(refusal != null ? refusal : reason, true);
    }

    /**
     * Lets a node stand for this server from now on. If several nodes stand for one server, only the first of them counts.
     *
     * <p>A server must never count twice, whichever thread looks, and whenever it looks. So this method first changes the nodes that stop counting,
     * then the node itself, and last a node that counts again because this one has left their server. A thread that has seen a vote under the new
     * server therefore finds that votes under the old one do not count.
     */
    synchronized void seat(NodeSeat changed, String id) {
        ServerIdentity[] next = new ServerIdentity[seats.size()];
        for (NodeSeat seat : seats) {
            ServerIdentity before = seat.server;
            String serverId = seat == changed ? id : before == null ? null : before.id;
            if (serverId != null) {
                String twin = twin(seat, serverId, next);
                next[seat.index] =
                        before != null && before.isSame(serverId, twin) ? before : new ServerIdentity(serverId, twin);
            }
        }
        for (NodeSeat seat : seats) {
            ServerIdentity after = next[seat.index];
            if (after != null && after.twin != null && after != seat.server) {
                boolean isNews = seat.server == null || seat.server.twin == null;
                seat.server = after;
                if (isNews) {
                    seat.logRefusal(after.twin);
                }
            }
        }
        changed.server = next[changed.index];
        for (NodeSeat seat : seats) {
            seat.server = next[seat.index];
        }
    }

    private @Nullable String twin(NodeSeat seat, String serverId, @Nullable ServerIdentity[] earlier) {
        for (int index = 0; index < seat.index; index++) {
            ServerIdentity other = earlier[index];
            if (other != null && other.id.equals(serverId)) {
                return "the same server as " + name(index) + " (" + serverId
                        + "), and one server has one vote: every node must be a server of its own";
            }
        }
        return null;
    }
}
