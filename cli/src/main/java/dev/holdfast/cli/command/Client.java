package dev.holdfast.cli.command;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Messages;
import dev.holdfast.cli.output.NodesReport;
import dev.holdfast.cli.settings.Settings;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The client for one command, which it opens, uses and closes. */
final class Client {

    /** The detail of a node's status before the first connection attempt. */
    private static final String UNTRIED = "not connected yet";

    private static final long GLANCE_NANOS = 5_000_000;
    private static final long RIGHTS_NANOS = 1_000_000_000;

    /** A question that a command asks through the client. */
    interface Question {

        int ask(Holdfast holdfast) throws InterruptedException;
    }

    private Client() {}

    static int ask(Settings settings, Question question) throws InterruptedException {
        return ask(settings::connect, question);
    }

    /** Asks through a client whose nodes may be refused: the question sees their states. */
    static int examine(Settings settings, Question question) throws InterruptedException {
        return ask(settings::open, question);
    }

    private static int ask(Supplier<Holdfast> opening, Question question) throws InterruptedException {
        try (Holdfast holdfast = opening.get()) {
            awaitAll(holdfast);
            return question.ask(holdfast);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        } catch (HoldfastException e) {
            throw new Failure(ExitCode.NO_QUORUM, String.valueOf(e.getMessage()), e);
        }
    }

    /** Reports the nodes that a command locks on, their states, and how many of them are a majority. */
    static void sayNodes(Holdfast holdfast) throws InterruptedException {
        awaitAll(holdfast);
        List<NodeStatus> nodes = holdfast.admin().nodes();
        NodesReport report = new NodesReport(nodes);
        Messages.say("nodes: "
                + nodes.stream()
                        .map(node -> node.name() + " " + node.state().name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(", "))
                + "; " + report.voting() + " of " + nodes.size() + " vote, a majority is " + report.majority());
    }

    /** Returns the rights that the nodes' users lack, as far as this client has noticed, each with its node. */
    static List<String> missingRights(List<NodeStatus> nodes) {
        return nodes.stream()
                .flatMap(node -> node.server().warnings().stream()
                        .filter(warning -> warning.startsWith("the server does not allow ")
                                || warning.startsWith("the user lacks "))
                        .map(warning -> node.name() + ": " + warning))
                .toList();
    }

    /**
     * Reports missing rights after a moment if this client still waits then: a client without pushes waits longer than necessary. The caller
     * cancels the timer when the wait ends.
     */
    static Timer sayMissingRights(Holdfast holdfast, Timing timing, BooleanSupplier stillWaits) {
        return timing.scheduler()
                .schedule(
                        RIGHTS_NANOS,
                        () -> holdfast.admin().nodesAsync().thenAccept(nodes -> {
                            if (stillWaits.getAsBoolean()) {
                                missingRights(nodes).forEach(Messages::say);
                            }
                        }));
    }

    /** Waits until every node has been tried, at most the connect timeout, so that the answer covers slow nodes too. */
    static void awaitAll(Holdfast holdfast) throws InterruptedException {
        Timing timing = Timing.system("holdfast-cli");
        try {
            while (holdfast.admin().nodes().stream()
                    .anyMatch(node -> node.detail().equals(UNTRIED))) {
                CompletableFuture<Boolean> glance = new CompletableFuture<>();
                timing.scheduler().schedule(GLANCE_NANOS, () -> glance.complete(true));
                glance.join();
            }
        } finally {
            timing.scheduler().close();
        }
    }
}
