package dev.holdfast.internal.quorum;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * RELEASE at many nodes (PROTOCOL §4, "Release"): told as soon as a majority has answered, and carried on in the background at nodes
 * that can't be reached, as soon as they can be, until whatever they hold has expired.
 */
public final class Release implements Receiver<ReleaseAnswer> {

    private static final long FIRST_RETRY_NANOS = 50_000_000;
    private static final long LONGEST_RETRY_NANOS = 2_000_000_000;

    private final Quorum quorum;
    private final AttemptSettings settings;
    private final SerialExecutor executor;
    private final Ballot ballot;
    private final @Nullable OwnerId[] owners;
    private final boolean[] bury;
    private final boolean[] insist;
    private final @Nullable Seal seal;
    private final boolean confirms; // whether the caller counts on the seal
    private final @Nullable Kept kept;
    private final @Nullable LockValue value; // what nodes that are not known to keep it are to keep
    private final Moment began;
    private final long lifeMillis; // how long whatever is given back would last
    private final Deadline expiry;
    private final CompletableFuture<ReleaseOutcome> outcome = new CompletableFuture<>();
    private int open;
    private int released;
    private int absent;
    private boolean heard; // every node has answered, or has had its time to
    private @Nullable Retries retries;

    private Release(
            Quorum quorum,
            SerialExecutor executor,
            Ballot ballot,
            BitSet nodes,
            @Nullable Seal seal,
            boolean confirms,
            @Nullable Kept kept,
            @Nullable LockValue value) {
        this.quorum = quorum;
        this.executor = executor;
        this.ballot = ballot;
        this.settings = ballot.settings();
        this.owners = new OwnerId[quorum.size()];
        this.bury = new boolean[quorum.size()];
        this.insist = new boolean[quorum.size()];
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            owners[node] = ballot.owner(node);
            bury[node] = ballot.mayArriveLate(node);
            insist[node] = seal != null || ballot.mayBeKnownAt(node);
        }
        this.seal = seal;
        this.confirms = confirms;
        this.kept = kept;
        this.value = value;
        this.lifeMillis = ballot.longestTtlMillis();
        this.began = quorum.timing().now();
        this.expiry = new Deadline(began, TimeUnit.MILLISECONDS.toNanos(lifeMillis));
        this.open = nodes.cardinality();
    }

    /**
     * Gives a lease back at all nodes, on its serial executor, and writes back what nodes lack.
     *
     * @param seal null, or that its work is done, and how long the nodes keep the resource closed therefore
     * @param kept what nodes are known to keep
     * @param value what nodes that are not known to keep it are to keep as the lock's value; null to leave it as it is
     */
    public static CompletableFuture<ReleaseOutcome> of(
            Quorum quorum,
            SerialExecutor executor,
            Ballot ballot,
            @Nullable Seal seal,
            Kept kept,
            @Nullable LockValue value) {
        ballot.end();
        Seal known = seal != null ? seal : kept.seal(quorum.timing().now());
        return new Release(quorum, executor, ballot, quorum.all(), known, seal != null, kept, value)
                .begin(quorum.all());
    }

    /** Gives back what an attempt has at one node, on its serial executor. */
    static void at(Quorum quorum, SerialExecutor executor, Ballot ballot, int node) {
        BitSet one = new BitSet();
        one.set(node);
        start(quorum, executor, ballot, one, null);
    }

    /**
     * Closes the door behind a request that the release of its round has overtaken, or may have: the request has ended unknown after the
     * release was sent, or the node answers it after the release. Only on the serial executor.
     */
    static void behind(Quorum quorum, SerialExecutor executor, Ballot ballot, int node, int round) {
        BitSet one = new BitSet();
        one.set(node);
        Release release = new Release(quorum, executor, ballot, one, null, false, null, null);
        release.owners[node] = ballot.ownerOf(round);
        release.bury[node] = true;
        release.insist[node] = true;
        release.begin(one);
    }

    /**
     * Gives back what an attempt has at these nodes, on its serial executor.
     *
     * @param seal what the attempt was told, for nodes that lack it; null if it was told none
     */
    static void start(Quorum quorum, SerialExecutor executor, Ballot ballot, BitSet nodes, @Nullable Seal seal) {
        new Release(quorum, executor, ballot, nodes, seal, false, null, null).begin(nodes);
    }

    private CompletableFuture<ReleaseOutcome> begin(BitSet nodes) {
        if (!nodes.isEmpty()) {
            quorum.releaseBegun();
            send(nodes);
        }
        return outcome;
    }

    private void send(BitSet nodes) {
        FanOut.send(
                quorum,
                executor,
                nodes,
                settings.nodeTimeoutNanos(),
                NodeOperation.RELEASE,
                (node, index) -> node.release(request(index)),
                this);
    }

    /** An ACQUIRE in doubt may arrive after this: the door is closed behind it. */
    private ReleaseRequest request(int node) {
        long buryMillis = bury[node] ? lifeMillis : 0;
        Seal now = seal == null ? null : Kept.aged(seal, began, quorum.timing().now());
        return new ReleaseRequest(
                settings.resource(), Objects.requireNonNull(owners[node]), buryMillis, now, carried(node));
    }

    private @Nullable LockValue carried(int node) {
        return value == null || kept == null || kept.keeps(node, value) ? null : value;
    }

    @Override
    public void answered(int node, ReleaseAnswer answer, boolean late) {
        open -= late ? 0 : 1;
        if (!(answer instanceof Unavailable)) {
            ballot.released(node, ballot.roundOf(Objects.requireNonNull(owners[node])));
        }
        if (answer instanceof ReleaseAnswer.Released) {
            released++;
        } else if (answer instanceof ReleaseAnswer.Absent) {
            absent++;
        } else if (answer instanceof Unavailable) {
            bury[node] = true;
            retryLater(node);
        }
        decide();
    }

    @Override
    public void timedOut(int node) {
        open--;
        decide();
    }

    private void decide() {
        boolean majority = released + absent >= quorum.majority();
        if (absent >= quorum.majority()) {
            outcome.complete(ReleaseOutcome.EXPIRED);
        } else if (confirms ? released >= quorum.majority() : majority) {
            outcome.complete(ReleaseOutcome.RELEASED);
        } else if (open == 0) { // a seal where others may have older votes keeps nobody out who has them
            outcome.complete(majority ? ReleaseOutcome.EXPIRED : ReleaseOutcome.UNKNOWN);
        }
        if (open == 0 && !heard) {
            heard = true;
            quorum.releaseHeard();
        }
    }

    private void retryLater(int node) {
        if (!insist[node] || expiry.isPast(quorum.timing().now())) {
            return;
        }
        Retries all = retries;
        if (all == null) {
            all = new Retries(owners.length, quorum.nextRelease());
            retries = all;
        }
        all.timers[node] = quorum.timing()
                .scheduler()
                .schedule(all.delayNanos[node], () -> executor.execute(() -> sendAgain(node)));
        all.delayNanos[node] = Math.min(all.delayNanos[node] * 2, LONGEST_RETRY_NANOS);
        quorum.insistOn(all.number, this);
    }

    /** The node can be asked again, so there is no reason to wait longer. On any thread. */
    void available(int node) {
        executor.execute(() -> sendAgain(node));
    }

    private void sendAgain(int node) {
        Retries all = retries;
        if (all == null) {
            return;
        }
        Timer timer = all.timers[node];
        if (timer == null) {
            return; // it has been sent meanwhile
        }
        timer.cancel();
        all.timers[node] = null;
        if (Arrays.stream(all.timers).allMatch(Objects::isNull)) {
            quorum.noLongerInsistOn(all.number);
        }
        BitSet one = new BitSet();
        one.set(node);
        open++;
        send(one);
    }

    /** When each node is asked again: one that is down for long does not slow the others' down. */
    private static final class Retries {

        final @Nullable Timer[] timers;
        final long[] delayNanos;
        final long number;

        Retries(int nodes, long number) {
            this.number = number;
            timers = new Timer[nodes];
            delayNanos = new long[nodes];
            Arrays.fill(delayNanos, FIRST_RETRY_NANOS);
        }
    }
}
