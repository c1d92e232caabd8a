package dev.holdfast.internal.node;

import dev.holdfast.internal.time.AdjustedTicker;
import dev.holdfast.node.LockNode;
import dev.holdfast.time.Moment;
import dev.holdfast.time.RunningTimeout;
import dev.holdfast.time.Timer;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The decision on which clock stepped when a node's clock and this client's clocks no longer agree (PROTOCOL §5). Thread-safe.
 *
 * <p>A freeze of this client's machine moves the clocks of all nodes alike. So a step forward is the node's own only if another node proves by its own readings
 * that its clock did not go with it. Otherwise the step is taken for a freeze: this client's leases are shorter by the step, and no node is quarantined.
 */
final class ClockSteps {

    private static final System.Logger LOG = System.getLogger(ClockSteps.class.getName());
    private static final long MICROS_PER_MILLI = 1_000;

    /** How long another node may take to answer, while this client runs. */
    private static final long TIMEOUT_NANOS = 500_000_000;

    private final NodeSet nodes;
    private final AdjustedTicker clock;
    private long missedMicros; // all that the clock has been put forward

    ClockSteps(NodeSet nodes, AdjustedTicker clock) {
        this.nodes = nodes;
        this.clock = clock;
    }

    /**
     * Returns whether the step that this node's watch has seen is the node's own.
     *
     * @param micros by how much the node's clock moved against this client's, positive if it went forward
     * @param since the step came later
     */
    CompletionStage<Boolean> isOwn(int index, long micros, Moment since) {
        long knownMicros = missedMicros();
        List<CompletableFuture<OptionalLong>> answers = new ArrayList<>();
        for (int other = 0; other < nodes.size(); other++) {
            if (other != index) {
                answers.add(ask(other, since));
            }
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> {
                    boolean own = isOwn(
                            micros,
                            answers.stream().map(CompletableFuture::join).toList());
                    if (!own) {
                        missed(knownMicros + micros);
                    }
                    return own;
                });
    }

    /**
     * Decides by the most that each of the other nodes' clocks has gone ahead. A freeze never shows as a step back, so such a step is the node's own
     * unless another node went back, too.
     */
    private static boolean isOwn(long micros, List<OptionalLong> others) {
        if (micros < 0) {
            return !others.isEmpty()
                    && others.stream().noneMatch(most -> most.isPresent() && most.getAsLong() <= micros / 2);
        }
        return others.stream().anyMatch(most -> most.isPresent() && most.getAsLong() < micros / 2);
    }

    private CompletableFuture<OptionalLong> ask(int other, Moment since) {
        CompletableFuture<OptionalLong> answer = new CompletableFuture<>();
        LockNode node = nodes.node(other);
        Timer timeout = RunningTimeout.startBrief(
                nodes.timing(), TIMEOUT_NANOS, node::afterReading, () -> answer.complete(OptionalLong.empty()));
        node.clockGainMicros(since).whenComplete((most, thrown) -> {
            timeout.cancel();
            answer.complete(thrown == null ? most : OptionalLong.empty());
        });
        return answer;
    }

    private synchronized long missedMicros() {
        return missedMicros;
    }

    /**
     * Handles clocks that stood still. Each node's watch shows the same freeze, so only what the clock has not been put forward for yet counts. At worst,
     * leases end early.
     *
     * @param micros all that was missed so far
     */
    private void missed(long micros) {
        long millis;
        synchronized (this) {
            millis = (micros - missedMicros + MICROS_PER_MILLI - 1) / MICROS_PER_MILLI;
            missedMicros += Math.max(millis, 0) * MICROS_PER_MILLI;
        }
        if (millis > 0) {
            LOG.log(
                    Level.WARNING,
                    "The clocks of all nodes are {0} ms ahead of what this client expects: this machine was frozen,"
                            + " or its clocks were set. Leases of this client end that much earlier.",
                    millis);
            clock.missed(millis);
            nodes.listener().clockMoved();
        }
    }
}
