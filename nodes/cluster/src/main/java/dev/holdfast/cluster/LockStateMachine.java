package dev.holdfast.cluster;

import dev.holdfast.node.FenceFromTime;
import dev.holdfast.node.LockTable;
import dev.holdfast.node.Push;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Unavailable;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The replicated state: a {@link LockTable} and the log time. It is a pure function from the log to answers, notifications and state, so all servers
 * that have applied the same entries have the same state. Not thread-safe.
 */
final class LockStateMachine {

    private static final System.Logger LOG = System.getLogger(LockStateMachine.class.getName());

    private final long fenceRetentionMillis;
    private LockTable table;
    private long millis;

    /**
     * Creates the state before the first entry.
     *
     * @param fenceRetentionMillis how long the table remembers a fence after its last use; the same at all servers
     */
    LockStateMachine(long fenceRetentionMillis) {
        this.fenceRetentionMillis = fenceRetentionMillis;
        this.table = new LockTable(fenceRetentionMillis, 0);
    }

    /** Returns the time of the last applied entry; 0 before the first one. */
    long millis() {
        return millis;
    }

    /**
     * Applies an entry. Its operations never see a time before that of an earlier entry.
     *
     * @param pushes receives the notifications that follow from the entry
     * @return the answers, in the order of the operations
     */
    List<Object> apply(Batch batch, Consumer<Push> pushes) {
        millis = Math.max(millis, batch.millis());
        List<Object> answers = new ArrayList<>(batch.operations().size());
        for (Operation<?> operation : batch.operations()) {
            answers.add(answer(operation, pushes));
        }
        return answers;
    }

    /** Applies an operation. One that fails has failed at all servers alike, so it must not stop them: after a restart, each would meet it again. */
    private Object answer(Operation<?> operation, Consumer<Push> pushes) {
        try {
            return operation.apply(table, millis, pushes);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "An operation of the log fails", e);
            return new Unavailable("no server can carry out the request; the log of a server has the reason", true);
        }
    }

    /**
     * Answers INSPECT without an entry of the log: the state after the last applied entry, with the remaining times of this moment. Nothing expires that
     * the log does not end: a later leader, whose time starts at that of the last entry, could show it again.
     *
     * @param now the leader's present log time
     * @return empty if the state contains something that has expired since the last entry, so that an entry has to end it
     */
    Optional<ResourceState> inspect(String resource, long now) {
        long since = Math.max(now - millis, 0);
        ResourceState then = table.inspect(resource, millis);
        Seal seal = then.seal() == null ? null : then.seal().after(since);
        boolean lasts = (seal != null || then.seal() == null)
                && then.holders().stream()
                        .allMatch(holder -> holder.remainingMillis().orElseThrow() > since)
                && then.waiters().stream().allMatch(waiter -> waiter.remainingMillis() > since);
        return lasts ? Optional.of(after(since, then, seal)) : Optional.empty();
    }

    private static ResourceState after(long since, ResourceState then, @Nullable Seal seal) {
        return new ResourceState(
                then.resource(),
                then.fence(),
                then.holders().stream()
                        .map(holder -> new ResourceState.Holder(
                                holder.kind(),
                                holder.owner(),
                                holder.mode(),
                                holder.fence(),
                                OptionalLong.of(holder.remainingMillis().orElseThrow() - since)))
                        .toList(),
                then.waiters().stream()
                        .map(waiter -> new ResourceState.Waiter(
                                waiter.owner(), waiter.mode(), waiter.remainingMillis() - since))
                        .toList(),
                seal,
                then.value());
    }

    /** Returns the state in bytes. Equal logs give equal bytes: queries drop expired state at one server only, so a snapshot drops all of it first. */
    byte[] snapshot() {
        table.sweep(millis);
        SnapshotWriter out = new SnapshotWriter();
        millis = out.number(millis);
        table.pass(out);
        return out.bytes();
    }

    /**
     * Makes sure that all later fences are above those that a cluster with this state may have given in this time. It gives at most a thousand tokens of a
     * lock in a millisecond (PROTOCOL §3).
     */
    void raiseFences(long elapsedMillis) {
        long highest = Math.max(table.highestFence(), FenceFromTime.ofRun(millis));
        table.neverBelow(highest + FenceFromTime.ofRun(elapsedMillis));
    }

    /**
     * Replaces the state by that of a snapshot.
     *
     * @throws UnreadableException if the bytes are damaged, or of a later version; the state then stays
     */
    void restore(byte[] snapshot) {
        SnapshotReader in = new SnapshotReader(snapshot);
        long restoredMillis = in.number(0);
        LockTable restored = new LockTable(fenceRetentionMillis, 0);
        restored.pass(in);
        in.requireEnd();
        millis = restoredMillis;
        table = restored;
    }
}
