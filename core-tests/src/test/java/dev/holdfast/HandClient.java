package dev.holdfast;

import dev.holdfast.internal.lease.ClientLeases;
import dev.holdfast.internal.quorum.AttemptSettings;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.observe.ClientObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** One client of a few {@link HandNode}s on a {@link HandTiming}, for one experiment. */
public final class HandClient {

    /** How long this client's votes last. */
    public static final long TTL_MILLIS = 1_000;

    /** How long this client waits for a node. */
    public static final long NODE_TIMEOUT_MILLIS = 50;

    public final HandTiming time = new HandTiming();
    public final List<HandNode> nodes = new ArrayList<>();
    public final List<NodeListener> listeners = new ArrayList<>();
    public final Quorum quorum;

    /** Creates a client of this many nodes, which answer when a test lets them. */
    public HandClient(int size) {
        List<Function<NodeListener, LockNode>> openers = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            String name = "node-" + i;
            openers.add(listener -> {
                listeners.add(listener);
                nodes.add(new HandNode(name, listener));
                return nodes.get(nodes.size() - 1);
            });
        }
        quorum = new Quorum("hand~00000000", time.timing(), openers, new ClientObserver() {}, Long.MAX_VALUE);
        for (int node = 0; node < size; node++) {
            listeners.get(node).available("server of node-" + node);
        }
    }

    /** The settings of an attempt for the one lock. */
    public static AttemptSettings settings(boolean waits) {
        AcquireRequest.Terms terms = new AcquireRequest.Terms(TTL_MILLIS, TTL_MILLIS, 1);
        return new AttemptSettings("lock", "lock", LockMode.EX, terms, waits, NODE_TIMEOUT_MILLIS * 1_000_000);
    }

    /** Requests the one lock, and waits for it this long. */
    public static ClientLeases.Pending acquire(ClientLeases leases, long waitMillis, LockOptions options) {
        return leases.acquire(settings(waitMillis > 0), waitMillis * 1_000_000, options);
    }

    /** Makes the nodes answer everything at once from now on, and carries out all waiting requests in the calling thread. */
    public void settle() {
        for (HandNode node : nodes) {
            node.beginToAnswerAtOnce();
            node.serve();
        }
        time.work();
    }

    /** Returns at how many nodes this client has a vote. */
    public long votes() {
        int votes = 0;
        for (HandNode node : nodes) {
            votes += node.isHeld() ? 1 : 0;
        }
        return votes;
    }

    /** Returns whether this client has a vote or a position in the queue anywhere. */
    public boolean isAnywhere() {
        boolean anywhere = false;
        for (HandNode node : nodes) {
            anywhere |= node.isUsed();
        }
        return anywhere;
    }
}
