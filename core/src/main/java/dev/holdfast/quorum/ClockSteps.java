package dev.holdfast.quorum;

import dev.holdfast.time.AdjustedTicker;
import dev.holdfast.time.Timer;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Decides whose clock stepped when a node's clock and this client's clocks no longer agree (PROTOCOL §5). Thread-safe.
 *
 * <p>If another node's clock moved in the same direction, or there is no other node to compare with, the step is this client's own: its
 * machine was frozen, and its clocks stood still. Then this client's leases are shorter by the step, and no node is quarantined. Only if
 * other nodes answer and none of them moved is the step the node's own.
 */
final class ClockSteps {

    private static final System.Logger LOG = System.getLogger(ClockSteps.class.getName());
    private static final long MICROS_PER_MILLI = 1_000;

    /** How long another node may take to answer. */
    private static final long TIMEOUT_NANOS = 500_000_000;

    /** Steps that are seen within this time are one and the same: watches of several nodes see it one after the other. */
    private static final long AT_ONCE_NANOS = 4 * TIMEOUT_NANOS;

    /** Two nodes show the same step if the smaller one is at least this share of the larger: each look has slack of its own. */
    private static final long SHARE_OF_THE_SAME = 4;

    private final Quorum quorum;
    private final AdjustedTicker clock;
    private final List<Step> steps = new ArrayList<>();
    private long missedMicros; // put forward for the steps that are still there

    /** What one node's watch has seen. */
    private record Step(int node, long micros, long nanos) {}

    ClockSteps(Quorum quorum, AdjustedTicker clock) {
        this.quorum = quorum;
        this.clock = clock;
    }

    /**
     * Whether the step that this node's watch has seen is the node's own.
     *
     * @param micros by how much the node's clock moved against this client's, positive if it went forward
     */
    CompletionStage<Boolean> isOwn(int index, long micros) {
        note(index, micros);
        List<CompletableFuture<OptionalLong>> answers = new ArrayList<>();
        for (int other = 0; other < quorum.size(); other++) {
            if (other != index) {
                answers.add(ask(other));
            }
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> decide(
                        index,
                        micros,
                        answers.stream().anyMatch(answer -> answer.join().isPresent())));
    }

    private CompletableFuture<OptionalLong> ask(int other) {
        CompletableFuture<OptionalLong> answer = new CompletableFuture<>();
        Timer timeout =
                quorum.timing().scheduler().schedule(TIMEOUT_NANOS, () -> answer.complete(OptionalLong.empty()));
        quorum.node(other).clockStepMicros().whenComplete((step, thrown) -> {
            timeout.cancel();
            OptionalLong said = thrown == null ? step : OptionalLong.empty();
            said.ifPresent(seen -> note(other, seen));
            answer.complete(said);
        });
        return answer;
    }

    private synchronized void note(int node, long micros) {
        long now = quorum.timing().ticker().nanos();
        steps.removeIf(step -> now - step.nanos > AT_ONCE_NANOS);
        if (steps.isEmpty()) {
            missedMicros = 0;
        }
        if (micros != 0) {
            steps.add(new Step(node, micros, now));
        }
    }

    private boolean decide(int index, long micros, boolean compared) {
        long missed;
        synchronized (this) {
            List<Step> same = steps.stream()
                    .filter(step -> step.node != index && isSame(step.micros, micros))
                    .toList();
            if (compared && same.isEmpty()) {
                return true;
            }
            long most = same.stream().mapToLong(Step::micros).reduce(micros, Math::max);
            missed = Math.max(most - missedMicros, 0);
            missedMicros += missed;
        }
        missed(missed);
        return false;
    }

    private static boolean isSame(long one, long other) {
        long smaller = Math.min(Math.abs(one), Math.abs(other));
        long larger = Math.max(Math.abs(one), Math.abs(other));
        return Long.signum(one) == Long.signum(other) && smaller >= larger / SHARE_OF_THE_SAME;
    }

    /** Nodes whose clocks went back, seen from here, mean that this client's clocks went forward: its leases end early at worst. */
    private void missed(long micros) {
        if (micros > 0) {
            long millis = (micros + MICROS_PER_MILLI - 1) / MICROS_PER_MILLI;
            LOG.log(
                    Level.WARNING,
                    "The clocks of all nodes are {0} ms ahead of what this client expects: this machine was frozen,"
                            + " or its clocks were set. Leases of this client end that much earlier.",
                    millis);
            clock.missed(millis);
            quorum.clockMoved();
        }
    }
}
