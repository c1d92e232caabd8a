package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that consists of other commands, and shows its help if none of them is given. */
abstract class CommandGroup implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public final Integer call() {
        spec.commandLine().usage(System.err);
        return ExitCode.USAGE;
    }
}
