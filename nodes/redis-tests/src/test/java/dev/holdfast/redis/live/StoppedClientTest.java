package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.redis.process.RedisProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client process that is stopped by SIGSTOP for longer than all its timeouts, while it has asked its nodes. */
@Tag("slow")
class StoppedClientTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration STOPPED = StoppedWorker.CONNECT_TIMEOUT.multipliedBy(2);
    private static final int STOPS = Integer.getInteger("holdfast.stops", 4);

    private static final int FIRST_ROUNDS = 20;

    @TempDir
    private Path folder;

    @Test
    void aClientThatWasStoppedBlamesNoNodeThatHasAnswered() throws Exception {
        try (RedisProcesses servers = RedisProcesses.start(3)) {
            String[] uris = servers.uris().stream().map(Object::toString).toArray(String[]::new);
            Path log = folder.resolve("worker.log");
            Process worker = Jvm.start(StoppedWorker.class, log, Arrays.asList(uris));
            try {
                awaitRounds(log, FIRST_ROUNDS);
                for (int stop = 0; stop < STOPS; stop++) {
                    int before = rounds(log);
                    signal(worker, "STOP");
                    await().pollDelay(STOPPED).atMost(LONG).until(() -> true); // so long it is stopped
                    signal(worker, "CONT");
                    awaitRounds(log, before + 20);
                }
            } finally {
                worker.destroyForcibly().onExit().join();
            }
            List<String> sinceFirstStop = Files.readAllLines(log).stream()
                    .dropWhile(line ->
                            !line.equals("round " + FIRST_ROUNDS)) // a cold JVM on a busy machine may connect late
                    .toList();
            assertThat(sinceFirstStop).as("all lines: %s", sinceFirstStop).noneMatch(line -> line.contains("BLAMED"));
        }
    }

    private static void signal(Process process, String name) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(List.of("kill", "-" + name, Long.toString(process.pid())))
                        .start()
                        .waitFor())
                .isZero();
    }

    private static int rounds(Path log) throws IOException {
        return (int) Files.readAllLines(log).stream()
                .filter(line -> line.startsWith("round"))
                .count();
    }

    private static void awaitRounds(Path log, int count) {
        await().atMost(LONG).until(() -> rounds(log) >= count);
    }
}
