package dev.holdfast.locked;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.NodeRefusedException;
import dev.holdfast.lock.NodeStatus;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A start that creates a client only if a majority of its nodes can be reached. */
public final class CheckedStart {

    /** A problem that ends the start, as an exception of the application's framework. */
    public interface Problem {

        /**
         * Returns the exception.
         *
         * @param what the problem, as a sentence without its full stop
         * @param remedy the remedy, as a sentence without its full stop
         */
        RuntimeException of(String what, String remedy, @Nullable Throwable cause);
    }

    private CheckedStart() {}

    /**
     * Creates the client after trying every node. Blocks until each node has answered or failed.
     *
     * @param setting the name of the setting that requests this
     * @param problem makes the exception if nodes are refused, no majority can be reached, or the thread is interrupted
     */
    public static Holdfast connect(HoldfastBuilder builder, String setting, Problem problem) {
        Holdfast holdfast;
        try {
            holdfast = builder.connect();
        } catch (NodeRefusedException e) {
            throw problem.of(String.valueOf(e.getMessage()), "Correct the node, or its user and password", e);
        }
        try {
            List<NodeStatus> nodes = holdfast.admin().nodes();
            long there = nodes.stream()
                    .filter(node -> node.state() != NodeStatus.State.DOWN)
                    .count();
            if (there <= nodes.size() / 2) {
                throw problem.of(
                        there + " of " + nodes.size() + " nodes can be reached, but a majority is required: "
                                + nodes.stream()
                                        .map(node -> node.name() + " is " + ClientText.state(node))
                                        .collect(Collectors.joining("; ")),
                        "Start the nodes, or leave " + setting + " at false",
                        null);
            }
            return holdfast;
        } catch (InterruptedException e) {
            holdfast.close();
            Thread.currentThread().interrupt();
            throw problem.of("the start was interrupted", "Start again", e);
        } catch (RuntimeException e) {
            holdfast.close();
            throw e;
        }
    }
}
