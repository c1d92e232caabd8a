package dev.holdfast.torture;

import dev.holdfast.redis.process.FileTree;
import dev.holdfast.report.MachineFacts;
import dev.holdfast.torture.report.PhaseResult;
import dev.holdfast.torture.report.ReportText;
import dev.holdfast.torture.world.ResourceDatabase;
import dev.holdfast.torture.world.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A run of the torture: it starts the servers, goes through the phases and writes the report. */
public final class Torture {

    private static final List<String> NEVER_RUN = List.of(
            "Suspension of a whole machine, whose wall clock continues while its monotonic clock stops.",
            "A full disk under an append-only file, TLS, Sentinel and Cluster.");

    private static final List<String> NEVER_RUN_ON_A_CLUSTER =
            List.of(NEVER_RUN.get(0), "Power failures: a killed server loses nothing that the operating system has.");

    private final TortureSettings settings;
    private final List<PhaseResult> results = new ArrayList<>();

    Torture(TortureSettings settings) {
        this.settings = settings;
    }

    /**
     * Runs the torture with the arguments of {@link TortureSettings}. Exits with status 1 if the run found a violation,
     * and 2 if the arguments are wrong.
     */
    public static void main(String[] args) throws IOException, InterruptedException, SQLException {
        TortureSettings settings;
        try {
            settings = TortureSettings.of(args, new Random().nextInt(1_000_000));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        System.out.println(settings.command());
        List<String> violations = new Torture(settings).run();
        violations.forEach(System.out::println);
        System.out.println(
                violations.isEmpty()
                        ? "no violation"
                        : violations.size() + " violations; to repeat: " + settings.command());
        System.out.println("report: " + settings.directory().resolve("report.md"));
        System.exit(violations.isEmpty() ? 0 : 1);
    }

    /** Runs all phases, and returns the violations. */
    List<String> run() throws IOException, InterruptedException, SQLException {
        FileTree.delete(settings.directory());
        Files.createDirectories(settings.directory());
        try (ResourceDatabase database =
                        ResourceDatabase.start(settings.directory().resolve("postgres"));
                Servers servers =
                        Servers.start(settings.kind(), settings.nodes(), settings.groups(), settings.directory())) {
            for (Phase phase : Phase.of(settings, servers)) {
                System.out.println(
                        "phase " + phase.name() + ", " + phase.length().toSeconds() + " s");
                results.add(new PhaseRun(settings, phase, servers, database).run());
                servers.facts().forEach(System.out::println);
            }
            write(database.version(), servers);
        }
        return results.stream().flatMap(result -> result.violations().stream()).toList();
    }

    /** Returns the result of each phase, after the run. */
    List<PhaseResult> results() {
        return List.copyOf(results);
    }

    private void write(String postgresVersion, Servers servers) throws IOException {
        List<String> facts = new ArrayList<>(List.of(
                "command: `" + settings.command() + "`",
                "time: " + Instant.now().truncatedTo(ChronoUnit.MINUTES)));
        facts.addAll(MachineFacts.lines("PostgreSQL " + postgresVersion));
        facts.add("nodes: "
                + switch (settings.kind()) {
                    case REDIS -> settings.nodes() + " Redis";
                    case POSTGRESQL -> settings.nodes() + " PostgreSQL, each with a streaming standby";
                    case CLUSTER ->
                        "a strict cluster of " + settings.nodes() + " servers"
                                + (settings.groups() == 1 ? "" : ", with " + settings.groups() + " groups of locks");
                });
        facts.addAll(servers.facts());
        facts.add("clients: " + settings.clients() + " processes with Holdfast and " + settings.textbooks()
                + " with the textbook client, " + settings.workers() + " workers each; ttl 1 to 2 s, quarantine 2 s");
        Files.writeString(
                settings.directory().resolve("report.md"),
                ReportText.of(facts, results, notRun(settings.kind(), servers.missing())));
    }

    private static List<String> notRun(Servers.Kind kind, List<String> missing) {
        List<String> lines = new ArrayList<>(missing);
        lines.addAll(kind == Servers.Kind.CLUSTER ? NEVER_RUN_ON_A_CLUSTER : NEVER_RUN);
        return lines;
    }
}
