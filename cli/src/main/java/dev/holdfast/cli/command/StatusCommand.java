package dev.holdfast.cli.command;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.StatusReport;
import dev.holdfast.lock.LockStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code status NAME}. */
@Command(
        name = "status",
        description = "Show the holders of a lock, its waiters, and the vote of every node.",
        sortOptions = false,
        footer = {
            "",
            "Exits with 0, or with 69 if fewer nodes than a majority answered; then nothing",
            "shown is certain."
        })
final class StatusCommand extends NodeQuery {

    @Parameters(paramLabel = "NAME", description = "Name of the lock; put it after -- if it begins with '-'.")
    String name = "";

    @Override
    int ask(Holdfast holdfast) throws InterruptedException {
        LockStatus status = holdfast.admin().status(name);
        StatusReport report = new StatusReport(status);
        Output.print(json ? report.json() : report.text());
        if (!status.hasQuorum()) {
            return noMajority(
                    ": " + status.answered() + " of " + status.nodes().size()
                            + " nodes answered, so nothing shown is certain",
                    status.problems());
        }
        return ExitCode.OK;
    }
}
