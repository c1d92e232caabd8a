package dev.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.testkit.Effort;
import dev.holdfast.testkit.history.Finding.Kind;
import dev.holdfast.testkit.history.HistoryReport;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The torture of a cluster whose servers do lose what they have confirmed: a majority gets earlier copies of its data. The checks must find it. */
@Tag("slow")
class BrokenClusterTest {

    private static final int MOST_RUNS = 4;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Test
    @Timeout(600)
    void aClusterThatLosesWhatItConfirmedIsFound(TestReporter reporter) throws Exception {
        assumeTrue(Effort.isThorough(), "takes minutes: make thorough");
        long lost = 0;
        for (int run = 0; run < MOST_RUNS && lost == 0; run++) {
            TortureSettings settings = TortureSettings.of(
                    new String[] {
                        "NODE=cluster", "TIME=20", "CLIENTS=2", "WORKERS=6", "BROKEN=1", "DIRECTORY=" + directory
                    },
                    System.nanoTime() % 1_000_000);
            Torture torture = new Torture(settings);
            torture.run();
            HistoryReport report = torture.results().get(0).holdfast().report();
            for (Kind kind : new Kind[] {
                Kind.GRANT_LOST, Kind.RELEASE_LOST, Kind.VALUE_LOST, Kind.TOKEN_NOT_ABOVE, Kind.DOUBLE_HOLDER
            }) {
                lost += report.count(kind);
                reporter.publishEntry(kind.name(), Long.toString(report.count(kind)));
            }
        }
        assertThat(lost).isPositive();
    }
}
