package dev.holdfast.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations as options. {@code DurationText}, which reads them, has a test of its own. */
class DurationConverterTest {

    @ParameterizedTest
    @CsvSource({
        "30s, 30000",
        "0.5, 500",
        "' 7s ', 7000",
        "3S, 3000",
    })
    void isReadAsPeopleWriteIt(String text, long millis) {
        assertThat(DurationConverter.parse(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "-1", "5x", "5 s", "36501d"})
    void whatIsNoneIsRefusedWithTheValueAndTheAllowedForms(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationConverter.parse(text))
                .withMessageContaining("'" + text + "'")
                .withMessageContaining("500ms, 30s, 5m, 1h, 2d, or plain seconds, from 0 to 36500d");
    }
}
