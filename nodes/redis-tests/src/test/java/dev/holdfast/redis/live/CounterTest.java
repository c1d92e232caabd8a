package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.testkit.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Eight processes add to one counter, a node dies and comes back empty meanwhile, and not one addition is lost. */
@Tag("slow")
class CounterTest {

    private static final int PROCESSES = 8;
    private static final int ROUNDS = Effort.of(60, 200);

    @TempDir
    Path directory;

    /** A single node that loses its state would lose its vote too; a quarantine, which the test sets there, makes up for it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void eightProcessesLoseNoIncrementWhileANodeIsKilledAndRestarted(int nodes) throws Exception {
        Path file = Files.writeString(directory.resolve("counter"), "0");
        List<Process> workers = new ArrayList<>();
        try (LiveNodes live = new LiveNodes(nodes)) {
            for (int i = 0; i < PROCESSES; i++) {
                List<String> args = new ArrayList<>(
                        List.of(file.toString(), Integer.toString(ROUNDS), Long.toString(LiveNodes.TTL.toMillis())));
                args.addAll(List.of(live.uris()));
                workers.add(Jvm.start(CounterWorker.class, directory.resolve("worker-" + i + ".log"), args));
            }
            await().atMost(Duration.ofMinutes(1)).until(() -> counter(file) >= PROCESSES * ROUNDS / 8);
            live.server(0).kill();
            live.server(0).restartEmpty();
            for (int i = 0; i < PROCESSES; i++) {
                Process worker = workers.get(i);
                assertThat(worker.waitFor(3, TimeUnit.MINUTES)).isTrue();
                assertThat(worker.exitValue())
                        .as("worker %s: %s", i, Files.readString(directory.resolve("worker-" + i + ".log")))
                        .isZero();
            }
            assertThat(counter(file)).isEqualTo(PROCESSES * ROUNDS);
        } finally {
            workers.forEach(Process::destroyForcibly);
        }
    }

    /** The file is empty for the moment between its opening and its writing. */
    private static long counter(Path file) throws IOException {
        String text = Files.readString(file).strip();
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }
}
