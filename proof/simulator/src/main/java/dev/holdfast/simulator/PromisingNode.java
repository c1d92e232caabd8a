package dev.holdfast.simulator;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** One run of a node like the one in a lock server: the production {@link MemoryNode}, which persists its promises. */
final class PromisingNode {

    private final MemoryNode node;
    private final SimDisk.Run disk;
    private final Consumer<Push> pushes;
    private final Consumer<String> available;
    private final Map<String, LockNode> views = new LinkedHashMap<>();
    private boolean over;

    /**
     * Starts the node, with the state on the disk.
     *
     * @param pushes receives the pushes for clients
     * @param available receives the clients that should retry now
     */
    PromisingNode(
            SimServer server,
            SimDisk disk,
            long fenceRetentionMillis,
            Consumer<Push> pushes,
            Consumer<String> available) {
        this.disk = disk.open();
        this.pushes = pushes;
        this.available = available;
        this.node = new MemoryNode(
                server.name(), server.runId(), server.machine().timing(), fenceRetentionMillis, this.disk);
    }

    CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
        disk.noteAsked();
        return view(request.owner().client()).acquire(request);
    }

    CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
        if (request.seal() != null) {
            disk.noteAsked();
        }
        return view(request.owner().client()).release(request);
    }

    /** Returns a client's view of the node. It stays when the client's connection breaks, since requests under way may still arrive. */
    private LockNode view(String client) {
        return views.computeIfAbsent(client, name -> node.connect(name, new Listener(name)));
    }

    ResourceState state(String resource) {
        return (ResourceState)
                view("looks").inspect(resource).toCompletableFuture().join();
    }

    /** Returns whether a client has ever asked the node for a vote. */
    boolean wasAsked() {
        return disk.wasAsked();
    }

    long quarantineMillis() {
        return node.quarantineMillis();
    }

    int size() {
        return node.size();
    }

    /** Shuts the node down cleanly. */
    void stop() {
        node.settle();
        over = true;
    }

    void crash() {
        disk.crash();
        over = true;
    }

    /** The listener for one client, as long as the node runs. */
    private final class Listener implements NodeListener {

        private final String client;

        Listener(String client) {
            this.client = client;
        }

        @Override
        public void pushed(Push push) {
            if (!over) {
                pushes.accept(push);
            }
        }

        @Override
        public void available(String serverId) {
            if (!over) {
                available.accept(client);
            }
        }

        @Override
        public void unavailable(String reason) {
            throw new IllegalStateException("a node in memory is always there");
        }

        @Override
        public void refused(String reason) {
            throw new IllegalStateException("a node in memory refuses no connection");
        }
    }
}
