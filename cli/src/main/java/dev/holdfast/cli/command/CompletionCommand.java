package dev.holdfast.cli.command;

import dev.holdfast.cli.manual.BashCompletion;
import dev.holdfast.cli.manual.ZshCompletion;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Output;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code completion SHELL}. */
@Command(
        name = "completion",
        description = "Print the completion script of a shell, bash or zsh.",
        sortOptions = false,
        footer = {
            "",
            "For this shell only:",
            "  source <(holdfast completion bash)",
            "For every bash, with the package bash-completion:",
            "  holdfast completion bash > ~/.local/share/bash-completion/completions/holdfast",
            "For every zsh, in a directory of its fpath:",
            "  holdfast completion zsh > /usr/local/share/zsh/site-functions/_holdfast",
        })
final class CompletionCommand implements Callable<Integer> {

    /** The shells that have a script. */
    enum Shell {
        BASH,
        ZSH;

        /** Returns the value in the format of the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "SHELL", description = "One of bash, zsh.")
    Shell shell = Shell.BASH;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        CommandSpec program = spec.root();
        Output.print(
                switch (shell) {
                    case BASH -> BashCompletion.of(program);
                    case ZSH -> ZshCompletion.of(program);
                });
        return ExitCode.OK;
    }
}
