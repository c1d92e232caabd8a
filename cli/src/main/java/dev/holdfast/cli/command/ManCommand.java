package dev.holdfast.cli.command;

import dev.holdfast.cli.manual.ManPage;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Output;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code man}. */
@Command(
        name = "man",
        description = "Print the manual page.",
        sortOptions = false,
        footer = {
            "",
            "To read it once, and to install it for 'man holdfast':",
            "  holdfast man | man -l -",
            "  holdfast man > ~/.local/share/man/man1/holdfast.1",
        })
final class ManCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        Output.print(ManPage.of(spec.root()));
        return ExitCode.OK;
    }
}
