package dev.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.internal.time.Durations;
import dev.holdfast.node.NodeOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Texts for people: durations, reports, refusals. */
class TextsTest {

    @Test
    void durationsReadWell() {
        assertThat(DurationText.exact(Duration.ofMillis(250))).isEqualTo("250 ms");
        assertThat(DurationText.exact(Duration.ofMillis(4_200))).isEqualTo("4.2 s");
        assertThat(DurationText.exact(Duration.ofSeconds(90))).isEqualTo("90 s");
        assertThat(DurationText.exact(Duration.ofMillis(1_234))).isEqualTo("1.234 s");
        assertThat(DurationText.exact(Duration.ofMillis(7_205_001))).isEqualTo("2 h 5.001 s");
        assertThat(DurationText.exact(Duration.ofMinutes(90))).isEqualTo("90 min");
        assertThat(DurationText.exact(Duration.ofHours(24))).isEqualTo("24 h");
        assertThat(DurationText.exact(Duration.ofHours(76))).isEqualTo("3 d 4 h");
        assertThat(DurationText.exact(Duration.ofDays(365))).isEqualTo("365 d");
        assertThat(DurationText.exact(Duration.ZERO)).isEqualTo("0 ms");
        assertThat(DurationText.exact(Duration.ofMillis(-5))).isEqualTo("-5 ms");
        assertThat(DurationText.exact(Duration.ofNanos(1))).isEqualTo("0.000001 ms");
        assertThat(DurationText.exact(DistributedLock.FOREVER)).isEqualTo("no limit");
        assertThat(DurationText.exact(Duration.ofSeconds(Long.MIN_VALUE))).startsWith("PT-");
    }

    @Test
    void aDurationThatDoesNotFitIsForEver() {
        assertThat(Durations.saturatedNanos(DistributedLock.FOREVER)).isEqualTo(Long.MAX_VALUE);
        assertThat(Durations.saturatedNanos(Duration.ofDays(200_000))).isEqualTo(Long.MAX_VALUE);
        assertThat(Durations.saturatedNanos(Duration.ofNanos(7))).isEqualTo(7);
    }

    @Test
    void aReportSaysWhatTheNodeSaid() {
        Duration left = Duration.ofMillis(4_200);
        assertThat(new NodeReport("redis://a:6379", NodeReport.Kind.HELD, "by billing@host-7", left, 0))
                .hasToString("redis://a:6379: HELD by billing@host-7 for 4.2 s more");
        assertThat(new NodeReport("b", NodeReport.Kind.QUEUED, "behind c", left, 3))
                .hasToString("b: QUEUED 3rd behind c, 4.2 s more");
        assertThat(new NodeReport("b", NodeReport.Kind.TIMEOUT, "after 50 ms", null, 0))
                .hasToString("b: TIMEOUT after 50 ms");
        assertThat(new NodeReport("b", NodeReport.Kind.QUARANTINED, "", Duration.ofSeconds(12), 0))
                .hasToString("b: QUARANTINED, 12 s more");
        assertThat(List.of(1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111))
                .extracting(place -> new NodeReport("b", NodeReport.Kind.QUEUED, "", null, place).toString())
                .extracting(text -> text.substring("b: QUEUED ".length()))
                .containsExactly("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "103rd", "111th");
    }

    @Test
    void aRefusalExplainsItself() {
        Refusal refusal = new Refusal(
                "orders:42",
                Refusal.Reason.NO_QUORUM,
                Duration.ofNanos(50_400_000),
                List.of(
                        new NodeReport("a", NodeReport.Kind.GRANTED, "", null, 0),
                        new NodeReport("b", NodeReport.Kind.TIMEOUT, "after 50 ms", null, 0),
                        new NodeReport("c", NodeReport.Kind.ERROR, "connection refused", null, 0)));

        assertThat(refusal.message())
                .isEqualTo(
                        "lock 'orders:42' not acquired after 50 ms: no majority: 1 of 3 nodes answered, 2 are needed "
                                + "[a: GRANTED; b: TIMEOUT after 50 ms; c: ERROR connection refused]");
    }

    @Test
    void optionsDoNotShowTheirPassword() {
        assertThat(NodeOptions.defaults()
                        .credentials("billing", () -> "hunter2")
                        .toString())
                .contains("billing")
                .doesNotContain("hunter2");
    }
}
