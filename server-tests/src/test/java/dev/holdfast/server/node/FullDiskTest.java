package dev.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.node.Promises.SealedResource;
import dev.holdfast.node.Seal;
import dev.holdfast.testkit.ManualTiming;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal on a file system of 1 MB that is full. Skipped where none can be mounted, which takes root. */
class FullDiskTest {

    private static final String BY = "a@h~a1b2c3d4/17/0";
    private static final Duration RETRY = Duration.ofSeconds(1);

    @TempDir
    private Path folder;

    private final ManualTiming time = new ManualTiming(1);

    @BeforeEach
    void mount() throws Exception {
        boolean mounted;
        try {
            mounted = run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.toString());
        } catch (IOException e) {
            mounted = false; // there is no mount
        }
        assumeTrue(mounted, "this user may not mount a file system of 1 MB");
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", folder.toString());
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    private PromiseJournal opened() {
        return new PromiseJournal(folder.resolve("data"), time.timing());
    }

    /** Whether it was promised. */
    private boolean seal(PromiseJournal journal, String name) {
        time.advance(RETRY);
        CompletableFuture<Void> kept = journal.keep(0, 0, new SealedResource(name, Seal.now(owner(), 3_600_000)))
                .toCompletableFuture();
        time.advance(Duration.ZERO);
        assertThat(kept).isDone();
        return !kept.isCompletedExceptionally();
    }

    private static dev.holdfast.node.OwnerId owner() {
        return dev.holdfast.node.OwnerId.parse(BY).orElseThrow();
    }

    private void fill() throws IOException {
        try (OutputStream out =
                Files.newOutputStream(folder.resolve("filler"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            byte[] some = new byte[1_024];
            while (true) {
                out.write(some);
            }
        } catch (IOException e) {
            // no space left
        }
    }

    private void makeRoom() throws IOException {
        Files.delete(folder.resolve("filler"));
    }

    private static List<String> names(PromiseJournal journal) {
        return journal.seals().stream().map(SealedResource::resource).sorted().toList();
    }

    private static String name(int i) {
        return String.format("lock:%03d-", i) + "x".repeat(700);
    }

    @Test
    void b9_aServerStartsAgainAfterItsDiskWasFull() throws IOException {
        List<String> promised = new ArrayList<>();
        int refused = 0;
        try (PromiseJournal journal = opened()) {
            for (int i = 0; i < 10; i++) {
                assertThat(seal(journal, name(i))).isTrue();
                promised.add(name(i));
            }
            fill();
            for (int i = 10; i < 40; i++) { // the first of them still fit into the last page
                if (seal(journal, name(i))) {
                    promised.add(name(i));
                } else {
                    refused++;
                }
            }
            assertThat(refused).isPositive();
            makeRoom();
            for (int i = 40; i < 50; i++) {
                assertThat(seal(journal, name(i)))
                        .as("promised when there is room")
                        .isTrue();
                promised.add(name(i));
            }
        }

        try (PromiseJournal journal = opened()) {
            assertThat(names(journal)).containsExactlyElementsOf(promised);
        }
    }

    @Test
    void b9_aServerStartsOnAFullDiskAndPromisesNothingNewUntilThereIsRoom() throws IOException {
        try (PromiseJournal journal = opened()) {
            assertThat(seal(journal, "lock:before")).isTrue();
        }
        fill();

        try (PromiseJournal journal = opened()) {
            assertThat(names(journal)).containsExactly("lock:before");
            assertThat(seal(journal, "lock:full")).isFalse();
            makeRoom();
            assertThat(seal(journal, "lock:after")).isTrue();
        }
        try (PromiseJournal journal = opened()) {
            assertThat(names(journal)).containsExactly("lock:after", "lock:before");
        }
    }

    @Test
    void b9_aServerThatEndsWhileItsDiskIsFullLetsGoOfItsFolder() throws IOException {
        try (PromiseJournal journal = opened()) {
            assertThat(seal(journal, "lock:before")).isTrue();
            fill();
            int i = 0;
            while (seal(journal, name(i))) { // what is left of the last page
                assertThat(++i).isLessThan(20);
            }
            journal.settle(0, 0);
        }
        opened().close();
    }
}
