package dev.holdfast.quorum;

import dev.holdfast.ReleaseOutcome;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.Deadline;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * RELEASE at many nodes (PROTOCOL §4, "Release"): told as soon as a majority has answered, and carried on in the background at nodes
 * that can't be reached until whatever they hold has expired.
 */
public final class Release implements Receiver<ReleaseAnswer> {

    private static final long FIRST_RETRY_NANOS = 50_000_000;
    private static final long LONGEST_RETRY_NANOS = 2_000_000_000;

    private final Quorum quorum;
    private final AttemptSettings settings;
    private final OwnerId[] owners;
    private final BitSet bury;
    private final BitSet insist;
    private final long sealMillis;
    private final long lifeMillis; // how long whatever is given back would last
    private final Deadline expiry;
    private final CompletableFuture<ReleaseOutcome> outcome = new CompletableFuture<>();
    private final CompletableFuture<Void> heard = new CompletableFuture<>();
    private final Mailbox mailbox = new Mailbox();
    private int open;
    private int released;
    private int absent;
    private final long[] retryNanos; // of each node: one that is down for long does not slow the others' down

    private Release(Quorum quorum, Ballot ballot, AttemptSettings settings, BitSet nodes, long sealMillis) {
        this.quorum = quorum;
        this.settings = settings;
        this.owners = new OwnerId[quorum.size()];
        this.bury = new BitSet();
        this.insist = new BitSet();
        nodes.stream().forEach(node -> {
            owners[node] = ballot.owner(node);
            bury.set(node, ballot.hasUnanswered(node));
            insist.set(node, ballot.mayBeKnownAt(node));
        });
        this.retryNanos = new long[quorum.size()];
        Arrays.fill(retryNanos, FIRST_RETRY_NANOS);
        this.sealMillis = sealMillis;
        this.lifeMillis = ballot.longestTtlMillis();
        this.expiry = new Deadline(quorum.timing().now(), TimeUnit.MILLISECONDS.toNanos(lifeMillis));
        this.open = nodes.cardinality();
    }

    /** Gives a lease back at all nodes. */
    public static CompletableFuture<ReleaseOutcome> of(Quorum quorum, Grant grant) {
        return start(quorum, grant.ballot(), grant.settings(), quorum.all(), 0);
    }

    /** Gives back what an attempt has at one node. */
    static void at(Quorum quorum, Ballot ballot, int node, AttemptSettings settings) {
        BitSet one = new BitSet();
        one.set(node);
        start(quorum, ballot, settings, one, 0);
    }

    /** Gives back what an attempt has at these nodes. */
    static CompletableFuture<ReleaseOutcome> start(
            Quorum quorum, Ballot ballot, AttemptSettings settings, BitSet nodes, long sealMillis) {
        Release release = new Release(quorum, ballot, settings, nodes, sealMillis);
        if (!nodes.isEmpty()) {
            quorum.releasing(release);
        }
        release.mailbox.run(() -> release.send(nodes));
        return release.outcome;
    }

    /** Completes when every node has answered, or has had its time to. */
    CompletableFuture<Void> heard() {
        return heard;
    }

    private void send(BitSet nodes) {
        FanOut.send(quorum, nodes, settings.nodeTimeoutNanos(), (node, index) -> node.release(request(index)), this);
    }

    /** An ACQUIRE that went unanswered may arrive after this: the door is closed behind it. */
    private ReleaseRequest request(int node) {
        long buryMillis = bury.get(node) ? lifeMillis : 0;
        return new ReleaseRequest(settings.resource(), owners[node], buryMillis, sealMillis);
    }

    @Override
    public void answered(int node, ReleaseAnswer answer, boolean late) {
        mailbox.run(() -> {
            open -= late ? 0 : 1;
            if (answer instanceof ReleaseAnswer.Released) {
                released++;
            } else if (answer instanceof ReleaseAnswer.Absent) {
                absent++;
            } else if (answer instanceof Unavailable) {
                bury.set(node);
                retryLater(node);
            }
            decide();
        });
    }

    @Override
    public void timedOut(int node) {
        mailbox.run(() -> {
            open--;
            bury.set(node);
            decide();
        });
    }

    private void decide() {
        boolean majority = released + absent >= quorum.majority();
        if (majority) {
            outcome.complete(absent >= quorum.majority() ? ReleaseOutcome.EXPIRED : ReleaseOutcome.RELEASED);
        } else if (open == 0) {
            outcome.complete(ReleaseOutcome.UNKNOWN);
        }
        if (open == 0) {
            heard.complete(null);
        }
    }

    private void retryLater(int node) {
        if (!insist.get(node) || expiry.isPast(quorum.timing().now())) {
            return;
        }
        quorum.timing()
                .scheduler()
                .schedule(
                        retryNanos[node],
                        () -> mailbox.run(() -> {
                            BitSet one = new BitSet();
                            one.set(node);
                            open++;
                            send(one);
                        }));
        retryNanos[node] = Math.min(retryNanos[node] * 2, LONGEST_RETRY_NANOS);
    }
}
