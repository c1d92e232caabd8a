package dev.holdfast.cli.command;

import dev.holdfast.cli.settings.PathText;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The command line's parser: the program's own options and its commands. */
public final class Program {

    /** The names of the commands, in the order of the program's help. */
    private static final List<String> NAMES = List.of(
            "run",
            "elect",
            "status",
            "list",
            "nodes",
            "doctor",
            "break",
            "bootstrap",
            "serve",
            "cluster",
            "watch",
            "dev",
            "completion",
            "man");

    private Program() {}

    private static Object command(String name) {
        return switch (name) {
            case "run" -> new RunCommand();
            case "elect" -> new ElectCommand();
            case "status" -> new StatusCommand();
            case "list" -> new ListCommand();
            case "nodes" -> new NodesCommand();
            case "doctor" -> new DoctorCommand();
            case "break" -> new BreakCommand();
            case "bootstrap" -> new BootstrapCommand();
            case "serve" -> new ServeCommand();
            case "cluster" -> new ClusterCommand();
            case "watch" -> new WatchCommand();
            case "dev" -> new DevCommand();
            case "completion" -> new CompletionCommand();
            case "man" -> new ManCommand();
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** Returns the parser of all commands. */
    public static CommandLine complete() {
        return having(NAMES);
    }

    /**
     * Returns a parser of those commands only whose names are among the arguments, since the parser reads the annotations of each of its commands. It accepts
     * the same arguments as the complete one, but knows too little for help, for messages about mistakes, and for the commands that describe the others.
     */
    public static CommandLine of(List<String> arguments) {
        int end = arguments.contains("--") ? arguments.indexOf("--") : arguments.size();
        return having(arguments.subList(0, end));
    }

    private static CommandLine having(List<String> wanted) {
        CommandLine program = new CommandLine(new HoldfastCommand());
        for (String name : NAMES) {
            if (wanted.contains(name)) {
                program.addSubcommand(command(name));
            }
        }
        program.setCaseInsensitiveEnumValuesAllowed(true);
        program.registerConverter(Path.class, new PathText());
        HelpPages.shorten(program);
        return program;
    }

    /** Returns whether the outcome depends on commands that the arguments do not name: the program's help, or a description of all commands. */
    public static boolean needsAllCommands(ParseResult parsed) {
        if (!parsed.hasSubcommand()) {
            return !parsed.isVersionHelpRequested();
        }
        Object command = parsed.subcommand().commandSpec().userObject();
        return parsed.isUsageHelpRequested() || command instanceof ManCommand || command instanceof CompletionCommand;
    }
}
