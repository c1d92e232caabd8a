package dev.holdfast.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationConverterTest {

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
        "' 7s ', 7000",
        "3S, 3000",
        "36500d, 3153600000000",
        "0.001s, 1",
    })
    void isReadAsPeopleWriteIt(String text, long millis) {
        assertThat(DurationConverter.parse(text)).isEqualTo(Duration.ofMillis(millis));
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
    void whatIsNoneIsRefusedWithTheValueAndTheAllowedForms(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationConverter.parse(text))
                .withMessageContaining("'" + text + "'")
                .withMessageContaining("500ms, 30s, 5m, 1h, 2d, or plain seconds, from 0 to 36500d");
    }
}
