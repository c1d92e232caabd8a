package dev.holdfast.redis.live;

import static dev.holdfast.redis.live.OnceHistory.Step.ALREADY_DONE;
import static dev.holdfast.redis.live.OnceHistory.Step.BEGAN;
import static dev.holdfast.redis.live.OnceHistory.Step.ENDED;
import static dev.holdfast.redis.live.OnceHistory.Step.SEALED;
import static dev.holdfast.redis.live.OnceHistory.Step.SEALED_LATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.redis.live.OnceHistory.Entry;
import dev.holdfast.redis.live.OnceHistory.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checker of {@link OnceTest} finds what it looks for, and nothing else. */
class OnceHistoryTest {

    private static final List<String> SENT = List.of("m1", "m2");

    @TempDir
    private Path folder;

    private final List<Entry> entries = new ArrayList<>();
    private long now;

    private void step(Step step, String message, String worker) {
        entries.add(new Entry(step, message, worker, ++now));
    }

    private void done(String message, String worker) {
        step(BEGAN, message, worker);
        step(ENDED, message, worker);
    }

    private List<String> findings() {
        return new OnceHistory(entries).findings(SENT);
    }

    @Test
    void aDuplicateThatIsToldSoIsRight() {
        done("m1", "w1");
        step(SEALED, "m1", "w1");
        step(ALREADY_DONE, "m1", "w2");
        done("m2", "w2");
        step(SEALED, "m2", "w2");

        assertThat(findings()).isEmpty();
        assertThat(new OnceHistory(entries).doneTwice()).isZero();
        assertThat(new OnceHistory(entries).count(ENDED)).isEqualTo(2);
    }

    @Test
    void workThatIsDoneAgainBeforeAnySealIsCountedAndIsRight() {
        done("m1", "w1");
        done("m1", "w2");
        step(SEALED, "m1", "w2");
        step(BEGAN, "m2", "w1");
        done("m2", "w2");

        assertThat(findings()).isEmpty();
        assertThat(new OnceHistory(entries).doneTwice()).isEqualTo(1);
    }

    @Test
    void workThatBeginsAfterASealIsFound() {
        done("m1", "w1");
        step(SEALED, "m1", "w1");
        step(BEGAN, "m1", "w2");
        done("m2", "w2");

        assertThat(findings()).containsExactly("m1 BEGAN by w2 at 4, after m1 SEALED by w1 at 3");
    }

    /** Histories are read one file after the other, not in the order of time. */
    @Test
    void workThatBeginsAfterALateSealIsFoundThoughItIsReadFirst() {
        done("m1", "w1");
        done("m2", "w1");
        step(SEALED_LATE, "m2", "w1");
        entries.add(0, new Entry(BEGAN, "m2", "w2", ++now));

        assertThat(findings()).containsExactly("m2 BEGAN by w2 at 6, after m2 SEALED_LATE by w1 at 5");
    }

    @Test
    void aMessageThatNobodyGotIsLost() {
        done("m1", "w1");

        assertThat(findings()).containsExactly("m2 is lost: nobody has done it");
    }

    @Test
    void aMessageThatNobodyBroughtToItsEndIsLost() {
        done("m1", "w1");
        step(BEGAN, "m2", "w1");

        assertThat(findings()).containsExactly("m2 is lost: nobody has done it");
    }

    @Test
    void toldDoneTooEarlyIsFound() {
        step(ALREADY_DONE, "m1", "w2");
        done("m1", "w1");
        done("m2", "w1");

        assertThat(findings()).containsExactly("m1 ALREADY_DONE by w2 at 1, before anybody had done it");
    }

    @Test
    void aMessageFromNowhereIsFound() {
        done("m1", "w1");
        done("m2", "w1");
        done("m3", "w1");

        assertThat(findings()).containsExactly("m3 was never sent");
    }

    @Test
    void aTornLastLineIsLeftOutAndATornLineElsewhereIsNot() throws Exception {
        Path file = folder.resolve("w1" + OnceHistory.SUFFIX);
        String whole = new Entry(BEGAN, "m1", "w1", 1).line() + new Entry(ENDED, "m1", "w1", 2).line();
        Files.writeString(file, whole + "SEALED m1 w");

        assertThat(OnceHistory.read(folder).count(ENDED)).isEqualTo(1);
        assertThat(OnceHistory.read(folder).count(SEALED)).isZero();

        Files.writeString(file, "BEGAN m1 w\n" + whole);
        assertThatThrownBy(() -> OnceHistory.read(folder)).hasMessageContaining("'BEGAN m1 w'");
    }
}
