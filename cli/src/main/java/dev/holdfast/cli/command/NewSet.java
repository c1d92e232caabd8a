package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.server.node.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/**
 * A set of nodes that may be new (PROTOCOL §5). The set asks all its nodes twice. If no answer changes in between, and no client has ever asked any of the nodes
 * for a vote, there was a moment at which no node had given one. So nothing can be missing in a folder that a node has had since then.
 */
final class NewSet {

    /** One node of the set. */
    interface Node {

        String name();

        /** Asks the node for its standing; completes exceptionally with a {@link Failure} if the node does not answer. */
        CompletableFuture<Standing> ask();

        /**
         * Has the node record that its folder lacks no promise, if it still is the folder with this incarnation.
         *
         * @param set the names of all nodes
         */
        CompletableFuture<Void> record(String incarnation, List<String> set);
    }

    private final List<Node> nodes;
    private Map<Node, Standing> known = Map.of();

    NewSet(List<Node> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    List<String> names() {
        return nodes.stream().map(Node::name).toList();
    }

    /**
     * Asks all nodes once.
     *
     * @throws Failure if a node does not answer or is not new, or two of them are one
     */
    void requireNew() {
        known = asked();
    }

    /**
     * Asks all nodes again, and then has each record that its folder lacks no promise.
     *
     * @throws Failure if the nodes are no longer as they were, or not all of them record it
     */
    void bootstrap() {
        Map<Node, Standing> now = asked();
        Map<Node, CompletableFuture<Void>> records = new LinkedHashMap<>();
        now.forEach((node, standing) -> {
            Standing before = known.get(node);
            if (before == null || !standing.incarnation().equals(before.incarnation())) {
                throw notNew(node.name() + " has lost its folder since it was asked first");
            }
        });
        now.forEach((node, standing) -> {
            if (!standing.complete()) {
                records.put(node, node.record(standing.incarnation(), names()));
            }
        });
        List<String> problems = new ArrayList<>();
        answers(records, problems);
        if (!problems.isEmpty()) {
            throw new Failure(
                    ExitCode.NO_QUORUM,
                    "bootstrapped " + (nodes.size() - problems.size()) + " of " + nodes.size() + " nodes ["
                            + String.join("; ", problems)
                            + "]: clients count the others by their age; run it again unless clients use the set by"
                            + " now");
        }
    }

    private Map<Node, Standing> asked() {
        Map<Node, CompletableFuture<Standing>> questions = new LinkedHashMap<>();
        nodes.forEach(node -> questions.put(node, node.ask()));
        List<String> problems = new ArrayList<>();
        Map<Node, Standing> answers = answers(questions, problems);
        if (!problems.isEmpty()) {
            throw new Failure(
                    ExitCode.NO_QUORUM,
                    answers.size() + " of " + nodes.size() + " nodes answered, but all of them must ["
                            + String.join("; ", problems) + "]; nothing was changed");
        }
        Map<String, String> seen = new HashMap<>();
        answers.forEach((node, standing) -> {
            String other = seen.put(standing.incarnation(), node.name());
            if (other != null) {
                throw Failure.usage(other + " and " + node.name() + " are the same server; nothing was changed");
            }
        });
        answers.forEach((node, standing) -> {
            if (standing.setSize() != 0 && standing.setSize() != nodes.size()) {
                throw Failure.usage(node.name() + " locks on a set of " + standing.setSize() + " nodes, but "
                        + nodes.size() + " are named; nothing was changed: name all nodes of the set");
            }
        });
        String used = answers.entrySet().stream()
                .filter(answer -> answer.getValue().asked())
                .map(answer -> answer.getKey().name())
                .collect(Collectors.joining(", "));
        if (!used.isEmpty()) {
            throw notNew("clients have used " + used);
        }
        return answers;
    }

    private static Failure notNew(String why) {
        return new Failure(
                ExitCode.NOT_NEW,
                "the set is not new: " + why + "; nothing was changed: clients count each node once it is old enough");
    }

    /** Waits for the answers of these nodes, and returns them; a problem for each node that gave none. */
    private static <T> Map<Node, T> answers(Map<Node, CompletableFuture<T>> sent, List<String> problems) {
        Map<Node, T> answers = new LinkedHashMap<>();
        sent.forEach((node, answer) -> {
            try {
                answers.put(node, answer.join());
            } catch (CompletionException e) {
                if (e.getCause() instanceof Failure failure && failure.exitCode() == ExitCode.USAGE) {
                    throw failure;
                }
                problems.add(
                        String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()));
            }
        });
        return answers;
    }
}
