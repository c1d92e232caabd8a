package dev.holdfast.server;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.node.NodeContext;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A node in memory that says it is down while the test wants it. */
public final class FlickeringNode {

    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean up = true;

    public LockNode open(NodeContext context) {
        LockNode node = new MemoryNode(
                        "flickering", context.timing(), context.times().fenceRetentionMillis())
                .connect(context.client(), context.listener());
        return (LockNode) Proxy.newProxyInstance(
                LockNode.class.getClassLoader(), new Class<?>[] {LockNode.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("status")) {
                        asked.incrementAndGet();
                        if (!up) {
                            return CompletableFuture.completedStage(
                                    NodeStatus.unreachable(node.name(), NodeStatus.State.DOWN, "as the test wants"));
                        }
                    }
                    return method.invoke(node, arguments);
                });
    }

    public void up(boolean isUp) {
        up = isUp;
    }

    /** How often its state was asked for. */
    public int asked() {
        return asked.get();
    }
}
