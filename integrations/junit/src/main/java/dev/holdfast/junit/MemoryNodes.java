package dev.holdfast.junit;

import dev.holdfast.HoldfastBuilder;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.testkit.FaultyNode;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The nodes of a test in this process, on the test's clock. Thread-safe. */
final class MemoryNodes implements NodeSet {

    private static final long FENCE_RETENTION_MILLIS = Duration.ofHours(24).toMillis();

    private final TestClock clock;
    private final List<Server> servers = new ArrayList<>();

    MemoryNodes(int count, TestClock clock) {
        this.clock = clock;
        for (int i = 0; i < count; i++) {
            servers.add(new Server(i));
        }
    }

    /** A node and the views that clients have of it. */
    private final class Server {

        private final int index;
        private final List<View> views = new CopyOnWriteArrayList<>();
        private volatile MemoryNode node;
        private volatile boolean down;
        private volatile boolean paused;
        private volatile boolean forgot;
        private int lives;

        Server(int index) {
            this.index = index;
            this.node = born();
        }

        private MemoryNode born() {
            return new MemoryNode("node-" + (index + 1) + "-" + ++lives, clock.timing(), FENCE_RETENTION_MILLIS);
        }

        LockNode open(NodeContext context) {
            FaultyNode view = new FaultyNode(
                    "node " + (index + 1),
                    clock.timing(),
                    context.listener(),
                    listener -> node.connect(context.client(), listener));
            views.add(new View(view, context));
            if (down) {
                view.disconnect("connection refused");
            }
            if (paused) {
                hold(view);
            }
            if (forgot) {
                long ageMillis = node.uptimeMillis();
                view.quarantine(ttlMillis ->
                        Math.max(context.times().quarantineMillis().applyAsLong(ttlMillis) - ageMillis, 0));
            }
            return view;
        }
    }

    private record View(FaultyNode node, NodeContext context) {}

    @Override
    public void addTo(HoldfastBuilder builder) {
        servers.forEach(server -> builder.node(server::open));
    }

    @Override
    public List<URI> uris() {
        throw new IllegalStateException(
                "the nodes of LockNodes.inMemory have no address; use LockNodes.redis, or set the application's"
                        + " holdfast.nodes to memory:NAME, without LockNodes");
    }

    @Override
    public void pause(int node) {
        Server server = servers.get(node);
        server.paused = true;
        server.views.forEach(view -> hold(view.node));
    }

    private static void hold(FaultyNode view) {
        view.requests().hold();
        view.answers().hold();
        view.pushes().hold();
    }

    @Override
    public void resume(int node) {
        Server server = servers.get(node);
        server.paused = false;
        server.views.forEach(view -> view.node.heal());
    }

    @Override
    public void kill(int node) {
        Server server = servers.get(node);
        server.down = true;
        server.views.forEach(view -> view.node.disconnect("connection refused"));
    }

    /** Restarts the node without its state. Clients ignore its votes while it is in quarantine (PROTOCOL §5). */
    @Override
    public void restart(int node) {
        Server server = servers.get(node);
        kill(node);
        server.node = server.born();
        server.forgot = true;
        server.down = false;
        server.paused = false;
        for (View view : server.views) {
            view.node.heal();
            view.node.quarantine(view.context.times().quarantineMillis());
            view.node.reconnect();
        }
    }

    @Override
    public void close() {
        servers.forEach(server -> server.views.clear());
    }
}
