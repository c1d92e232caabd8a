package dev.holdfast.cli.command;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Messages;
import dev.holdfast.cli.output.NodesReport;
import dev.holdfast.cli.output.Output;
import picocli.CommandLine.Command;

/** The command {@code nodes}. */
@Command(
        name = "nodes",
        description = "Show the state of every node: round trip, run id, quarantine, clock, warnings.",
        sortOptions = false,
        footer = {"", "Exits with 0, or with 69 if fewer nodes than a majority vote."})
final class NodesCommand extends NodeQuery {

    @Override
    public Integer call() throws InterruptedException {
        return Client.examine(parent.settings(), this::ask);
    }

    @Override
    int ask(Holdfast holdfast) throws InterruptedException {
        NodesReport report = new NodesReport(holdfast.admin().nodes());
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
