package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** A number without a unit is seconds in every property that is a duration. */
class DurationPropertiesTest {

    private static void names(String prefix, Class<?> type, Map<String, String> found) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
            if (component.getType() == Duration.class) {
                found.put(name, "5");
            } else if (component.getType().isRecord()) {
                names(name, component.getType(), found);
            }
        }
    }

    private static void values(String prefix, Record record, Map<String, Object> found) throws Exception {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
            Object value = component.getAccessor().invoke(record);
            if (component.getType() == Duration.class) {
                found.put(name, value);
            } else if (value instanceof Record part) {
                values(name, part, found);
            }
        }
    }

    @Test
    void e25_aNumberAloneIsSecondsInEveryProperty() throws Exception {
        Map<String, String> settings = new HashMap<>();
        names("holdfast", HoldfastProperties.class, settings);
        HoldfastProperties properties = new Binder(new MapConfigurationPropertySource(settings))
                .bind("holdfast", HoldfastProperties.class)
                .get();
        Map<String, Object> durations = new TreeMap<>();
        values("holdfast", properties, durations);

        assertThat(durations)
                .hasSizeGreaterThan(9)
                .containsOnlyKeys(settings.keySet())
                .allSatisfy((name, duration) -> assertThat(duration).as(name).isEqualTo(Duration.ofSeconds(5)));
    }
}
