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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dev}: local nodes for development, and faults done to them. */
@Command(
        name = "dev",
        description = "Start, look at, disturb and end local Redis nodes for development.",
        customSynopsis = "holdfast dev COMMAND",
        sortOptions = false,
        footer = {
            "",
            "They stay up until 'dev down', and are kept in HOLDFAST_DEV_DIR, else in",
            "~/.holdfast/dev. Commands that name no nodes use them. The server is that of",
            "HOLDFAST_REDIS_SERVER, else valkey-server or redis-server on the PATH, else",
            "one that comes with Holdfast. I counts from 1.",
        })
final class DevCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(System.err);
        return ExitCode.USAGE;
    }

    private static DevNodes nodes() {
        return DevNodes.of(System.getenv());
    }

    @Command(description = "See to it that N nodes are up: 5 unless said.")
    int up(
            @Parameters(
                            arity = "0..1",
                            paramLabel = "N",
                            defaultValue = "" + DevNodes.USUAL,
                            converter = WholeNumber.DevNode.class)
                    int count) {
        return show(nodes().up(count), false);
    }

    @Command(description = "End all nodes, and delete what they keep.")
    int down() {
        nodes().down();
        return ExitCode.OK;
    }

    @Command(description = "Show the nodes.")
    int status(@Option(names = "--json", description = "Print JSON: an object on one line.") boolean json) {
        return show(nodes().status(), json);
    }

    @Command(description = "End a node at once, as a crash does (SIGKILL).")
    int kill(@Parameters(paramLabel = "I", converter = WholeNumber.DevNode.class) int number) {
        return show(List.of(nodes().kill(number)), false);
    }

    @Command(description = "Let a node stand still (SIGSTOP).")
    int pause(@Parameters(paramLabel = "I", converter = WholeNumber.DevNode.class) int number) {
        return show(List.of(nodes().pause(number)), false);
    }

    @Command(description = "Let a node that stands still go on (SIGCONT).")
    int resume(@Parameters(paramLabel = "I", converter = WholeNumber.DevNode.class) int number) {
        return show(List.of(nodes().resume(number)), false);
    }

    @Command(description = "Start a node again at its port; it votes once its quarantine is over.")
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
