package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.settings.Settings;
import dev.holdfast.internal.time.DurationText;
import dev.holdfast.server.client.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import tools.jackson.databind.JsonNode;

/** The command {@code cluster}: shows and changes the servers of a cluster. */
@Command(
        name = "cluster",
        description = "Show and change the servers of a cluster, and back it up.",
        customSynopsis = "holdfast cluster COMMAND --node=URI [OPTIONS]",
        subcommands = ClusterRestoreCommand.class,
        sortOptions = false,
        footer = {
            "",
            "The URI names the servers of the cluster: holdfast://HOST,HOST,HOST. Without",
            "nodes, the development cluster is meant. Changes and backups need a token with",
            "the right 'admin', and a backup needs it for all names.",
            "",
            "Exits with 0 if the cluster was changed or the backup was made, 1 if not, 69 if",
            "no server answers, or if 'status' shows that none leads.",
        })
final class ClusterCommand extends CommandGroup {

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private HoldfastCommand parent;

    private ClusterServers servers() {
        Settings settings = parent.settings();
        List<String> nodes = settings.clusterNodes();
        if (nodes.isEmpty()) {
            throw Failure.usage("no cluster is named: name its servers, --node holdfast://HOST,HOST,HOST");
        }
        return ClusterServers.of(nodes, settings);
    }

    @Command(description = "Show the servers, which of them leads, and how far their logs are.")
    int status(@Option(names = "--json", description = "Print a JSON object on one line.") boolean json) {
        JsonNode view = servers().view();
        Output.print(json ? view + "\n" : text(view));
        return withoutLeader(view).isEmpty() ? ExitCode.OK : ExitCode.NO_QUORUM;
    }

    @Command(description = "Add a running server that was started with --join.")
    int add(
            @Parameters(paramLabel = "NAME", description = "Name of the new server.") String name,
            @Parameters(paramLabel = "HOST:PEERPORT", description = "Its address for the other servers.")
                    String address) {
        servers().change("add", List.of("name", name, "address", address));
        return done("added " + name);
    }

    @Command(description = "Remove a server, which need not run.")
    int remove(
            @Parameters(paramLabel = "NAME", description = "Name of the server; its address if it has no known name.")
                    String name) {
        servers().change("remove", List.of("server", name));
        return done("removed " + name);
    }

    @Command(description = "Let another server lead.")
    int transfer(@Parameters(paramLabel = "NAME", description = "Name of the server.") String name) {
        servers().change("transfer", List.of("server", name));
        return done("server " + name + " leads");
    }

    @Command(description = "Write the state of all locks to a new file, from which a new cluster can start.")
    int backup(@Parameters(paramLabel = "FILE", description = "The file, which must not exist.") Path file) {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new Failure(ExitCode.UNCHANGED, file + " exists; name a file that does not");
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new Failure(
                    ExitCode.OUTPUT, "the backup " + file + " cannot be written: there is no folder " + folder);
        }
        byte[] content = servers().backup();
        try {
            NewFile.write(file, content);
        } catch (IOException e) {
            throw new Failure(ExitCode.OUTPUT, "the backup " + file + " " + FileProblem.words(e), e);
        }
        return done("wrote " + content.length + " bytes to " + file);
    }

    private static int done(String what) {
        Output.print(what + "\n");
        return ExitCode.OK;
    }

    /** Returns the groups without a leader. */
    private static List<String> withoutLeader(JsonNode view) {
        return view.path("groups")
                .valueStream()
                .filter(group -> !group.has("leader"))
                .map(group -> group.path("group").asString())
                .toList();
    }

    private static String lead(JsonNode view) {
        List<String> without = withoutLeader(view);
        int groups = view.path("groups").size();
        if (!without.isEmpty()) {
            return groups == 1 ? "no server leads" : "no server leads the groups " + String.join(", ", without);
        }
        return groups == 1
                ? "server " + view.path("leader").stringValue("") + " leads, term "
                        + view.path("term").longValue(0)
                : groups + " groups of locks, all with a leader";
    }

    private static String role(JsonNode server, int groups) {
        String role = server.path("role").stringValue("");
        return groups > 1 && role.equals("leader")
                ? "leads "
                        + server.path("groups")
                                .valueStream()
                                .map(JsonNode::asString)
                                .collect(Collectors.joining(","))
                : role;
    }

    /** Returns the view of the cluster as text for a terminal. */
    static String text(JsonNode view) {
        Table table = new Table(
                "NAME",
                "ADDRESS",
                "ROLE",
                "CONTACT",
                "TERM",
                "LAST",
                "COMMITTED",
                "APPLIED",
                "LAG",
                "SNAPSHOT",
                "HEALTH");
        for (JsonNode server : view.path("servers")) {
            table.row(
                    server.path("name").stringValue(""),
                    server.path("address").stringValue(""),
                    role(server, view.path("groups").size()),
                    ago(server.path("contactMillis")),
                    number(server.path("term")),
                    number(server.path("lastIndex")),
                    number(server.path("committedIndex")),
                    number(server.path("appliedIndex")),
                    number(server.path("lag")),
                    snapshot(server),
                    server.path("health").stringValue("") + ": "
                            + server.path("detail").stringValue(""));
        }
        String summary = view.path("id").stringValue("")
                + ": " + lead(view) + ", "
                + view.path("takingPart").longValue(0) + " of "
                + view.path("servers").size() + " servers take part, "
                + view.path("majority").longValue(0) + " are needed";
        return Printable.line(summary) + "\n\n" + table;
    }

    private static String number(JsonNode field) {
        return field.isMissingNode() ? "-" : field.asString();
    }

    private static String ago(JsonNode millis) {
        return millis.isMissingNode() ? "never" : DurationText.of(Duration.ofMillis(millis.longValue())) + " ago";
    }

    private static String snapshot(JsonNode server) {
        JsonNode age = server.path("snapshotAgeMillis");
        return age.isMissingNode()
                ? "-"
                : server.path("snapshotIndex").asString() + ", " + ago(age) + ", "
                        + server.path("snapshotBytes").asString() + " bytes";
    }
}
