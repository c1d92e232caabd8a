package dev.holdfast.micrometer;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** One meter for each value of an enum, all created at the start. */
final class PerValue<E extends Enum<E>, M> {

    private final Map<E, M> meters;

    PerValue(Class<E> type, Function<E, M> making) {
        meters = new EnumMap<>(type);
        for (E value : type.getEnumConstants()) {
            meters.put(value, making.apply(value));
        }
    }

    M of(E value) {
        return Objects.requireNonNull(meters.get(value));
    }
}
