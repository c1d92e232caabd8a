package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.redis.script.LuaScript;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients of two versions use the same servers, as during an upgrade: they share locks, queues, pushes and seals.
 *
 * <p>Needs the classes of an older version, and is skipped without them: {@code -Dholdfast.old.client=…}, a class path of its core and redis,
 * jars or directories.
 */
@Tag("slow")
class OldClientTest {

    private static final String OLD = System.getProperty("holdfast.old.client", "");
    private static final int PROCESSES_OF_EACH = 2;
    private static final int ROUNDS = Integer.getInteger("holdfast.old.rounds", 100);

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void oldAndNewClientsShareLocksAndSealsWhileServersRestart(int nodes) throws Exception {
        assumeThat(OLD)
                .as("-Dholdfast.old.client, a class path of an older version")
                .isNotEmpty();
        share(nodes, OLD + File.pathSeparator + classPathWithoutOurs());
    }

    private void share(int nodes, String otherClassPath) throws Exception {
        Path counter = Files.writeString(directory.resolve("counter"), "0");
        Path works = directory.resolve("works");
        RedisOptions options = RedisOptions.defaults().appendOnly(true).config("appendfsync always");
        List<Process> workers = new ArrayList<>();
        try (RedisProcesses servers = RedisProcesses.start(nodes, options)) {
            List<String> args =
                    new ArrayList<>(List.of(counter.toString(), works.toString(), Integer.toString(ROUNDS)));
            servers.uris().stream().map(URI::toString).forEach(args::add);
            for (int i = 0; i < PROCESSES_OF_EACH; i++) {
                workers.add(Jvm.start(MixedWorker.class, log(workers.size()), args));
                workers.add(Jvm.start(MixedWorker.class, log(workers.size()), args, otherClassPath));
            }
            for (RedisProcess server : servers) {
                long before = counter(counter);
                await().atMost(Duration.ofMinutes(1)).until(() -> counter(counter) >= before + ROUNDS / 10);
                server.restart();
            }
            for (int i = 0; i < workers.size(); i++) {
                assertThat(workers.get(i).waitFor(3, TimeUnit.MINUTES)).isTrue();
                assertThat(workers.get(i).exitValue())
                        .as("worker %s: %s", i, Files.readString(log(i)))
                        .isZero();
            }
            assertThat(counter(counter)).isEqualTo((long) workers.size() * ROUNDS);
            assertThat(Files.readAllLines(works)).hasSize(ROUNDS).doesNotHaveDuplicates();
        } finally {
            workers.forEach(Process::destroyForcibly);
        }
    }

    private Path log(int worker) {
        return directory.resolve("worker-" + worker + ".log");
    }

    /** The file is empty for the moment between its opening and its writing; it is asked for again then. */
    private static long counter(Path file) throws IOException {
        String text = Files.readString(file).strip();
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    /** The class path of this JVM without core and redis of this version. */
    private static String classPathWithoutOurs() {
        List<Path> ours = Stream.of(Holdfast.class, LuaScript.class)
                .map(type -> Path.of(URI.create(
                        type.getProtectionDomain().getCodeSource().getLocation().toString())))
                .toList();
        return String.join(
                File.pathSeparator,
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                        .filter(entry ->
                                !ours.contains(Path.of(entry).toAbsolutePath().normalize()))
                        .toList());
    }
}
