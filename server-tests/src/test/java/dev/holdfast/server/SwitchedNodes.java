package dev.holdfast.server;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Persistence;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Unavailable;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Nodes in memory that can be switched off: then no client gets an answer, as from a dead machine. They keep their state; one that loses its state reports
 * that, as a restarted server does.
 */
public final class SwitchedNodes {

    private static final Unavailable GONE = new Unavailable("connection refused", true);

    private final Map<Integer, NodeStatus.State> states = new ConcurrentHashMap<>();
    private final Map<Integer, Long> quarantines = new ConcurrentHashMap<>();
    private final Set<Integer> forgetful = ConcurrentHashMap.newKeySet();

    /** Returns a client of this many of them. */
    public HoldfastBuilder client(int count) {
        HoldfastBuilder client = Holdfast.builder().nodeOptions(NodeOptions.defaults());
        for (int node = 0; node < count; node++) {
            int number = node;
            client.node(context -> open(number, context));
        }
        return client;
    }

    private LockNode open(int number, NodeContext context) {
        LockNode node = new MemoryNode(
                        "node-" + (number + 1),
                        context.timing(),
                        context.times().fenceRetentionMillis())
                .connect(context.client(), context.listener());
        return (LockNode) Proxy.newProxyInstance(
                LockNode.class.getClassLoader(),
                new Class<?>[] {LockNode.class},
                (proxy, method, arguments) -> answer(number, node, method, arguments));
    }

    /** Whether nodes take longer for a list than anybody waits. */
    private volatile boolean listless;

    public void listless(boolean isListless) {
        listless = isListless;
    }

    /** Whether nodes fail with an Error while they are asked, as where a class can't be loaded. */
    private volatile boolean broken;

    public void broken(boolean isBroken) {
        broken = isBroken;
    }

    /** The resource whose state the nodes do not report. */
    private volatile String heldBack = "";

    public void holdBack(String resource) {
        heldBack = resource;
    }

    private Object answer(int number, LockNode node, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("inspect") && heldBack.equals(arguments[0])) {
            return new CompletableFuture<>();
        }
        if (listless && method.getName().equals("list")) {
            return new CompletableFuture<>();
        }
        if (broken && method.getName().equals("status")) {
            throw new NoClassDefFoundError("a test");
        }
        NodeStatus.State state = states.getOrDefault(number, NodeStatus.State.UP);
        if (state == NodeStatus.State.UP || List.of("name", "close").contains(method.getName())) {
            return method.invoke(node, arguments);
        }
        if (method.getName().equals("status")) {
            NodeStatus gone = NodeStatus.unreachable(node.name(), state, "as the test wants");
            return CompletableFuture.completedStage(
                    state == NodeStatus.State.DOWN ? gone : quarantined(gone, quarantines.getOrDefault(number, 0L)));
        }
        if (forgetful.contains(number) && method.getName().equals("inspect")) {
            return CompletableFuture.completedStage(
                    new ResourceState((String) arguments[0], 0, List.of(), List.of(), null, null));
        }
        return CompletableFuture.completedStage(GONE);
    }

    private static NodeStatus quarantined(NodeStatus status, long millis) {
        return new NodeStatus(
                status.name(),
                status.state(),
                "restarted",
                Duration.ofNanos(300_000),
                Duration.ofMillis(millis),
                new NodeStatus.Server(
                        null, "memory", Duration.ofSeconds(1), Duration.ZERO, Persistence.UNKNOWN, List.of()));
    }

    /** From now on. */
    public void set(int number, NodeStatus.State state, long quarantineMillis) {
        forgetful.remove(number);
        quarantines.put(number, quarantineMillis);
        states.put(number, state);
    }

    /** In quarantine from now on, and without memory. */
    public void forget(int number, long quarantineMillis) {
        set(number, NodeStatus.State.QUARANTINED, quarantineMillis);
        forgetful.add(number);
    }
}
