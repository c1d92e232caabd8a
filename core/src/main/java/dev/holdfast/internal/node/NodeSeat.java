package dev.holdfast.internal.node;

import dev.holdfast.lock.Persistence;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Push;
import dev.holdfast.time.Moment;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One node's seat in a client: the server that stands behind the node, whether the client may use the node, and which warnings about the node were
 * logged. Passes the node's pushes on. Thread-safe.
 */
final class NodeSeat implements NodeListener {

    private static final System.Logger LOG = System.getLogger(NodeSeat.class.getName());

    final int index;
    final CompletableFuture<LockNode> node = new CompletableFuture<>();
    final CompletableFuture<Void> tried = new CompletableFuture<>();
    private final NodeSet nodes;
    volatile @Nullable ServerIdentity server;
    volatile boolean connectedOnce;
    private volatile boolean identifies; // the node names its server before it receives requests
    private volatile @Nullable String refused; // why the node itself must not be used
    private final Set<String> warnedOf = new HashSet<>();

    NodeSeat(NodeSet nodes, int index) {
        this.nodes = nodes;
        this.index = index;
    }

    String name() {
        return node.join().name();
    }

    /** Returns why the client sends the node no requests; null if it does. */
    @Nullable
    String refusal() {
        String reason = refused;
        ServerIdentity current = server;
        return reason != null ? reason : current == null ? null : current.twin;
    }

    /** Warns once for each of seals and values, if the client uses them and the node loses them when it restarts. Locks alone need no persistence. */
    synchronized void warnOfStateLoss() {
        LockNode opened = node.getNow(null);
        Persistence keeps = opened == null ? Persistence.UNKNOWN : opened.persistence();
        if (nodes.usesSeals() && keeps == Persistence.NONE && warnedOf.add("seals")) {
            warnOfStateLoss("seals", "Work that was done once may be done again");
        }
        if (nodes.usesValues() && (keeps == Persistence.NONE || keeps == Persistence.SEALS) && warnedOf.add("values")) {
            warnOfStateLoss("values", "Values that holders and leaders write for the next holder may be lost");
        }
    }

    private void warnOfStateLoss(String what, String harm) {
        LOG.log(
                Level.WARNING,
                "Node " + name() + " loses " + what + " when it restarts. " + harm
                        + " if a majority of such nodes restarts and no client uses the lock between the restarts;"
                        + " see \"Persistence\" in docs/guides/operations.md");
    }

    void logRefusal(String reason) {
        node.thenRun(() -> LOG.log(Level.ERROR, "Node " + name() + " is not used: " + reason));
    }

    @Override
    public void pushed(Push push) {
        nodes.listener().pushed(index, push);
    }

    @Override
    public void identified(String id) {
        identifies = true;
        nodes.listener().connected();
        nodes.seat(this, id);
    }

    @Override
    public void available(String id) {
        if (!identifies) {
            nodes.listener().connected();
            nodes.seat(this, id);
        }
        refused = null;
        connectedOnce = true;
        node.thenRun(this::warnOfStateLoss);
        tried.complete(null);
        nodes.checkReached();
        if (refusal() == null) {
            nodes.listener().available(index);
        }
    }

    @Override
    public CompletionStage<Boolean> clockStepped(long micros, Moment since) {
        return nodes.clockSteps().isOwn(index, micros, since);
    }

    @Override
    public void unavailable(String reason) {
        tried.complete(null);
    }

    @Override
    public void refused(String reason) {
        if (!reason.equals(refused)) { // each attempt to connect may end with the same reason
            refused = reason;
            logRefusal(reason);
        }
        tried.complete(null);
    }
}
