package dev.holdfast.cdi.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationValueTest {

    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "5, PT5S",
        "' 5s ', PT5S",
        "2m, PT2M",
        "1h, PT1H",
        "1d, PT24H",
        "1h30m, PT1H30M",
        "PT5S, PT5S",
        "P1D, PT24H",
        "-5s, PT-5S",
        "0, PT0S"
    })
    void e25_textsAreThoseOfQuarkus(String text, Duration duration) {
        assertThat(DurationValue.of(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "5 weeks", "ms", "P"})
    void otherTextsAreRefused(String text) {
        assertThatThrownBy(() -> DurationValue.of(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
