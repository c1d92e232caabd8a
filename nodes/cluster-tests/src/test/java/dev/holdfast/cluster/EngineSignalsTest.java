package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.time.Timing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process with a server can be recorded by the flight recorder, which uses a signal that the engine takes too. */
class EngineSignalsTest {

    private static final String SAMPLE = "jdk.ExecutionSample";

    @TempDir
    Path folder;

    @Test
    void theFlightRecorderSamplesThreads() throws IOException {
        Timing timing = Timing.system("signals");
        try (TrialCluster cluster = new TrialCluster(folder, timing, Duration.ofSeconds(1), null);
                Recording recording = new Recording()) {
            cluster.leader();
            recording.enable(SAMPLE).withPeriod(Duration.ofMillis(10));
            recording.start();
            Path file = folder.resolve("recording.jfr");
            long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            long samples = 0;
            while (samples == 0 && System.nanoTime() < deadline) {
                work(Duration.ofMillis(300));
                recording.dump(file);
                samples = RecordingFile.readAllEvents(file).stream()
                        .filter(event -> event.getEventType().getName().equals(SAMPLE))
                        .count();
            }

            assertThat(samples).as("samples of a busy thread").isPositive();
        } finally {
            timing.scheduler().close();
        }
        try (Stream<Path> files = Files.list(Path.of(""))) {
            assertThat(files.map(Path::toString)
                            .filter(name -> name.startsWith("node_describe"))
                            .toList())
                    .as("the engine's reports in the working directory")
                    .isEqualTo(List.of());
        }
    }

    private static void work(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        double sum = 0;
        while (System.nanoTime() < end) {
            sum += Math.sqrt(sum + 1);
        }
        assertThat(sum).isPositive();
    }
}
