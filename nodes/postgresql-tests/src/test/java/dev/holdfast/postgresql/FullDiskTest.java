package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.Unavailable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server whose disk is a small file system in memory, which root may mount on Linux. Skipped elsewhere. */
@Tag("slow")
class FullDiskTest extends NodeOnPostgres {

    private final Path folder;
    private TestDatabase database;

    FullDiskTest() throws IOException {
        super(Duration.ofSeconds(120));
        folder = Files.createTempDirectory(
                Files.createDirectories(Path.of("target", "postgresql").toAbsolutePath()), "small");
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : String.join(" ", command) + ": " + output;
    }

    @BeforeEach
    void mount() throws Exception {
        String problem = System.getProperty("os.name").equals("Linux")
                ? run("mount", "-t", "tmpfs", "-o", "size=160m", "tmpfs", folder.toString())
                : "not Linux";
        assumeTrue(problem.isEmpty(), () -> "a small disk cannot be mounted: " + problem);
        database = TestDatabase.startIn(
                folder, Map.of("min_wal_size", "32MB", "max_wal_size", "48MB", "restart_after_crash", "on"));
        node = new PostgresNodeProvider().open(database.uri(), context(ttl -> 0));
        untilAvailable();
    }

    @AfterEach
    void unmount() throws Exception {
        if (database != null) {
            node.close();
            database.close();
            assertThat(run("umount", "-l", folder.toString())).isEmpty();
        }
        Files.deleteIfExists(folder);
    }

    private void fill() throws IOException {
        try (OutputStream file = Files.newOutputStream(folder.resolve("full"))) {
            byte[] block = new byte[8_192];
            while (true) {
                file.write(block);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    @Test
    void aFullDiskIsNamedAndCostsNoVote() throws Exception {
        assertThat(ask("lock:held", 1, false)).isInstanceOf(Granted.class);
        fill();

        String reason = "";
        for (int i = 0; i < 20_000 && !reason.contains("No space left"); i++) {
            AcquireAnswer answer = ask("lock:" + i + "x".repeat(200), i + 2, false);
            reason = answer instanceof Unavailable why ? why.reason() : "";
            if (reason.startsWith("not connected")) { // the log of the server is full: it has ended, and cannot start
                break;
            }
        }
        assertThat(reason).doesNotContain("\n").isNotEmpty();
        System.out.println("a full disk: " + reason);
        assertThat(ask("lock:held", 2, false)).isNotInstanceOf(Granted.class);

        Files.delete(folder.resolve("full"));
        database.kill();
        database.restart();
        await().atMost(patience)
                .untilAsserted(() -> assertThat(ask("lock:held", 3, false)).isInstanceOf(AcquireAnswer.Denied.class));
        assertThat(ask("lock:held", 1, false)).as("nothing is lost").isInstanceOf(Granted.class);
        assertThat(ask("lock:more", 4, false)).isInstanceOf(Granted.class);
    }
}
