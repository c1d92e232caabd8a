package dev.holdfast;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import java.util.concurrent.CompletionStage;

/** A node under another name. */
record Named(String name, LockNode node) implements LockNode {

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
    public void close() {
        node.close();
    }
}
