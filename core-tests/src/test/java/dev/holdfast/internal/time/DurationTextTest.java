package dev.holdfast.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({
        "500ms, 500",
        "30s, 30000",
        "5m, 300000",
        "1h, 3600000",
        "2d, 172800000",
        "10, 10000",
        "0, 0",
        "0.5, 500",
        "1.5h, 5400000",
        "36500d, 3153600000000",
        "0.001s, 1",
    })
    void isReadAsPeopleWriteIt(String text, long millis) {
        assertThat(DurationText.parse(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-1",
                "-5s",
                "abc",
                "5x",
                "5 s",
                " 7s ",
                "3S",
                "1e3",
                "0x10",
                "ms",
                "1.s",
                ".5",
                "+5",
                "٣s",
                "5s5s",
                "NaN",
                "99999999999999999999",
                "36501d",
                "999999999999999999h",
                "0.5ms",
                "0.0001s",
            })
    void whatIsNoneIsRefusedWithTheAllowedForms(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationText.parse(text))
                .withMessageContaining("500ms, 30s, 5m, 1h, 2d, or plain seconds, from 0 to 36500d");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 ms",
        "999, 999 ms",
        "1000, 1 s",
        "4230, 4.2 s",
        "59999, 59 s",
        "119000, 119 s",
        "120000, 2 min",
        "200000, 3 min 20 s",
        "7200000, 2 h",
        "7500000, 2 h 5 min",
        "7559999, 2 h 5 min",
        "86400000, 24 h",
        "273600000, 3 d 4 h",
    })
    void isShownShortly(long millis, String text) {
        assertThat(DurationText.of(Duration.ofMillis(millis))).isEqualTo(text);
    }
}
