package dev.holdfast.torture.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.torture.plot.MeasuredClient.Kind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Measured times before and after they are drawn. */
class PlotNumbersTest {

    @Test
    void percentilesAreOfTheNearestRank() {
        Times times =
                new Times(IntStream.rangeClosed(1, 200).mapToObj(i -> 201.0 - i).toList());

        assertThat(times.median()).isEqualTo(100);
        assertThat(times.p99()).isEqualTo(198);
        assertThat(times.percentile(100)).isEqualTo(200).isEqualTo(times.longest());
        assertThat(times.mean()).isEqualTo(100.5);
    }

    @Test
    void oneTimeIsEveryPercentile() {
        Times times = new Times(List.of(7.0));

        assertThat(List.of(times.percentile(1), times.median(), times.p99())).containsOnly(7.0);
        assertThatIllegalArgumentException().isThrownBy(() -> times.percentile(0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Times(List.of()));
    }

    @Test
    void allAreServedWhenTheLastIs() {
        List<WaitSummary> summaries = WaitSummary.of(List.of(
                wait(Kind.TEXTBOOK, 1, 1, 50),
                wait(Kind.HOLDFAST, 1, 1, 1),
                wait(Kind.HOLDFAST, 1, 2, 5),
                wait(Kind.HOLDFAST, 2, 1, 7),
                wait(Kind.HOLDFAST, 2, 2, 3)));

        assertThat(summaries).hasSize(2);
        assertThat(summaries.get(0).client()).isEqualTo(Kind.HOLDFAST);
        assertThat(summaries.get(0).times().longest()).isEqualTo(7);
        assertThat(summaries.get(0).allServedMillis()).isEqualTo(6);
    }

    @Test
    void theSameWaitsGiveTheSamePicture() {
        List<Waiters.Wait> waits = List.of(wait(Kind.HOLDFAST, 1, 1, 1), wait(Kind.TEXTBOOK, 1, 2, 90));

        assertThat(Charts.places(waits, 2))
                .isEqualTo(Charts.places(waits, 2))
                .contains("<svg", ">Holdfast<", ">textbook<", "Wait of 2 waiters for one lock");
    }

    private static Waiters.Wait wait(Kind client, int round, int place, double millis) {
        return new Waiters.Wait(client, 2, round, place, millis);
    }
}
