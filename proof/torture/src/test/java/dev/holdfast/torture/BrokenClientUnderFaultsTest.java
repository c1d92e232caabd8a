package dev.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.history.AttemptId;
import dev.holdfast.testkit.history.Event;
import dev.holdfast.testkit.history.Finding;
import dev.holdfast.testkit.history.Finding.Kind;
import dev.holdfast.testkit.history.HistoryReader;
import dev.holdfast.testkit.history.HistoryReport;
import dev.holdfast.torture.fault.Faults;
import dev.holdfast.torture.report.PhaseResult;
import dev.holdfast.torture.world.ResourceDatabase;
import dev.holdfast.torture.world.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The torture with one process that locks at one server only. While real faults strike real servers, the checks of the histories find that process in
 * semaphores, in several locks at once, and in sealed work. {@link TortureTest} is the same without such a process, and finds nothing.
 */
@Tag("slow")
class BrokenClientUnderFaultsTest {

    /** The length of the first run, and how much longer each later one is: a slow machine plays few turns in the first. */
    private static final Duration LENGTH = Duration.ofSeconds(8);

    private static final int MOST_RUNS = 8;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    /** The numbers of violations that one or more runs have found. */
    private record Found(long ofSemaphores, long ofSeveralLocks, long ofSealedWork, int faults) {

        boolean isComplete() {
            return ofSemaphores > 0 && ofSeveralLocks > 0 && ofSealedWork > 0 && faults > 3;
        }

        Found and(Found other) {
            return new Found(
                    ofSemaphores + other.ofSemaphores,
                    ofSeveralLocks + other.ofSeveralLocks,
                    ofSealedWork + other.ofSealedWork,
                    faults + other.faults);
        }
    }

    @Test
    @Timeout(900)
    void d18_aClientThatLocksAtOneServerIsFoundInEveryRecipeUnderFaults(TestReporter reporter) throws Exception {
        TortureSettings settings = TortureSettings.of(
                new String[] {"TEXTBOOKS=0", "RECIPES=100", "BROKEN=1", "DIRECTORY=" + directory},
                System.nanoTime() % 1_000_000);

        Found found = new Found(0, 0, 0, 0);
        try (ResourceDatabase database = ResourceDatabase.start(directory.resolve("postgres"));
                Servers servers = Servers.start(settings.kind(), settings.nodes(), settings.groups(), directory)) {
            for (int run = 0; run < MOST_RUNS && !found.isComplete(); run++) {
                String name = "run-" + (char) ('a' + run); // a phase's folder keeps only letters of its name
                found = found.and(found(settings, name, LENGTH.multipliedBy(run + 1), servers, database));
            }
        }

        reporter.publishEntry(found.toString());
        assertThat(found.isComplete()).as("%s; %s", found, settings.command()).isTrue();
    }

    private static Found found(
            TortureSettings settings, String name, Duration length, Servers servers, ResourceDatabase database)
            throws Exception {
        Phase phase = new Phase(
                name,
                length,
                Faults.thatForgetNothing(), // so that no fault explains what is found
                true,
                Set.of());
        PhaseResult result = new PhaseRun(settings, phase, servers, database).run();
        HistoryReport report = result.holdfast().report();
        return new Found(
                report.count(Kind.TOO_MANY_HOLDERS),
                ofSeveralLocks(
                        report.findings(Kind.DOUBLE_HOLDER),
                        settings.directory().resolve(name)),
                report.count(Kind.DONE_AGAIN),
                result.strikes().size());
    }

    /** Counts the findings in which one of the leases is of several locks at once. */
    private static long ofSeveralLocks(List<Finding> findings, Path histories) throws IOException {
        Set<AttemptId> several;
        try (Stream<Path> files = Files.list(histories)) {
            several = HistoryReader.read(files.filter(file -> file.toString().endsWith(".history"))
                            .toList())
                    .stream()
                    .filter(Event.Together.class::isInstance)
                    .map(event -> ((Event.Together) event).who())
                    .collect(Collectors.toSet());
        }
        return findings.stream()
                .filter(finding -> finding.events().stream()
                        .anyMatch(event -> event instanceof Event.OfAttempt of && several.contains(of.who())))
                .count();
    }
}
