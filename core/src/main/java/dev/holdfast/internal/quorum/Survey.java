package dev.holdfast.internal.quorum;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.RunningTimeout;
import dev.holdfast.time.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

/** A question to every node whose answers are for people. */
public final class Survey {

    /** How one node is asked. */
    @FunctionalInterface
    public interface Call<A> {
        CompletionStage<A> send(LockNode node, int index);
    }

    private Survey() {}

    /**
     * Asks all nodes at once for what their servers know. A server that stands behind two names answers for the first of them only, so
     * that a majority of answers is a majority of servers.
     *
     * @param silent what stands for a node that has not answered in time
     * @return the answers in the order of the nodes, once all are there or their time is up: time in which this client did not run does not count
     */
    @SuppressWarnings("unchecked") // Unavailable is an answer of every kind
    public static <A> CompletableFuture<List<A>> ofServers(
            Quorum quorum, long timeoutNanos, Call<A> call, IntFunction<A> silent) {
        Call<A> counted = (node, index) -> {
            Quorum.Server asked = quorum.server(index);
            return call.send(node, index)
                    .thenApply(answer -> answer instanceof Unavailable || quorum.counts(index, asked)
                            ? answer
                            : (A) quorum.uncounted(index, asked));
        };
        return of(quorum, timeoutNanos, counted, silent);
    }

    /**
     * Asks all nodes at once, those under a second name of their server too.
     *
     * @param silent what stands for a node that has not answered in time
     * @return the answers in the order of the nodes, once all are there or their time is up: time in which this client did not run does not count
     */
    public static <A> CompletableFuture<List<A>> of(
            Quorum quorum, long timeoutNanos, Call<A> call, IntFunction<A> silent) {
        List<CompletableFuture<A>> answers = new ArrayList<>();
        for (int index = 0; index < quorum.size(); index++) {
            int asked = index;
            LockNode node = quorum.node(index);
            CompletableFuture<A> answer =
                    call.send(node, index).toCompletableFuture().copy();
            Timer timer = RunningTimeout.start(
                    quorum.timing(), timeoutNanos, node::afterReading, () -> answer.complete(silent.apply(asked)));
            answer.whenComplete((said, failure) -> timer.cancel());
            answers.add(answer);
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
    }
}
