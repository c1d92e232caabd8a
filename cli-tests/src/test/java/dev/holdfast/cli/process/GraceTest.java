package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The time between TERM and KILL leaves one extension time to fail. */
class GraceTest {

    @Test
    void theDefaultFollowsTheTtlAndLeavesTimeForASecondExtension() {
        assertThat(Grace.of(null, Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(5));
        assertThat(Grace.of(null, Duration.ofSeconds(6))).isEqualTo(Duration.ofMillis(1500));
        assertThat(Grace.of(null, Duration.ofMillis(200))).isEqualTo(Duration.ofMillis(50));
        assertThat(Grace.of(Duration.ofSeconds(5), Duration.ofSeconds(6))).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void c16_aGraceThatLeavesNoToleranceIsWarnedOf() {
        assertThat(Grace.warning(Duration.ofSeconds(5), Duration.ofSeconds(6)))
                .hasValueSatisfying(text -> assertThat(text).contains("--grace is 5 s and --ttl 6 s", "at most 2 s"));
        assertThat(Grace.warning(Duration.ofSeconds(2), Duration.ofSeconds(6))).isEmpty();
        assertThat(Grace.warning(null, Duration.ofSeconds(1))).isEmpty();
    }
}
