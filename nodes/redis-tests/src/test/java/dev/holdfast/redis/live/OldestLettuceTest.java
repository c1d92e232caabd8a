package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.redis.process.RedisProcesses;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The compiled classes also run with the oldest Lettuce and Netty that are supported; {@code -Plettuce-6.6} runs all tests with them. */
class OldestLettuceTest {

    private static final Path JARS = Path.of("target", "oldest-lettuce");

    @TempDir
    Path directory;

    private static String classPath() throws Exception {
        List<String> entries = new ArrayList<>();
        try (Stream<Path> jars = Files.list(JARS)) {
            jars.map(Path::toString).forEach(entries::add);
        }
        assertThat(entries).as("jars in " + JARS).isNotEmpty();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            String name = Path.of(entry).getFileName().toString();
            if (!name.startsWith("lettuce-core-") && !name.startsWith("netty-")) {
                entries.add(entry);
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    @Test
    void clientsLockWithTheOldestLettuceAndNetty() throws Exception {
        Path log = directory.resolve("worker.log");
        try (RedisProcesses servers = RedisProcesses.start(1)) {
            List<String> addresses = servers.uris().stream().map(URI::toString).toList();
            Process worker = Jvm.start(OldestLettuceWorker.class, log, addresses, classPath());
            try {
                assertThat(worker.waitFor(120, TimeUnit.SECONDS)).isTrue();
            } finally {
                worker.destroyForcibly();
            }
            assertThat(Files.readString(log)).contains("/lettuce-core-6.6.", "/netty-transport-4.1.");
            assertThat(worker.exitValue()).isZero();
        }
    }
}
