package dev.holdfast.cdi.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The warning about a lock that stays held when the next run is due. */
class DurationsTest {

    private static final MethodShape METHOD =
            new MethodShape("id", "@LockedJob method Shop.count()", Optional.empty(), ResultKind.PLAIN);

    /** A container whose cron expressions run every two seconds, and whose property {@code often} is one second. */
    private static final Platform PLATFORM = (Platform) Proxy.newProxyInstance(
            Platform.class.getClassLoader(),
            new Class<?>[] {Platform.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "shortestInterval" -> Duration.ofSeconds(2);
                case "property" -> Optional.of("1s");
                default -> throw new UnsupportedOperationException(method.getName());
            });

    private static Optional<String> warning(long atLeastSeconds, List<String> crons, List<String> everies) {
        return Durations.warning(
                METHOD,
                new ScheduleSettings("@Scheduled", crons, everies),
                Duration.ofSeconds(atLeastSeconds),
                PLATFORM);
    }

    @Test
    void aLockThatOutlastsTheIntervalIsAWarning() {
        assertThat(warning(10, List.of("*/2 * * * * ?"), List.of()))
                .hasValue(
                        "@LockedJob method Shop.count() is @Scheduled with runs only 2 s apart, but keeps its lock for"
                                + " at least 10 s, so all instances skip the runs that are due in that time."
                                + " Set atLeast to a little less than the interval.");
        assertThat(warning(10, List.of(), List.of("9s"))).isPresent();
        assertThat(warning(10, List.of("*/2 * * * * ?"), List.of("${often}")).orElseThrow())
                .contains("only 1 s apart");
    }

    @Test
    void aShorterOneIsNone() {
        assertThat(warning(2, List.of("*/2 * * * * ?"), List.of("10s"))).isEmpty();
        assertThat(warning(10, List.of(), List.of("off"))).isEmpty();
        assertThat(warning(10, List.of(), List.of())).isEmpty();
    }
}
