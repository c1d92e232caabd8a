package dev.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Effort;
import dev.holdfast.testkit.history.HistoryReport;
import dev.holdfast.torture.report.PhaseResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A short run of everything; {@code make torture} is the long one. */
@Tag("slow")
class TortureTest {

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Test
    @Timeout(300)
    void aShortRunFindsNoViolation() throws Exception {
        TortureSettings settings = TortureSettings.of(
                new String[] {
                    "TIME=" + Effort.of(25, 40), "CLIENTS=2", "TEXTBOOKS=1", "WORKERS=6", "DIRECTORY=" + directory
                },
                System.nanoTime() % 1_000_000);
        Torture torture = new Torture(settings);
        List<String> violations = torture.run();
        assertThat(violations)
                .as("the same again: %s, histories in %s", settings.command(), directory)
                .isEmpty();
        for (PhaseResult result : torture.results()) {
            assertThat(result.holdfast().whole().acquisitions())
                    .as(result.name())
                    .isPositive();
            assertThat(result.holdfast().report().counts().guardedWrites())
                    .as(result.name())
                    .isPositive();
            assertThat(result.textbook().whole().acquisitions())
                    .as(result.name())
                    .isPositive();
        }
        assertThat(torture.results().get(1).strikes())
                .as("each of two threads strikes once or more; how often depends on the machine")
                .hasSizeGreaterThan(1);
        assertThat(Files.readString(directory.resolve("report.md"))).contains(settings.command(), "Violations: 0.");
    }

    @Test
    @Timeout(300)
    void aShortRunOnPostgresFindsNoViolation() throws Exception {
        TortureSettings settings = TortureSettings.of(
                new String[] {
                    "NODE=postgresql", "TIME=" + Effort.of(20, 60), "CLIENTS=2", "WORKERS=4", "DIRECTORY=" + directory
                },
                System.nanoTime() % 1_000_000);
        Torture torture = new Torture(settings);
        List<String> violations = torture.run();
        assertThat(violations)
                .as("the same again: %s, histories in %s", settings.command(), directory)
                .isEmpty();
        for (PhaseResult result : torture.results()) {
            assertThat(result.holdfast().report().counts().guardedWrites())
                    .as(result.name())
                    .isPositive();
        }
        assertThat(Files.readString(directory.resolve("report.md")))
                .contains("1 PostgreSQL, each with a streaming standby")
                .doesNotContain("textbook,");
    }

    @Test
    @Timeout(300)
    void aShortRunOnAClusterFindsNoViolation() throws Exception {
        TortureSettings settings = TortureSettings.of(
                new String[] {
                    "NODE=cluster", "TIME=" + Effort.of(20, 60), "CLIENTS=2", "WORKERS=4", "DIRECTORY=" + directory
                },
                System.nanoTime() % 1_000_000);
        Torture torture = new Torture(settings);
        List<String> violations = torture.run();
        assertThat(violations)
                .as("the same again: %s, histories in %s", settings.command(), directory)
                .isEmpty();
        HistoryReport.Counts counts =
                torture.results().get(0).holdfast().report().counts();
        assertThat(counts.guardedWrites()).isPositive();
        assertThat(counts.values()).isPositive();
        assertThat(counts.states()).isPositive();
        assertThat(Files.readString(directory.resolve("report.md"))).contains("leader changes: ", "Lost grants: 0");
    }
}
