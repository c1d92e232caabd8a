package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Messages;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.StatusReport;
import dev.holdfast.Holdfast;
import dev.holdfast.LockStatus;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code status NAME}. */
@Command(
        name = "status",
        description = "Show who holds a lock, who waits for it, and the vote of every node.",
        sortOptions = false,
        footer = {
            "",
            "Ends with 0, or with 69 if fewer nodes than a majority answered: then nothing",
            "shown is certain."
        })
final class StatusCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAME", description = "The lock; after -- if it begins with '-'.")
    String name = "";

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
        LockStatus status = holdfast.status(name);
        StatusReport report = new StatusReport(status);
        Output.print(json ? report.json() : report.text());
        if (!status.hasQuorum()) {
            Messages.say("no majority: " + status.answered() + " of "
                    + status.nodes().size() + " nodes answered, so nothing shown is certain"
                    + status.problems().stream().collect(Collectors.joining("; ", " [", "]")));
            return ExitCode.NO_QUORUM;
        }
        return ExitCode.OK;
    }
}
