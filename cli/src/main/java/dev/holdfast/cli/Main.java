package dev.holdfast.cli;

import dev.holdfast.cli.command.HelpPages;
import dev.holdfast.cli.command.HoldfastCommand;
import dev.holdfast.cli.command.Mistake;
import dev.holdfast.cli.command.Verbosity;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Messages;
import dev.holdfast.cli.settings.PathText;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command line {@code holdfast}. */
public final class Main {

    private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

    private Main() {}

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] args) {
        int exitCode = run(args);
        boolean unheard = System.out.checkError(); // help and version are printed there
        System.exit(exitCode == ExitCode.OK && unheard ? ExitCode.OUTPUT : exitCode);
    }

    /** Runs a command in this process. */
    static int run(String... args) {
        if (Messages.isDebugging() || Verbosity.isVerbose(List.of(args))) {
            System.setProperty(LOG_LEVEL, Messages.isDebugging() ? "debug" : "info");
        }
        CommandLine commandLine = new CommandLine(new HoldfastCommand());
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.registerConverter(Path.class, new PathText());
        HelpPages.shorten(commandLine);
        commandLine.setParameterExceptionHandler(Main::refuse);
        commandLine.setExecutionExceptionHandler(Main::fail);
        return commandLine.execute(args);
    }

    private static int refuse(ParameterException e, String[] args) {
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        String mistake = Mistake.words(e, List.of(args));
        Messages.fail(e, mistake + (mistake.endsWith("?") ? " See '" : "; see '") + command + " --help'");
        return ExitCode.USAGE;
    }

    private static int fail(Exception e, CommandLine commandLine, ParseResult parsed) {
        if (e instanceof Failure failure) {
            Messages.fail(e, Mistake.asTyped(String.valueOf(e.getMessage()), parsed));
            return failure.exitCode();
        }
        Messages.fail(e, "internal error: " + e + "; HOLDFAST_DEBUG=1 shows more");
        return ExitCode.INTERNAL;
    }
}
