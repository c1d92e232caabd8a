package dev.holdfast.locked;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class UnfitSettingTest {

    private static UnfitSetting of(long ttlSeconds, long timeoutSeconds, String refusal) {
        return UnfitSetting.of(
                "holdfast.",
                Duration.ofSeconds(ttlSeconds),
                Duration.ofSeconds(timeoutSeconds),
                new IllegalArgumentException(refusal));
    }

    @Test
    void aNodeTimeoutThatIsTooLongForTheTtlIsNamed() {
        assertThat(of(60, 50, "ttl is 60 s, but"))
                .isEqualTo(new UnfitSetting(
                        "holdfast.node.timeout",
                        "timeout is 50 s, but must be at most half of holdfast.ttl, which is 60 s, so that a client can"
                                + " retry before a lease ends",
                        "Set holdfast.node.timeout to 30 s or less, or holdfast.ttl to 100 s or more"));
        assertThat(UnfitSetting.of("holdfast.", null, Duration.ofSeconds(16), new IllegalArgumentException())
                        .why())
                .contains("holdfast.ttl, which is 30 s");
    }

    @Test
    void otherSettingsAreNamedByTheRefusal() {
        assertThat(of(60, 30, "ttl is 60 s, but must be at most the fenceRetention of 1 s")
                        .name())
                .isEqualTo("holdfast.ttl");
        assertThat(of(60, 30, "the node redis://a is given twice").name()).isEqualTo("holdfast.nodes");
    }
}
