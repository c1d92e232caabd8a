package dev.holdfast.cluster;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Persistence;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A client's view of a cluster whose servers restart: it connects again to each server that has started. */
final class MovingNode implements LockNode {

    private final Supplier<LockNode> connecting;
    private volatile LockNode node;

    /**
     * Connects the client.
     *
     * @param connecting connects it to the servers that run now
     */
    MovingNode(Supplier<LockNode> connecting) {
        this.connecting = connecting;
        this.node = connecting.get();
    }

    /** Connects to the servers that run now. Requests under way are still answered. */
    void move() {
        LockNode former = node;
        node = connecting.get();
        former.close();
    }

    @Override
    public String name() {
        return node.name();
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
        return node.acquire(request);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
        return node.release(request);
    }

    @Override
    public CompletionStage<InspectAnswer> inspect(String resource) {
        return node.inspect(resource);
    }

    @Override
    public CompletionStage<ListAnswer> list(String prefix, int limit) {
        return node.list(prefix, limit);
    }

    @Override
    public CompletionStage<NodeStatus> status() {
        return node.status();
    }

    @Override
    public Persistence persistence() {
        return node.persistence();
    }

    @Override
    public void close() {
        node.close();
    }
}
