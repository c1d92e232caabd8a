package dev.holdfast.quorum;

import dev.holdfast.node.LockNode;
import dev.holdfast.time.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

/** A question to every node, refused ones too, whose answers are for people. */
public final class Survey {

    /** How one node is asked. */
    @FunctionalInterface
    public interface Call<A> {
        CompletionStage<A> send(LockNode node, int index);
    }

    private Survey() {}

    /**
     * Asks all nodes at once.
     *
     * @param silent what stands for a node that has not answered in time
     * @return the answers in the order of the nodes, once all are there or the time is up
     */
    public static <A> CompletableFuture<List<A>> of(
            Quorum quorum, long timeoutNanos, Call<A> call, IntFunction<A> silent) {
        List<CompletableFuture<A>> answers = new ArrayList<>();
        for (int node = 0; node < quorum.size(); node++) {
            answers.add(call.send(quorum.node(node), node).toCompletableFuture().copy());
        }
        Timer timer = quorum.timing().scheduler().schedule(timeoutNanos, () -> {
            for (int node = 0; node < answers.size(); node++) {
                answers.get(node).complete(silent.apply(node));
            }
        });
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> {
                    timer.cancel();
                    return answers.stream().map(CompletableFuture::join).toList();
                });
    }
}
