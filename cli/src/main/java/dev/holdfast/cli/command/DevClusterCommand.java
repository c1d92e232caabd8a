package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.JsonText;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.settings.DevCluster;
import dev.holdfast.cli.settings.DevCluster.Server;
import dev.holdfast.cli.settings.Settings;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code dev cluster}: local servers of one cluster for development, and faults on demand. */
@Command(
        name = "cluster",
        description = "Start, show, disturb and stop a local cluster of lock servers.",
        customSynopsis = "holdfast dev cluster COMMAND",
        sortOptions = false,
        footer = {
            "",
            "The servers are called a, b, c and so on. They run until 'dev cluster down', and",
            "keep their files and logs in the folder 'cluster' beside the development nodes.",
            "Commands without other nodes use the cluster if there are no development nodes.",
        })
final class DevClusterCommand extends CommandGroup {

    private static DevCluster cluster() {
        return DevCluster.of(System.getenv());
    }

    @Command(description = "Start a cluster of N servers (default: 3), or those that are down.")
    int up(
            @Parameters(
                            arity = "0..1",
                            paramLabel = "N",
                            defaultValue = "" + DevCluster.USUAL,
                            converter = WholeNumber.DevServers.class)
                    int count,
            @Option(
                            names = "--groups",
                            paramLabel = "G",
                            defaultValue = "1",
                            converter = WholeNumber.Groups.class,
                            description = "Number of groups of locks (default: 1).")
                    int groups) {
        Settings.requireNoNodesInFile(System.getenv());
        return show(cluster().up(count, groups), false);
    }

    @Command(description = "Stop all servers and delete their data.")
    int down() {
        cluster().down();
        return ExitCode.OK;
    }

    @Command(description = "Show the servers.")
    int status(@Option(names = "--json", description = "Print a JSON object on one line.") boolean json) {
        return show(cluster().status(), json);
    }

    @Command(description = "Kill a server, as a crash does (SIGKILL).")
    int kill(@Parameters(paramLabel = "NAME") String name) {
        return show(List.of(cluster().kill(name)), false);
    }

    @Command(description = "Pause a server (SIGSTOP).")
    int pause(@Parameters(paramLabel = "NAME") String name) {
        return show(List.of(cluster().pause(name)), false);
    }

    @Command(description = "Resume a paused server (SIGCONT).")
    int resume(@Parameters(paramLabel = "NAME") String name) {
        return show(List.of(cluster().resume(name)), false);
    }

    @Command(description = "Restart a server with its data.")
    int restart(@Parameters(paramLabel = "NAME") String name) {
        Settings.requireNoNodesInFile(System.getenv());
        return show(List.of(cluster().restart(name)), false);
    }

    private static int show(List<Server> servers, boolean json) {
        Output.print(json ? json(servers) : text(servers));
        return ExitCode.OK;
    }

    private static String text(List<Server> servers) {
        if (servers.isEmpty()) {
            return "no development cluster\n";
        }
        Table table = new Table("NAME", "URI", "STATE", "PID");
        for (Server server : servers) {
            table.row(
                    server.name(),
                    server.uri(),
                    server.state().name().toLowerCase(Locale.ROOT),
                    server.pid() == 0 ? "" : server.pid());
        }
        return table + "Clients name all servers: --node " + cluster().uri().orElse("") + "\n";
    }

    private static String json(List<Server> servers) {
        return JsonText.object(json -> json.field("uri", cluster().uri().orElse(null))
                .objects(
                        "servers",
                        servers,
                        server -> json.field("name", server.name())
                                .field("uri", server.uri())
                                .field("state", server.state().name().toLowerCase(Locale.ROOT))
                                .field("pid", server.pid() == 0 ? null : Long.valueOf(server.pid()))));
    }
}
