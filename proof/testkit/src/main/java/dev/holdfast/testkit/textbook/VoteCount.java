package dev.holdfast.testkit.textbook;

import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One command to all nodes at once. It counts the nodes that answer yes, until all have answered or the time for a node
 * has ended.
 */
final class VoteCount {

    private final CompletableFuture<Integer> done = new CompletableFuture<>();
    private int missing;
    private int yes;

    private VoteCount(int nodes) {
        missing = nodes;
    }

    /** Returns how many nodes answered yes in time. */
    static CompletableFuture<Integer> of(
            List<KeyNode> nodes,
            Timing timing,
            long nodeTimeoutNanos,
            Function<KeyNode, CompletionStage<KeyAnswer>> command) {
        VoteCount tally = new VoteCount(nodes.size());
        Timer timer = timing.scheduler().schedule(nodeTimeoutNanos, tally::end);
        tally.done.thenRun(timer::cancel);
        nodes.forEach(node -> command.apply(node).whenComplete((answer, failure) -> tally.heard(answer)));
        return tally.done;
    }

    private void heard(@Nullable KeyAnswer answer) {
        boolean last;
        synchronized (this) {
            yes += answer == KeyAnswer.YES ? 1 : 0;
            last = --missing == 0;
        }
        if (last) {
            end();
        }
    }

    private void end() {
        int counted;
        synchronized (this) {
            counted = yes;
        }
        done.complete(counted);
    }
}
