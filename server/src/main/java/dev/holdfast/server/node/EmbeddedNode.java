package dev.holdfast.server.node;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.Persistence;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.server.client.NodeMessage;
import dev.holdfast.server.lease.ServersLocks;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The server as a node (PROTOCOL §3). Its own clients lock on it unless the server has other nodes, and other clients reach it as {@code holdfast://}.
 * Thread-safe.
 *
 * <p>With a folder for its data, the node still knows after a restart when the lost votes expire, and does not vote before then (PROTOCOL §5).
 */
public final class EmbeddedNode implements ServedNode {

    private static final System.Logger LOG = ServerLogger.get();
    private static final Duration FENCE_RETENTION = Duration.ofHours(24);
    private static final String NAME = "embedded";
    private static final long LONGEST_TTL_MILLIS = Duration.ofHours(24).toMillis();

    /**
     * The servers' own locks, which they use as soon as they have started. They do not show that a set of nodes is in use, since the servers bear two holders of
     * them (docs/decisions/0085).
     */
    private static final Set<String> SERVERS_LOCKS = Set.of("lock:" + ServersLocks.KEYS, "lock:" + ServersLocks.BREAKS);

    private final Timing timing;
    private final MemoryNode node;
    private final @Nullable PromiseJournal journal;

    private EmbeddedNode(Timing timing, MemoryNode node, @Nullable PromiseJournal journal) {
        this.timing = timing;
        this.node = node;
        this.journal = journal;
    }

    /**
     * Opens a new run of the node.
     *
     * @param data the folder for the node's promises; null if no promise has to outlast the node
     * @throws dev.holdfast.lock.HoldfastException if the folder can't be used
     */
    public static EmbeddedNode open(Timing timing, @Nullable Path data) {
        PromiseJournal journal = data == null ? null : new PromiseJournal(data, timing);
        String id = Long.toHexString(timing.random().nextLong());
        MemoryNode node = new MemoryNode(NAME, id, timing, FENCE_RETENTION.toMillis(), journal);
        if (node.quarantineMillis() > 0) {
            LOG.log(
                    Level.WARNING,
                    "The previous run granted votes that may last for "
                            + DurationText.of(Duration.ofMillis(node.quarantineMillis()))
                            + " more; this node does not vote until then");
        }
        return new EmbeddedNode(timing, node, journal);
    }

    @Override
    public LockNode connect(String client, NodeListener listener) {
        return node.connect(client, listener);
    }

    /** Returns the introduction. A journal that is younger than the longest ttl may lack votes of earlier runs, so its age counts as that of the node. */
    @Override
    public NodeMessage.Hello introduction() {
        long knownMillis = journal == null ? 0 : journal.knownForMillis();
        return new NodeMessage.Hello(
                node.id(),
                Release.NAME,
                knownMillis >= LONGEST_TTL_MILLIS ? node.uptimeMillis() : Math.max(node.uptimeMillis(), knownMillis),
                node.quarantineMillis(),
                knownMillis >= LONGEST_TTL_MILLIS,
                journal == null ? Persistence.NONE : Persistence.SEALS);
    }

    @Override
    public void noteAsked(String resource) {
        if (journal != null && !journal.wasAsked() && !SERVERS_LOCKS.contains(resource)) {
            journal.noteAsked();
        }
    }

    /** Returns whether the node is new; null if it has no folder, so that it is new at each start. */
    @Override
    public @Nullable Standing standing() {
        return journal == null
                ? null
                : new Standing(
                        journal.incarnation(), journal.wasAsked(), journal.knownForMillis() >= LONGEST_TTL_MILLIS);
    }

    @Override
    public CompletionStage<Void> bootstrap() {
        return Objects.requireNonNull(journal, "no folder").complete();
    }

    @Override
    public CompletionStage<NodeMessage> status(LockNode connection) {
        String trouble = journal == null ? null : journal.trouble();
        return CompletableFuture.completedStage(new NodeMessage.Status(
                node.uptimeMillis(),
                node.quarantineMillis(),
                timing.ticker().wallMillis(),
                trouble == null
                        ? List.of()
                        : List.of("makes no new promises, because its data cannot be written: " + trouble)));
    }

    @Override
    public void close() {
        node.settle();
        if (journal != null) {
            journal.close();
        }
    }
}
