package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitSettingsTest {

    @Test
    void whatIsNotSetIsAsByDefault() {
        assertThat(LimitSettings.parse(Map.of())).isEqualTo(Limits.defaults());
    }

    @Test
    void everyLimitCanBeSet() throws Exception {
        Map<String, String> settings = new TreeMap<>();
        for (String key : LimitSettings.keys()) {
            settings.put(key, key.endsWith("wait") ? " 7s " : "7");
        }

        Limits limits = LimitSettings.parse(settings);

        for (RecordComponent part : Limits.class.getRecordComponents()) {
            assertThat(part.getAccessor().invoke(limits))
                    .as(part.getName())
                    .isEqualTo(part.getType() == int.class ? 7 : Duration.ofSeconds(7));
        }
    }

    @Test
    void everyLimitIsInTheDocument() throws Exception {
        assertThat(Files.readString(Path.of("../docs/reference/server.md"))).contains(LimitSettings.keys());
    }

    @ParameterizedTest
    @CsvSource({
        "limit.leases, 0, 'limit.leases is 0, but must be from 1 to 1000000'",
        "limit.leases, many, 'limit.leases is ''many'', but must be a whole number from 1 to 1000000'",
        "limit.leases, 99999999999, 'but must be a whole number from 1 to 1000000'",
        "limit.longest-wait, 25h, 'limit.longest-wait is 25 h, but must be from 0 to 24 h'",
        "limit.longest-wait, soon, 'limit.longest-wait: ''soon'' is not a duration'",
        "limit.lease, 1, 'limits are limit.longest-wait, limit.leases'",
    })
    void whatIsWrongIsSaid(String key, String value, String said) {
        assertThatThrownBy(() -> LimitSettings.parse(Map.of(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(said);
    }
}
