package dev.holdfast.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.LockMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A written history is read back whole, even if the process that wrote it died. */
class HistoryFilesTest {

    private static final AttemptId WHO = new AttemptId("client 1~é\n", 7, "orders: 42 %\t", LockMode.PW);
    private static final List<Event> ALL = List.of(
            new Event.Asked(1, WHO),
            new Event.Queued(2, WHO),
            new Event.Got(3, WHO, (1L << 53) - 1, 1_000),
            new Event.Extended(4, WHO, 2_000),
            new Event.Together(4, WHO),
            new Event.OneOf(4, WHO, 3),
            new Event.Sealed(4, WHO, 9_000),
            new Event.Wrote(5, WHO, ResourceCopy.GUARDED, 12, 11),
            new Event.Wrote(6, WHO, ResourceCopy.UNGUARDED, 13, 10),
            new Event.Refused(7, WHO),
            new Event.Releasing(8, WHO),
            new Event.Released(8, WHO),
            new Event.Taken(8, WHO),
            new Event.Read(8, WHO, 11, 2),
            new Event.Writing(8, WHO, 3),
            new Event.Written(8, WHO, 3),
            new Event.Looked(9, WHO, 8, List.of()),
            new Event.Looked(9, WHO, 8, List.of(11L, 12L)),
            new Event.Lost(9, WHO),
            new Event.GaveUp(-10, WHO),
            new Event.Killed(11, "client 1"),
            new Event.Left(12, "redis://127.0.0.1:1", "{lock:a b}:queue"));

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void file() {
        file = directory.resolve("client-1");
    }

    private void write(List<Event> events) {
        try (HistoryWriter writer = HistoryWriter.appendTo(file)) {
            events.forEach(writer::write);
        }
    }

    @Test
    void everyKindOfEventIsReadAsItWasWritten() throws IOException {
        write(ALL);
        assertThat(HistoryReader.read(List.of(file))).isEqualTo(ALL);
        assertThat(ALL.stream().map(Object::getClass).distinct())
                .as("every kind is among them")
                .hasSize(Event.class.getPermittedSubclasses().length
                        - 1
                        + Event.OfAttempt.class.getPermittedSubclasses().length);
    }

    @Test
    void aFileGrowsAndSeveralAreReadTogether() throws IOException {
        write(ALL);
        write(ALL);
        Path other = Files.copy(file, directory.resolve("client-2"));
        assertThat(HistoryReader.read(List.of(file, other))).hasSize(4 * ALL.size());
    }

    @Test
    void everyTornLastLineIsLeftOut() throws IOException {
        write(ALL);
        byte[] whole = Files.readAllBytes(file);
        int lastLine = Files.readAllLines(file).get(ALL.size() - 1).length();
        for (int cut = 1; cut <= lastLine; cut++) {
            Files.write(file, java.util.Arrays.copyOf(whole, whole.length - cut));
            assertThat(HistoryReader.read(List.of(file))).isEqualTo(ALL.subList(0, ALL.size() - 1));
        }
    }

    @Test
    void anyOtherDamageIsAnErrorThatNamesTheLine() throws IOException {
        for (String bad : List.of(
                "",
                "x asked c 1 l EX",
                "1 asked c 1 l EX 2",
                "1 asked c 1 l XX",
                "1 got c 1 l EX 5",
                "1 guessed c 1 l EX",
                "1 killed",
                "1 left a")) {
            Files.deleteIfExists(file);
            write(ALL);
            Files.writeString(file, bad + "\n", StandardOpenOption.APPEND);
            assertThatThrownBy(() -> HistoryReader.read(List.of(file)))
                    .as(bad)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("client-1, line " + (ALL.size() + 1));
        }
    }

    @Test
    void anInterruptedThreadWritesAllTheSame() throws IOException {
        try (HistoryWriter writer = HistoryWriter.appendTo(file)) {
            Thread.currentThread().interrupt();
            ALL.forEach(writer::write);
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(HistoryReader.read(List.of(file))).isEqualTo(ALL);
    }

    @Test
    void manyThreadsWriteWholeLines() throws Exception {
        List<Thread> threads = new ArrayList<>();
        try (HistoryWriter writer = HistoryWriter.appendTo(file)) {
            for (int i = 0; i < 8; i++) {
                threads.add(new Thread(() -> ALL.forEach(writer::write)));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertThat(HistoryReader.read(List.of(file))).hasSize(8 * ALL.size()).hasSameElementsAs(ALL);
    }
}
