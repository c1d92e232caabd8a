package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Messages;
import dev.holdfast.cli.output.NodesReport;
import dev.holdfast.cli.output.Output;
import dev.holdfast.Holdfast;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code nodes}. */
@Command(
        name = "nodes",
        description = "Show how every node is: round trip, run id, quarantine, clock, warnings.",
        sortOptions = false,
        footer = {"", "Ends with 0, or with 69 if fewer nodes than a majority vote."})
final class NodesCommand implements Callable<Integer> {

    @Option(names = "--json", description = "Print JSON: an object on one line.")
    boolean json;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private HoldfastCommand parent;

    @Override
    public Integer call() throws InterruptedException {
        return Client.ask(parent.settings(), this::show);
    }

    private int show(Holdfast holdfast) throws InterruptedException {
        NodesReport report = new NodesReport(holdfast.nodes());
        Output.print(json ? report.json() : report.text());
        if (!report.hasMajority()) {
            Messages.say("no majority: " + report.voting() + " of "
                    + report.nodes().size() + " nodes vote, " + report.majority() + " are needed"
                    + report.whyNotVoting());
            return ExitCode.NO_QUORUM;
        }
        return ExitCode.OK;
    }
}
