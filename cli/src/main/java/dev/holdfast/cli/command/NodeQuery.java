package dev.holdfast.cli.command;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Messages;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** A command that asks the nodes one question and prints the answer as text or as JSON. */
abstract class NodeQuery implements Callable<Integer> {

    /** The order of this class's options, after those of the command itself. */
    private static final int LAST = 100;

    @Option(names = "--json", order = LAST, description = "Print a JSON object on one line.")
    boolean json;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    HoldfastCommand parent;

    @Override
    public Integer call() throws InterruptedException {
        return Client.ask(parent.settings(), this::ask);
    }

    /** Reads the answer from the nodes, prints it, and returns the exit code. */
    abstract int ask(Holdfast holdfast) throws InterruptedException;

    /**
     * Reports that no majority gave a valid answer, and returns the exit code for that.
     *
     * @param detail what the missing majority means for the answer
     * @param problems the problem of each node
     */
    static int noMajority(String detail, Collection<String> problems) {
        Messages.say("no majority" + detail + problems.stream().collect(Collectors.joining("; ", " [", "]")));
        return ExitCode.NO_QUORUM;
    }
}
