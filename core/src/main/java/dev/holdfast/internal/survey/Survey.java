package dev.holdfast.internal.survey;

import dev.holdfast.internal.node.NodeSet;
import dev.holdfast.internal.node.ServerIdentity;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.RunningTimeout;
import dev.holdfast.time.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

/** A query to every node, with answers for people to read. */
public final class Survey {

    /** A query to one node. */
    @FunctionalInterface
    public interface Call<A> {
        CompletionStage<A> send(LockNode node, int index);
    }

    private Survey() {}

    /**
     * Asks all nodes at once for what their servers know. A server that stands behind two names answers for the first of them only, so that a majority of
     * answers is a majority of servers.
     *
     * @param silent the answer that stands for a node that has not answered in time
     * @return the answers in the order of the nodes, once all have answered or timed out; time in which this client did not run does not count
     */
    @SuppressWarnings("unchecked") // Unavailable belongs to every type of answer
    public static <A> CompletableFuture<List<A>> ofServers(
            Quorum quorum, long timeoutNanos, Call<A> call, IntFunction<A> silent) {
        NodeSet nodes = quorum.nodes();
        Call<A> counted = (node, index) -> {
            ServerIdentity asked = nodes.server(index);
            return call.send(node, index)
                    .thenApply(answer -> answer instanceof Unavailable || nodes.counts(index, asked)
                            ? answer
                            : (A) nodes.uncounted(index, asked));
        };
        return of(quorum, timeoutNanos, counted, silent);
    }

    /**
     * Asks all nodes at once, including those that are a second name of a server.
     *
     * @param silent the answer that stands for a node that has not answered in time
     * @return the answers in the order of the nodes, once all have answered or timed out; time in which this client did not run does not count
     */
    public static <A> CompletableFuture<List<A>> of(
            Quorum quorum, long timeoutNanos, Call<A> call, IntFunction<A> silent) {
        NodeSet nodes = quorum.nodes();
        List<CompletableFuture<A>> answers = new ArrayList<>();
        for (int index = 0; index < nodes.size(); index++) {
            int asked = index;
            LockNode node = nodes.node(index);
            CompletableFuture<A> answer =
                    call.send(node, index).toCompletableFuture().copy();
            Timer timer = RunningTimeout.start(
                    nodes.timing(), timeoutNanos, node::afterReading, () -> answer.complete(silent.apply(asked)));
            answer.whenComplete((said, failure) -> timer.cancel());
            answers.add(answer);
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
    }
}
