package dev.holdfast.torture;

import dev.holdfast.testkit.history.Event;
import dev.holdfast.testkit.history.HistoryReader;
import dev.holdfast.testkit.history.HistoryWriter;
import dev.holdfast.torture.client.ClientSettings.Kind;
import dev.holdfast.torture.client.LockNaming;
import dev.holdfast.torture.fault.Strike;
import dev.holdfast.torture.fault.Striker;
import dev.holdfast.torture.report.PhaseResult;
import dev.holdfast.torture.report.Tale;
import dev.holdfast.torture.world.ClientSlot;
import dev.holdfast.torture.world.NodeServer;
import dev.holdfast.torture.world.ResourceDatabase;
import dev.holdfast.torture.world.Servers;
import dev.holdfast.torture.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** The run of one phase, from the start of its clients to the check of their histories. */
final class PhaseRun {

    /** The pauses of the two strikers. Two faults often overlap: the second striker pauses for longer. */
    private static final List<Duration> RESTS = List.of(Duration.ofMillis(500), Duration.ofSeconds(8));

    private static final Duration AT_WORK_WITHIN = Duration.ofSeconds(60);
    private static final Duration NOTHING_LEFT_WITHIN = Duration.ofSeconds(20);
    private static final Duration LONGEST_FREE = Duration.ofSeconds(5);
    private static final long QUARANTINE_MILLIS = 2_000;

    private final TortureSettings settings;
    private final Phase phase;
    private final Servers servers;
    private final ResourceDatabase database;
    private final Path directory;
    private final List<String> problems = new ArrayList<>();
    private final List<Strike> strikes = new ArrayList<>();

    PhaseRun(TortureSettings settings, Phase phase, Servers servers, ResourceDatabase database) {
        this.settings = settings;
        this.phase = phase;
        this.servers = servers;
        this.database = database;
        this.directory = settings.directory().resolve(phase.name().replaceAll("[^a-z]+", "-"));
    }

    PhaseResult run() throws IOException, InterruptedException, SQLException {
        database.clear(LockNaming.all());
        Files.createDirectories(directory);
        World.Setup setup = new World.Setup(
                settings.clients(),
                settings.textbooks(),
                settings.workers(),
                settings.recipes(),
                settings.kind() == Servers.Kind.CLUSTER ? 0 : settings.broken(),
                phase.quarantined() ? QUARANTINE_MILLIS : 0,
                settings.seed(),
                database.url(),
                directory);
        try (HistoryWriter history = HistoryWriter.appendTo(directory.resolve("driver.history"));
                World world = new World(servers, setup, history)) {
            world.clients().forEach(ClientSlot::start);
            awaitWork(world);
            strike(world);
            Files.write(
                    directory.resolve("strikes.txt"),
                    strikes.stream().map(Strike::toString).toList());
            world.mend();
            end(world);
            problems.addAll(servers.problems());
            noteWhatIsLeft(history);
        }
        return checked();
    }

    private void awaitWork(World world) throws InterruptedException {
        long end = System.nanoTime() + AT_WORK_WITHIN.toNanos();
        while (!world.clients().stream().allMatch(ClientSlot::isAtWork)) {
            if (System.nanoTime() - end > 0) {
                problems.add(
                        "not all clients were at work within " + AT_WORK_WITHIN.toSeconds() + " s; see their logs");
                return;
            }
            Thread.sleep(20);
        }
    }

    private void strike(World world) throws InterruptedException {
        if (phase.faults().isEmpty()) {
            world.rest(phase.length());
            return;
        }
        long end = System.nanoTime() + phase.length().toNanos();
        List<Striker> strikers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < RESTS.size(); i++) {
            Random random = new Random(settings.seed() * 7 + i);
            Striker striker = new Striker(world, phase.faults(), random, RESTS.get(i), end);
            strikers.add(striker);
            threads.add(new Thread(striker, "striker-" + i));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        strikers.forEach(striker -> {
            strikes.addAll(striker.strikes());
            problems.addAll(striker.problems());
        });
        strikes.sort(Comparator.comparingLong(Strike::fromNanos));
    }

    private void end(World world) throws InterruptedException {
        world.clients().forEach(ClientSlot::stop);
        for (ClientSlot client : world.clients()) {
            problems.addAll(client.awaitEnd());
        }
    }

    /**
     * Records the keys that are left. All clients have ended, so after the longest expiry only the epoch's key may
     * exist.
     */
    private void noteWhatIsLeft(HistoryWriter history) throws InterruptedException {
        long end = System.nanoTime() + NOTHING_LEFT_WITHIN.toNanos();
        while (!left(servers).isEmpty() && System.nanoTime() - end < 0) {
            Thread.sleep(100);
        }
        for (NodeServer server : servers.all()) {
            server.left().forEach(key -> history.write(new Event.Left(System.nanoTime(), server.name(), key)));
        }
    }

    private static List<String> left(Servers servers) {
        return servers.all().stream().flatMap(server -> server.left().stream()).toList();
    }

    private PhaseResult checked() throws IOException {
        List<Event> events;
        try (Stream<Path> files = Files.list(directory)) {
            events = HistoryReader.read(
                    files.filter(file -> file.toString().endsWith(".history")).toList());
        }
        return new PhaseResult(
                phase.name(),
                phase.length(),
                phase.promised(),
                strikes,
                problems,
                Tale.of(LockNaming.of(Kind.HOLDFAST, events), LONGEST_FREE),
                Tale.of(LockNaming.of(Kind.TEXTBOOK, events), LONGEST_FREE));
    }
}
