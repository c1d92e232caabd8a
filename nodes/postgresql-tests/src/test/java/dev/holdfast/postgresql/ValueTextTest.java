package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A value may have any character, also those that a text in PostgreSQL cannot contain. */
class ValueTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a", "\0", "\u0010", "\u00100", "\u00101", "\u0010\0", "\0\u0010", "\u0010\u00100\0001"})
    void aTextComesBackAsItWas(String text) {
        String stored = ValueText.stored(text);

        assertThat(stored).doesNotContain("\0");
        assertThat(ValueText.value(1, 1, stored).text()).isEqualTo(text);
    }
}
