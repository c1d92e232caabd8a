package dev.holdfast.internal.quorum;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Quarantined;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.AcquireAnswer.Sealed;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.Ticket;
import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One prolongation of a lease (PROTOCOL §4, "Extension"): ACQUIRE with the lease's fence as floor, and heal, at all nodes. Heals nodes
 * that were down, or that restarted, back into the lease; never makes anew what another has had in between.
 *
 * <p>Or a raise for more tokens (PROTOCOL §7): the same with a larger floor, and without heal, since a vote that was made anew may have
 * missed tokens that others had below that floor.
 */
public final class Extension implements Receiver<AcquireAnswer> {

    /** Told what came of an extension, on the serial executor it was started with. */
    public interface Listener {

        /**
         * A majority agreed. The lease is valid until the new end, if it has not ended before this is told; the end counts from
         * when the requests were sent.
         */
        void extended(Deadline validity);

        /**
         * All nodes have answered or timed out, and no majority agreed; the old end stands. Late answers may still make it
         * {@link #extended}.
         *
         * @param anothers whether a majority said that the lease has no vote there any more
         * @param detail what the nodes said, for people
         */
        void failed(boolean anothers, String detail);

        /** A request waits behind the lease. */
        void contended(Ticket waiter);
    }

    private final Quorum quorum;
    private final SerialExecutor executor;
    private final Ballot ballot;
    private final long ttlMillis;
    private final long floor;
    private final boolean raises;
    private final @Nullable LockValue value;
    private final Kept kept;
    private final @Nullable BitSet lacking; // nodes that the value is carried to; null if there is none
    private final Listener listener;
    private final Moment sent;
    private final int[] rounds;
    private final Quorum.@Nullable Server[] servers; // asked at each node
    private final BitSet granted = new BitSet();
    private @Nullable StringBuilder detail;
    private int open;
    private boolean extended;
    private int denied;
    private int failures; // told: 1 no majority agreed, 2 a majority said no

    private Extension(
            Quorum quorum,
            SerialExecutor executor,
            Ballot ballot,
            long ttlMillis,
            long floor,
            boolean raises,
            @Nullable LockValue value,
            Kept kept,
            Listener listener) {
        this.quorum = quorum;
        this.executor = executor;
        this.ballot = ballot;
        this.ttlMillis = ttlMillis;
        this.floor = floor;
        this.raises = raises;
        this.value = value;
        this.kept = kept;
        this.lacking = value == null ? null : lacking(value);
        this.listener = listener;
        this.sent = quorum.timing().now();
        this.open = quorum.size();
        this.rounds = new int[quorum.size()];
        this.servers = new Quorum.@Nullable Server[quorum.size()];
        for (int node = 0; node < rounds.length; node++) {
            rounds[node] = ballot.round(node);
            servers[node] = quorum.server(node);
        }
    }

    /**
     * Asks all nodes to let the lease last longer, on the serial executor.
     *
     * @param fence the fence that the lease bears
     * @param ttlMillis how long the votes are to last from now at least; never shortens one
     * @param value what a majority keeps as the lock's value once this is told as extended, carried to nodes that are not known to keep it;
     *     null to leave it as it is
     * @param kept what nodes are known to keep; learns what they say
     */
    public static void prolong(
            Quorum quorum,
            SerialExecutor executor,
            Ballot ballot,
            long fence,
            long ttlMillis,
            @Nullable LockValue value,
            Kept kept,
            Listener listener) {
        new Extension(quorum, executor, ballot, ttlMillis, fence, false, value, kept, listener).start();
    }

    /**
     * Asks all nodes to let the lease's votes bear this larger fence, and last longer, on the serial executor. Once it is told as
     * extended, a majority of votes bears exactly that fence, and the tokens up to it are the lease's.
     */
    public static void raise(
            Quorum quorum,
            SerialExecutor executor,
            Ballot ballot,
            long fence,
            long ttlMillis,
            Kept kept,
            Listener listener) {
        new Extension(quorum, executor, ballot, ttlMillis, fence, true, null, kept, listener).start();
    }

    private @Nullable BitSet lacking(LockValue value) {
        BitSet nodes = new BitSet();
        for (int node = 0; node < quorum.size(); node++) {
            nodes.set(node, !kept.keeps(node, value));
        }
        return nodes.isEmpty() ? null : nodes;
    }

    private void start() {
        ballot.asked(quorum.all(), ttlMillis);
        FanOut.send(
                quorum,
                executor,
                quorum.all(),
                ballot.settings().nodeTimeoutNanos(),
                NodeOperation.EXTEND,
                (node, index) -> node.acquire(request(index)),
                this);
    }

    private AcquireRequest request(int node) {
        AttemptSettings settings = ballot.settings();
        return new AcquireRequest(
                settings.resource(),
                ballot.owner(node),
                settings.mode(),
                ttlMillis,
                false,
                settings.waiterTtlMillis(),
                settings.tokens(),
                floor,
                !raises,
                isCarriedTo(node) ? value : null);
    }

    private boolean isCarriedTo(int node) {
        return lacking != null && lacking.get(node);
    }

    @Override
    public void answered(int node, AcquireAnswer told, boolean late) {
        AcquireAnswer answer = quorum.counted(node, servers[node], told);
        open -= late ? 0 : 1;
        if (ballot.answered(node, rounds[node], answer)) {
            Release.behind(quorum, executor, ballot, node, rounds[node]);
        }
        quorum.tickets().observe(answer.latestTicketTime());
        learn(node, answer);
        hear(node, answer);
    }

    /** A node that refuses, or is quarantined, may have lost its memory. */
    private void learn(int node, AcquireAnswer answer) {
        if (answer instanceof Granted) {
            if (isCarriedTo(node)) {
                kept.told(node, value);
            }
        } else if (!(answer instanceof Unavailable)) {
            kept.forget(node);
        }
        if (answer instanceof Sealed sealed) {
            kept.sealed(sealed.seal(), sent);
        }
    }

    @Override
    public void timedOut(int node) {
        open--;
        ballot.timedOut(node, rounds[node]);
        note(node, "no answer in time");
        failIfDone();
    }

    private void hear(int node, AcquireAnswer answer) {
        if (answer instanceof Granted yes) {
            tellContender(
                    yes.contender()); // first: whoever gets the lease on this answer gets it with somebody waiting
            if (!suffices(yes.fence())) {
                note(node, "another fence");
            } else if (isNewMajority(node)) {
                long ttlNanos = TimeUnit.MILLISECONDS.toNanos(ttlMillis);
                listener.extended(new Deadline(sent, ttlNanos - Validity.driftNanos(ttlNanos)));
            }
        } else if (answer instanceof Denied || answer instanceof Sealed || answer instanceof Queued) {
            denied++;
            note(
                    node,
                    answer instanceof Denied no && no.blocker() != null
                            ? "held by " + no.blocker().display()
                            : "no vote");
        } else if (answer instanceof Quarantined) {
            note(node, "in quarantine");
        } else if (answer instanceof Unavailable unavailable) {
            note(node, unavailable.reason());
        }
        failIfDone();
    }

    /** Whether this grant makes a majority. A grant of a server that has come to stand behind another node's name meanwhile is not one. */
    private boolean isNewMajority(int node) {
        granted.set(node);
        if (extended || votes() < quorum.majority()) {
            return false;
        }
        extended = true;
        return true;
    }

    private int votes() {
        int votes = 0;
        for (int node = granted.nextSetBit(0); node >= 0; node = granted.nextSetBit(node + 1)) {
            votes += quorum.counts(node, servers[node]) ? 1 : 0;
        }
        return votes;
    }

    /** A vote that bears more than it was raised to was made anew on a fence based on time: it says nothing of the tokens in between. */
    private boolean suffices(long fence) {
        return raises ? fence == floor : fence >= floor;
    }

    private void tellContender(@Nullable Ticket contender) {
        if (contender != null) {
            listener.contended(contender);
        }
    }

    private void note(int node, String text) {
        detail = detail == null ? new StringBuilder() : detail.append("; ");
        detail.append(quorum.name(node)).append(": ").append(text);
    }

    private void failIfDone() {
        boolean anothers = denied >= quorum.majority();
        boolean news = failures == 0 || (anothers && failures == 1);
        if (!extended && news && (open == 0 || anothers)) {
            failures = anothers ? 2 : 1;
            listener.failed(anothers, detail == null ? "" : detail.toString());
        }
    }
}
