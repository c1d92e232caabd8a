package dev.holdfast.testkit;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Quarantine;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One client's view of a node, over a network with the faults that a test sets: three {@link FaultyChannel}s for
 * requests, answers and pushes, and a connection that can be cut. Without faults it is transparent: it completes
 * answers on the thread on which the node completes them. Thread-safe.
 *
 * <p>Like any {@link LockNode}, it answers every open request with an {@link Unavailable} once its connection has
 * ended. The node may still execute a held or delayed request later.
 */
public final class FaultyNode implements LockNode {

    private final String name;
    private final Timing network;
    private final Function<NodeListener, LockNode> connector;
    private final LossyListener listener;
    private final FaultyChannel requests;
    private final FaultyChannel answers;
    private final FaultyChannel pushes;
    private final List<Consumer<Unavailable>> open = new CopyOnWriteArrayList<>();
    private final List<AcquireRequest> acquires = new CopyOnWriteArrayList<>();
    private final List<ReleaseRequest> releases = new CopyOnWriteArrayList<>();
    private volatile Function<AcquireRequest, @Nullable AcquireAnswer> stub = request -> null;
    private volatile @Nullable Lost lost;
    private volatile @Nullable Unavailable down;
    private volatile LockNode node;

    /**
     * Connects to the node.
     *
     * @param name the node's name in messages
     * @param network the time by which delays are counted
     * @param listener the client's listener
     * @param connector connects to the node itself; called for every connection
     */
    public FaultyNode(String name, Timing network, NodeListener listener, Function<NodeListener, LockNode> connector) {
        this.name = name;
        this.network = network;
        this.connector = connector;
        this.requests = new FaultyChannel(network.scheduler());
        this.answers = new FaultyChannel(network.scheduler());
        this.pushes = new FaultyChannel(network.scheduler());
        this.listener = new LossyListener(listener, pushes);
        this.node = connector.apply(this.listener.ofConnection());
    }

    // ---- faults

    /** Returns the channel of the client's requests. */
    public FaultyChannel requests() {
        return requests;
    }

    /** Returns the channel of the node's answers. The node has executed a request whose answer is lost. */
    public FaultyChannel answers() {
        return answers;
    }

    /** Returns the channel of the node's pushes. */
    public FaultyChannel pushes() {
        return pushes;
    }

    /** Ends all faults of the channels and delivers their held messages. */
    public void heal() {
        requests.release();
        answers.release();
        pushes.release();
    }

    /**
     * Cuts the connection: open requests end with an unknown outcome, and the client can't reach the node until
     * {@link #reconnect}.
     */
    public void disconnect(String reason) {
        down = new Unavailable(reason, false);
        node.close();
        listener.silence();
        endOpen(new Unavailable(reason, true));
        listener.unavailable(reason);
    }

    /** Reconnects to the server that is there now. */
    public void reconnect() {
        down = null;
        node = connector.apply(listener.ofConnection());
    }

    /**
     * Notifies the client that it must not use the node from now on.
     *
     * @param reason the reason that the client learns
     */
    public void refuse(String reason) {
        listener.refused(reason);
    }

    /** A state loss of the node; the client quarantines it from that moment on (PROTOCOL §5). */
    private record Lost(Moment at, LongUnaryOperator quarantineMillis) {}

    /** Quarantines the node for this client for {@code length} (PROTOCOL §5), for every request alike. */
    public void quarantine(Duration length) {
        quarantine(ttlMillis -> length.toMillis());
    }

    /** Quarantines the node for this client from now on, for as long as the request's ttl demands (PROTOCOL §5). */
    public void quarantine(LongUnaryOperator quarantineMillis) {
        lost = new Lost(network.now(), quarantineMillis);
    }

    @Override
    public long quarantineMillis(long ttlMillis) {
        Lost last = lost;
        if (last == null) {
            return 0;
        }
        long nanos = last.quarantineMillis.applyAsLong(ttlMillis) * 1_000_000;
        long left = new Deadline(last.at, nanos).remainingNanos(network.now());
        return Math.max((left + 999_999) / 1_000_000, 0);
    }

    /** Answers ACQUIREs from {@code stub} without asking the node; where it returns {@code null}, the node answers. */
    public void answerAcquires(Function<AcquireRequest, @Nullable AcquireAnswer> stub) {
        this.stub = stub;
    }

    // ---- requests seen

    /** Returns all ACQUIREs that the client has sent, including those that did not arrive. */
    public List<AcquireRequest> acquires() {
        return List.copyOf(acquires);
    }

    /** Returns all RELEASEs that the client has sent, including those that did not arrive. */
    public List<ReleaseRequest> releases() {
        return List.copyOf(releases);
    }

    // ---- the node

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
        acquires.add(request);
        return send(() -> {
            AcquireAnswer said = stub.apply(request);
            return said != null
                    ? CompletableFuture.completedStage(said)
                    : Quarantine.ask(request, quarantineMillis(request.ttlMillis()), node::acquire);
        });
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
        releases.add(request);
        return send(() -> node.release(request));
    }

    @Override
    public CompletionStage<InspectAnswer> inspect(String resource) {
        return send(() -> node.inspect(resource));
    }

    @Override
    public CompletionStage<ListAnswer> list(String prefix, int limit) {
        return send(() -> node.list(prefix, limit));
    }

    @Override
    public CompletionStage<NodeStatus> status() {
        Unavailable reason = down;
        if (reason != null) {
            return CompletableFuture.completedStage(
                    NodeStatus.unreachable(name, NodeStatus.State.DOWN, reason.reason()));
        }
        if (quarantineMillis(1) > 0) {
            return CompletableFuture.completedStage(
                    NodeStatus.unreachable(name, NodeStatus.State.QUARANTINED, "as its test says"));
        }
        CompletableFuture<NodeStatus> answer = new CompletableFuture<>();
        requests.carry(() -> node.status().whenComplete((said, failure) -> answers.carry(() -> answer.complete(said))));
        return answer;
    }

    @Override
    public void close() {
        down = new Unavailable("closed", false);
        node.close();
        listener.silence();
        endOpen(new Unavailable("closed", true));
    }

    @SuppressWarnings("unchecked") // every kind of answer includes Unavailable
    private <T> CompletionStage<T> send(Supplier<? extends CompletionStage<? extends T>> call) {
        Unavailable reason = down;
        if (reason != null) {
            return CompletableFuture.completedStage((T) reason);
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        Consumer<Unavailable> end = unavailable -> answer.complete((T) unavailable);
        open.add(end);
        requests.carry(() -> call.get()
                .whenComplete((said, failure) -> answers.carry(() -> {
                    open.remove(end);
                    answer.complete(said);
                })));
        return answer;
    }

    private void endOpen(Unavailable reason) {
        List<Consumer<Unavailable>> ended = List.copyOf(open);
        open.removeAll(ended);
        ended.forEach(end -> end.accept(reason));
    }
}
