package dev.holdfast.internal.election;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The record in the lock's value. */
class ElectionRecordTest {

    private static final ElectionRecord RECORD = new ElectionRecord(
            1_853_115_649_229_825L, 1_767_268_800_000L, "a~79onn39euqoo/1767268800000000", "a", "b", "step 1\n");

    @Test
    void itReadsWhatItWrites() {
        assertThat(ElectionRecord.parse(RECORD.text())).contains(RECORD);
        ElectionRecord plain = RECORD.withSuccessor("").withState("");
        assertThat(ElectionRecord.parse(plain.text())).contains(plain);
    }

    @Test
    void itsFormStays() {
        assertThat(RECORD.text())
                .isEqualTo("holdfast-election 1\n"
                        + "1853115649229825 1767268800000 a~79onn39euqoo/1767268800000000\n"
                        + "a\n"
                        + "b\n"
                        + "step 1\n");
    }

    @Test
    void theLongestFitsIntoAValue() {
        ElectionRecord longest = new ElectionRecord(
                (1L << 53) - 1,
                999_999_999_999_999L,
                "c".repeat(100) + "~" + "r".repeat(32) + "/" + ((1L << 53) - 1),
                "ü".repeat(50),
                "ö".repeat(50),
                "s".repeat(512));

        assertThat(longest.text().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(1_024);
        assertThat(ElectionRecord.parse(longest.text())).contains(longest);
    }

    @Test
    void whateverElseStandsThereIsNoRecord() {
        String text = RECORD.text();
        List<String> others = List.of(
                "",
                "\n",
                "done",
                "holdfast-election 1",
                "holdfast-election 1\n",
                text.replace("election 1", "election 2"),
                text.replace("1853115649229825", "-1"),
                text.replace("1853115649229825", "99999999999999999999"),
                text.replace("1767268800000 ", "soon "),
                text.replace("\na\n", "\n\n"),
                text.replace("\na\n", "\n" + "a".repeat(101) + "\n"),
                text.replace("\nb\n", "\n b\n"),
                text.replace("\nb\n", "\n\u0007\n"),
                " " + text);

        assertThat(others)
                .allSatisfy(other -> assertThat(ElectionRecord.parse(other)).isEmpty());
    }

    /** No text makes the parser throw an exception, and a record that it accepts is written in the same form. */
    @Test
    void noGarbageBreaksIt() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String text = RECORD.text();
        for (int i = 0; i < 20_000; i++) {
            StringBuilder garbled = new StringBuilder(text);
            for (int changes = random.nextInt(4); changes >= 0; changes--) {
                int at = random.nextInt(garbled.length());
                switch (random.nextInt(3)) {
                    case 0 -> garbled.setCharAt(at, (char) random.nextInt(0x10000));
                    case 1 -> garbled.deleteCharAt(at);
                    default -> garbled.insert(at, garbled.substring(random.nextInt(at + 1), at));
                }
            }
            ElectionRecord.parse(garbled.toString())
                    .ifPresent(record -> assertThat(ElectionRecord.parse(record.text()))
                            .as("seed %s", seed)
                            .contains(record));
        }
    }
}
