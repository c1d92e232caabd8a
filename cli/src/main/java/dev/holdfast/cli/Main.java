package dev.holdfast.cli;

import dev.holdfast.cli.command.Mistake;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.command.Verbosity;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Messages;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.settings.NodesAhead;
import dev.holdfast.redis.RedisNodeProvider;
import dev.holdfast.time.Timing;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command line {@code holdfast}. */
public final class Main {

    private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";
    private static final String LOG_TIME = "org.slf4j.simpleLogger.dateTimeFormat";

    /** The level of a library of the cluster that writes warnings about its own logging to standard error, without SLF4J. */
    private static final String CLUSTER_LOG_LEVEL = "sofa.middleware.log.internal.level";

    private Main() {}

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] args) {
        prepareLogs(List.of(args)); // before the driver makes a logger
        prepareDriver(List.of(args));
        System.exit(run(args));
    }

    /** Runs a command in this process. */
    static int run(String... args) {
        prepareLogs(List.of(args));
        skipFlightRecorder(List.of(args));
        CommandLine program = prepared(Program.of(List.of(args)));
        IParameterExceptionHandler refusal = program.getParameterExceptionHandler();
        program.setParameterExceptionHandler((mistake, all) -> complete(all));
        program.setExecutionStrategy(parsed -> {
            if (Program.needsAllCommands(parsed)) {
                return complete(args);
            }
            program.setParameterExceptionHandler(refusal); // the arguments themselves are correct
            return new CommandLine.RunLast().execute(parsed);
        });
        return execute(program, args);
    }

    /** Sets the log level, and a format of times where logs are written: the format alone loads a tenth as many classes as a whole run. */
    private static void prepareLogs(List<String> arguments) {
        System.getProperties().putIfAbsent(CLUSTER_LOG_LEVEL, "ERROR");
        if (Messages.isDebugging() || Verbosity.isVerbose(arguments)) {
            System.setProperty(LOG_LEVEL, Messages.isDebugging() ? "debug" : "info");
        }
        if (System.getProperty(LOG_LEVEL) != null || arguments.contains("serve")) {
            System.setProperty(LOG_TIME, "HH:mm:ss.SSS");
        }
    }

    /** Keeps the driver from registering its events with Java's flight recorder, whose classes would take a tenth of the start of a short command. */
    private static void skipFlightRecorder(List<String> arguments) {
        if (!arguments.contains("serve")) {
            System.getProperties().putIfAbsent("io.lettuce.core.jfr", "false");
            System.getProperties().putIfAbsent("io.netty.jfr.enabled", "false");
        }
    }

    /** Loads the driver of Redis nodes while this thread parses the arguments, if the command connects to such a node. */
    static void prepareDriver(List<String> arguments) {
        skipFlightRecorder(arguments);
        if (NodesAhead.hasRedis(arguments, System.getenv())) {
            Timing.system("holdfast-cli").scheduler().start("driver", RedisNodeProvider::prepare);
        }
    }

    /** Runs the arguments with the parser of all commands. */
    private static int complete(String... args) {
        return execute(prepared(Program.complete()), args);
    }

    /** Executes the arguments, and then prints what the parser itself prints: help or the version. */
    private static int execute(CommandLine program, String... args) {
        StringWriter help = new StringWriter();
        int exitCode = program.setOut(new PrintWriter(help)).execute(args);
        try {
            Output.print(help.toString());
            return exitCode;
        } catch (Failure e) {
            Messages.fail(e, String.valueOf(e.getMessage()));
            return e.exitCode();
        }
    }

    private static CommandLine prepared(CommandLine program) {
        return program.setParameterExceptionHandler(Main::refuse).setExecutionExceptionHandler(Main::fail);
    }

    private static int refuse(ParameterException e, String[] args) {
        String command = Mistake.command(e).getCommandSpec().qualifiedName();
        String mistake = Mistake.words(e, List.of(args));
        Messages.fail(e, mistake + (mistake.endsWith("?") ? " See '" : "; see '") + command + " --help'");
        return ExitCode.USAGE;
    }

    private static int fail(Exception e, CommandLine command, ParseResult parsed) {
        if (e instanceof Failure failure) {
            Messages.fail(e, Mistake.asTyped(String.valueOf(e.getMessage()), parsed));
            return failure.exitCode();
        }
        Messages.fail(e, "internal error: " + e + "; HOLDFAST_DEBUG=1 shows more");
        return ExitCode.INTERNAL;
    }
}
