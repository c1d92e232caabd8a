package dev.holdfast.internal.node;

import dev.holdfast.internal.time.AdjustedTicker;
import dev.holdfast.node.ClockWatch;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The decision on which clock stepped when a node's clock and this client's clocks no longer agree (PROTOCOL §5). Thread-safe.
 *
 * <p>The step is this client's own if another node's clock moved in the same direction, or if there is no other node to compare with. In that case the client's
 * machine was frozen, and its clocks stood still. The client's leases then end earlier by the length of the step, and no node is quarantined. The step is the
 * node's own only if other nodes answer and none of their clocks moved.
 */
final class ClockSteps {

    private static final System.Logger LOG = System.getLogger(ClockSteps.class.getName());
    private static final long MICROS_PER_MILLI = 1_000;

    /** How long another node may take to answer. */
    private static final long TIMEOUT_NANOS = 500_000_000;

    /** Steps that several nodes' watches report within this time may be the same step, because the watches see it one after the other. */
    private static final long AT_ONCE_NANOS = 4 * TIMEOUT_NANOS;

    private final NodeSet nodes;
    private final AdjustedTicker clock;
    private final List<Step> steps = new ArrayList<>();
    private final Map<Integer, Long> aheadMicros =
            new HashMap<>(); // how far each node's clock ran ahead since this client's was last put forward

    /** A step that one node's watch has seen. */
    private record Step(int node, long micros, long nanos) {}

    ClockSteps(NodeSet nodes, AdjustedTicker clock) {
        this.nodes = nodes;
        this.clock = clock;
    }

    /**
     * Returns whether the step that this node's watch has seen is the node's own.
     *
     * @param micros by how much the node's clock moved against this client's, positive if it went forward
     * @param since a moment before the step
     */
    CompletionStage<Boolean> isOwn(int index, long micros, Moment since) {
        note(index, micros);
        // A freeze of this machine never shows as a step back. So even a node that this client has only begun to watch
        // can confirm such a step.
        Moment watchedFrom = micros < 0 ? nodes.timing().now() : since;
        List<CompletableFuture<OptionalLong>> answers = new ArrayList<>();
        for (int other = 0; other < nodes.size(); other++) {
            if (other != index) {
                answers.add(ask(other, watchedFrom, micros));
            }
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> decide(
                        index,
                        micros,
                        answers.stream().anyMatch(answer -> answer.join().isPresent())));
    }

    private CompletableFuture<OptionalLong> ask(int other, Moment since, long micros) {
        CompletableFuture<OptionalLong> answer = new CompletableFuture<>();
        Timer timeout = nodes.timing().scheduler().schedule(TIMEOUT_NANOS, () -> answer.complete(OptionalLong.empty()));
        nodes.node(other).clockStepMicros(since, micros).whenComplete((step, thrown) -> {
            timeout.cancel();
            OptionalLong said = thrown == null ? step : OptionalLong.empty();
            said.ifPresent(seen -> note(other, seen));
            answer.complete(said);
        });
        return answer;
    }

    private synchronized void note(int node, long micros) {
        long now = nodes.timing().ticker().nanos();
        steps.removeIf(step -> now - step.nanos > AT_ONCE_NANOS);
        if (steps.isEmpty()) {
            aheadMicros.clear();
        }
        if (micros != 0) {
            steps.add(new Step(node, micros, now));
            aheadMicros.merge(node, micros, Long::sum);
        }
    }

    private boolean decide(int index, long micros, boolean compared) {
        long missed;
        synchronized (this) {
            List<Step> same = steps.stream()
                    .filter(step -> step.node != index && ClockWatch.confirms(step.micros, micros))
                    .toList();
            if (compared && same.isEmpty()) {
                aheadMicros.merge(index, -micros, Long::sum);
                return true;
            }
            long most = same.stream()
                    .mapToLong(step -> aheadMicros.getOrDefault(step.node, 0L))
                    .reduce(aheadMicros.getOrDefault(index, 0L), Math::max);
            missed = Math.max(most, 0);
            aheadMicros.clear(); // a watch that has not seen this freeze yet never will, since the clock is put forward
        }
        missed(missed);
        return false;
    }

    /**
     * Puts this client's clocks forward by the time that they missed. If the nodes' clocks seem to have gone back, this client's clocks went forward instead;
     * at worst, its leases end early.
     */
    private void missed(long micros) {
        if (micros > 0) {
            long millis = (micros + MICROS_PER_MILLI - 1) / MICROS_PER_MILLI;
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
