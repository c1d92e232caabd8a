package dev.holdfast.torture.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.torture.soak.Sample.Counter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FlatnessTest {

    private static final int SAMPLES = 60;

    /** A counter that goes so, while all others stand still. */
    private static List<Sample> samples(Counter moving, IntToLongFunction values) {
        return IntStream.range(0, SAMPLES)
                .mapToObj(i -> {
                    Map<Counter, Long> all = new EnumMap<>(Counter.class);
                    for (Counter counter : Counter.values()) {
                        all.put(counter, counter == moving ? values.applyAsLong(i) : 100);
                    }
                    return new Sample(Duration.ofMinutes(i), all);
                })
                .toList();
    }

    private static List<Counter> grown(List<Sample> samples) {
        return Flatness.of(samples).stream()
                .filter(verdict -> !verdict.isFlat())
                .map(Flatness.Verdict::counter)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aLeakIsNoticedInEachCounter(Counter counter) {
        long step = 1 + 3 * counter.slack / SAMPLES;
        assertThat(grown(samples(counter, i -> 10 + i * step * 2))).containsExactly(counter);
    }

    @ParameterizedTest
    @EnumSource
    void whatGoesUpAndDownIsFlat(Counter counter) {
        assertThat(grown(samples(counter, i -> 100 + (i % 2 == 0 ? counter.slack * 5 : 0))))
                .isEmpty();
    }

    @Test
    void growthInTheFirstThirdIsWarmUp() {
        assertThat(grown(samples(Counter.HEAP_KB, i -> Math.min(i, 19) * 10_000L)))
                .isEmpty();
    }

    @Test
    void aCounterThatThisMachineDoesNotHaveIsLeftOut() {
        List<Sample> samples = samples(Counter.THREADS, i -> 100);
        samples.forEach(sample -> sample.values().remove(Counter.DESCRIPTORS));

        assertThat(Flatness.of(samples)).hasSize(Counter.values().length - 1);
        assertThatThrownBy(() -> Flatness.of(samples.subList(0, 2))).hasMessageContaining("2 samples are too few");
    }
}
