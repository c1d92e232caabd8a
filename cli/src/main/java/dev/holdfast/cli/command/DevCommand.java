package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.JsonText;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.settings.DevNodes;
import dev.holdfast.redis.process.FleetNode;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code dev}: local nodes for development, and faults on demand. */
@Command(
        name = "dev",
        description = "Start, show, disturb and stop local nodes for development.",
        customSynopsis = "holdfast dev COMMAND",
        sortOptions = false,
        subcommands = DevClusterCommand.class,
        footer = {
            "",
            "They run until 'dev down', and keep their files in HOLDFAST_DEV_DIR, else in",
            "~/.holdfast/dev. Commands without other nodes use them. The server program is",
            "HOLDFAST_REDIS_SERVER, else valkey-server or redis-server on the PATH, else",
            "the one bundled with Holdfast. Node numbers (I) start at 1.",
        })
final class DevCommand extends CommandGroup {

    private static DevNodes nodes() {
        return DevNodes.of(System.getenv());
    }

    @Command(description = "Start nodes until N are running (default: 5).")
    int up(
            @Parameters(
                            arity = "0..1",
                            paramLabel = "N",
                            defaultValue = "" + DevNodes.USUAL,
                            converter = WholeNumber.DevNode.class)
                    int count) {
        return show(nodes().up(count), false);
    }

    @Command(description = "Stop all nodes and delete their data.")
    int down() {
        nodes().down();
        return ExitCode.OK;
    }

    @Command(description = "Show the nodes.")
    int status(@Option(names = "--json", description = "Print a JSON object on one line.") boolean json) {
        return show(nodes().status(), json);
    }

    @Command(description = "Kill a node, as a crash does (SIGKILL).")
    int kill(@Parameters(paramLabel = "I", converter = WholeNumber.DevNode.class) int number) {
        return show(List.of(nodes().kill(number)), false);
    }

    @Command(description = "Pause a node (SIGSTOP).")
    int pause(@Parameters(paramLabel = "I", converter = WholeNumber.DevNode.class) int number) {
        return show(List.of(nodes().pause(number)), false);
    }

    @Command(description = "Resume a paused node (SIGCONT).")
    int resume(@Parameters(paramLabel = "I", converter = WholeNumber.DevNode.class) int number) {
        return show(List.of(nodes().resume(number)), false);
    }

    @Command(description = "Restart a node on its port; it votes once its quarantine has ended.")
    int restart(
            @Parameters(paramLabel = "I", converter = WholeNumber.DevNode.class) int number,
            @Option(names = "--forget", description = "Without its data.") boolean forget) {
        return show(List.of(nodes().restart(number, forget)), false);
    }

    private static int show(List<FleetNode> nodes, boolean json) {
        Output.print(json ? json(nodes) : text(nodes));
        return ExitCode.OK;
    }

    private static String text(List<FleetNode> nodes) {
        if (nodes.isEmpty()) {
            return "no development nodes\n";
        }
        Table table = new Table("I", "URI", "STATE", "PID", "RUN ID");
        for (FleetNode node : nodes) {
            table.row(
                    node.index() + 1,
                    node.uri(),
                    node.state().name().toLowerCase(Locale.ROOT),
                    node.pid() == 0 ? "" : node.pid(),
                    Printable.line(node.runId(), 12));
        }
        return table.toString();
    }

    private static String json(List<FleetNode> nodes) {
        return JsonText.object(json -> json.field(
                        "directory", nodes().directory().toString())
                .objects(
                        "nodes",
                        nodes,
                        node -> json.field("number", (long) node.index() + 1)
                                .field("uri", node.uri().toString())
                                .field("state", node.state().name().toLowerCase(Locale.ROOT))
                                .field("pid", node.pid() == 0 ? null : Long.valueOf(node.pid()))
                                .field("runId", node.runId().isEmpty() ? null : node.runId())));
    }
}
