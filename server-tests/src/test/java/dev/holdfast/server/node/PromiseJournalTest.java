package dev.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.HoldfastException;
import dev.holdfast.node.Promises.SealedResource;
import dev.holdfast.node.Seal;
import dev.holdfast.testkit.ManualTiming;
import dev.holdfast.time.Timing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PromiseJournalTest {

    private static final String BY = "a@h~a1b2c3d4/17/0";

    @TempDir
    private Path folder;

    private final ManualTiming time = new ManualTiming(1);
    private final Timing timing = time.timing();

    private PromiseJournal opened() {
        return new PromiseJournal(folder, timing);
    }

    private void keep(PromiseJournal journal, long votesMillis, long fence, SealedResource... toSeal) {
        CompletionStage<Void> kept = journal.keep(votesMillis, fence, toSeal.length == 0 ? null : toSeal[0]);
        time.advance(Duration.ZERO);
        assertThat(kept.toCompletableFuture()).isCompleted();
    }

    private Path file() {
        return folder.resolve(JournalFile.NAME);
    }

    @Test
    void anEmptyFolderKnowsNothing() {
        try (PromiseJournal journal = opened()) {
            assertThat(journal.knownForMillis()).isZero();
            assertThat(journal.remainingMillis()).isZero();
            assertThat(journal.fence()).isZero();
            assertThat(journal.seals()).isEmpty();
        }
    }

    /** The folder may have been emptied: a restart does not bring the deleted votes back. */
    @Test
    void aNewFolderStaysNewAcrossRestarts() {
        opened().close();
        time.advance(Duration.ofSeconds(3));
        try (PromiseJournal journal = opened()) {
            keep(journal, 5_000, 1_000);
            journal.settle(0, 1_000);
        }
        time.advance(Duration.ofSeconds(4));

        try (PromiseJournal journal = opened()) {
            assertThat(journal.knownForMillis()).isEqualTo(7_000);
        }
    }

    /** Earlier versions did not record when they found the folder empty; their folders have been in use. */
    @Test
    void aFolderOfAnEarlierVersionIsKnown() throws IOException {
        opened().close();
        Files.writeString(
                file(), JournalState.HEAD + JournalState.line(0, 1_000, new JournalState.Folder("", 0, true)));

        try (PromiseJournal journal = opened()) {
            assertThat(journal.knownForMillis()).isEqualTo(Long.MAX_VALUE);
            assertThat(journal.wasAsked()).isTrue();
        }
    }

    /** A vote is given only once the next run would know that a client has asked for one. */
    @Test
    void theNextRunKnowsThatAClientHasAskedForAVote() {
        try (PromiseJournal journal = opened()) {
            assertThat(journal.wasAsked()).isFalse();
            journal.settle(0, 0);
        }
        try (PromiseJournal journal = opened()) {
            assertThat(journal.wasAsked()).isFalse();
            keep(journal, 5_000, 1_000); // for the servers' own locks
        }
        try (PromiseJournal journal = opened()) {
            assertThat(journal.wasAsked()).isFalse();
            journal.noteAsked();
            keep(journal, 0, 0); // ends without settle, as after kill -9
        }
        try (PromiseJournal journal = opened()) {
            assertThat(journal.wasAsked()).isTrue();
        }
    }

    @Test
    void aCompleteFolderStaysComplete() {
        String incarnation;
        try (PromiseJournal journal = opened()) {
            incarnation = journal.incarnation();
            CompletionStage<Void> complete = journal.complete();
            assertThat(journal.knownForMillis()).isZero();
            time.advance(Duration.ZERO);
            assertThat(complete.toCompletableFuture()).isCompleted();
            assertThat(journal.knownForMillis()).isEqualTo(Long.MAX_VALUE);
        }
        try (PromiseJournal journal = opened()) {
            assertThat(journal.knownForMillis()).isEqualTo(Long.MAX_VALUE);
            assertThat(journal.incarnation()).isEqualTo(incarnation);
        }
    }

    /** Otherwise an operator could ask one folder for its state, and bootstrap another. */
    @Test
    void anotherFolderHasAnotherIncarnation() throws IOException {
        String first;
        try (PromiseJournal journal = opened()) {
            first = journal.incarnation();
        }
        Files.delete(file());

        try (PromiseJournal journal = opened()) {
            assertThat(journal.incarnation()).isNotEmpty().isNotEqualTo(first);
        }
    }

    @Test
    void theNextRunKnowsUntilWhenVotesMayLastAndHowHighFencesMayBe() {
        try (PromiseJournal journal = opened()) {
            keep(journal, 5_000, 1_000);
        }
        time.advance(Duration.ofSeconds(2));

        try (PromiseJournal journal = opened()) {
            assertThat(journal.knownForMillis()).isEqualTo(2_000);
            assertThat(journal.remainingMillis()).isBetween(3_000L, 4_000L);
            assertThat(journal.fence()).isGreaterThanOrEqualTo(1_000);
        }
        time.advance(Duration.ofSeconds(10));
        try (PromiseJournal journal = opened()) {
            assertThat(journal.remainingMillis()).isZero();
        }
    }

    @Test
    void whatIsWrittenAheadNeedsNoWrite() throws IOException {
        try (PromiseJournal journal = opened()) {
            keep(journal, 5_000, 1_000);
            long size = Files.size(file());
            for (int i = 0; i < 100; i++) {
                keep(journal, 5_500, 1_000 + i);
            }
            assertThat(Files.size(file())).isEqualTo(size);

            keep(journal, 7_000, 1_100);
            assertThat(Files.size(file())).isGreaterThan(size);
        }
    }

    @Test
    void aServerThatEndsWithNothingHeldLeavesNothingToWaitFor() {
        try (PromiseJournal journal = opened()) {
            keep(journal, 60_000, 1_000);
            journal.settle(0, 1_000);
        }
        try (PromiseJournal journal = opened()) {
            assertThat(journal.remainingMillis()).isZero();
            assertThat(journal.fence()).isEqualTo(1_000);
        }
    }

    @Test
    void afterItsEndNothingIsPromised() {
        PromiseJournal journal = opened();
        journal.settle(0, 0);
        assertThat(journal.keep(60_000, 1_000, null).toCompletableFuture()).isCompletedExceptionally();
        journal.close();
    }

    @Test
    void aSealOfTheGreatestAgeIsKnownToTheNextRun() {
        long greatest = 1L << 42;
        try (PromiseJournal journal = opened()) {
            keep(journal, 0, 0, new SealedResource("lock:1", new Seal(BY, greatest, 10_000)));
        }
        time.advance(Duration.ofSeconds(4));
        try (PromiseJournal journal = opened()) {
            assertThat(journal.seals()).isEqualTo(List.of(new SealedResource("lock:1", new Seal(BY, greatest, 6_000))));
        }
    }

    @Test
    void sealsAreKnownToTheNextRunUntilTheyEnd() {
        try (PromiseJournal journal = opened()) {
            keep(journal, 0, 0, new SealedResource("lock:ü\n1", new Seal(BY, 0, 10_000)));
            keep(journal, 0, 0, new SealedResource("lock:2", new Seal(BY, 0, 3_000)));
        }
        time.advance(Duration.ofSeconds(4));
        try (PromiseJournal journal = opened()) {
            assertThat(journal.seals()).isEqualTo(List.of(new SealedResource("lock:ü\n1", new Seal(BY, 4_000, 6_000))));
        }
    }

    @Test
    void aLineThatWasCutShortIsNoPromise() throws IOException {
        try (PromiseJournal journal = opened()) {
            keep(journal, 5_000, 1_000);
        }
        byte[] bytes = Files.readAllBytes(file());
        for (int cut = 1; cut < 30; cut++) {
            Files.write(file(), java.util.Arrays.copyOf(bytes, bytes.length - cut));
            try (PromiseJournal journal = opened()) {
                assertThat(journal.seals()).isEmpty();
            }
            Files.write(file(), bytes);
        }
    }

    @Test
    void aDamagedFileIsNotGoneOnWith() throws IOException {
        try (PromiseJournal journal = opened()) {
            keep(journal, 5_000, 1_000);
            keep(journal, 50_000, 2_000);
        }
        String text = Files.readString(file());
        int second = text.indexOf('\n') + 12;
        Files.writeString(file(), text.substring(0, second) + "#" + text.substring(second + 1));

        assertThatThrownBy(this::opened)
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("damaged in line 2");

        Files.writeString(file(), "something else\n");
        assertThatThrownBy(this::opened)
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("not a journal of promises");
    }

    /** As the version before left it after a write that failed half way. */
    @Test
    void b9_aRecordThatWasGluedOnToAPartOfAnotherIsRead() throws IOException {
        try (PromiseJournal journal = opened()) {
            keep(journal, 5_000, 1_000, new SealedResource("lock:1", new Seal(BY, 0, 60_000)));
        }
        String head;
        try (PromiseJournal journal = opened()) {
            head = Files.readString(file());
            keep(journal, 50_000, 2_000, new SealedResource("lock:2", new Seal(BY, 0, 60_000)));
        }
        List<String> added =
                Files.readString(file()).substring(head.length()).lines().toList();
        String line = added.get(0);
        for (int cut = 1; cut <= line.length(); cut++) {
            String glued = head + line.substring(0, cut) + String.join("\n", added) + "\n";
            for (String text : List.of(glued, glued + added.get(added.size() - 1) + "\n")) {
                Files.writeString(file(), text);
                try (PromiseJournal journal = opened()) {
                    assertThat(journal.seals())
                            .extracting(SealedResource::resource)
                            .as("cut at %s", cut)
                            .containsExactlyInAnyOrder("lock:1", "lock:2");
                    assertThat(journal.fence()).isGreaterThanOrEqualTo(2_000);
                    assertThat(journal.remainingMillis()).isGreaterThanOrEqualTo(50_000);
                }
            }
        }
    }

    @Test
    void twoServersDoNotShareAFolder() {
        PromiseJournal first = opened();
        assertThatThrownBy(this::opened).isInstanceOf(HoldfastException.class).hasMessageContaining("another server");
        first.close();
        opened().close();
    }

    @Test
    void whatCannotBeWrittenIsNotPromised() throws IOException {
        PromiseJournal journal = opened();
        journal.close();
        assertThat(journal.keep(60_000, 1_000, null).toCompletableFuture()).isCompletedExceptionally();

        Path occupied = folder.resolve("occupied");
        Files.writeString(occupied, "a file", StandardOpenOption.CREATE);
        assertThatThrownBy(() -> new PromiseJournal(occupied, timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("is a file, not a folder");
    }
}
