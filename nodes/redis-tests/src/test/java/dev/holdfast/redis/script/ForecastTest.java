package dev.holdfast.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.time.Trust;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ForecastTest {

    private final Forecast forecast = new Forecast();

    @Test
    void afterOneThatWasFreeOthersAreExpectedToBe() {
        assertThat(forecast.willBeFree("lock:a")).isFalse();
        forecast.found("lock:a", true);
        assertThat(forecast.willBeFree("lock:b")).isTrue();
    }

    @Test
    void whoHoldsALockExpectsNobodyElseThere() {
        assertThat(forecast.willBeAlone("lock:a")).isTrue();
    }

    @Test
    void oneThatWasNotAloneHasToBeFoundAloneSomeTimes() {
        forecast.found("lock:b", true);
        forecast.isNotAlone("lock:a");
        for (int i = 0; i < Forecast.TURNS; i++) {
            assertThat(forecast.willBeAlone("lock:a")).isFalse();
            assertThat(forecast.willBeFree("lock:a")).isFalse();
            forecast.found("lock:a", true);
        }
        assertThat(forecast.willBeAlone("lock:a")).isTrue();
        assertThat(forecast.willBeFree("lock:a")).isTrue();
    }

    @Test
    void oneThatWasNotFreeIsNotAlone() {
        forecast.found("lock:a", false);
        assertThat(forecast.willBeAlone("lock:a")).isFalse();
        assertThat(forecast.willBeAlone("lock:b")).isTrue();
    }

    /** As where several clients try each lock once, and only one of them gets it. */
    @Test
    void whereMostAreNotFreeItIsExpectedNowAndThenOnly() {
        int expected = 0;
        for (int i = 0; i < 10 * Trust.TRY_EVERY; i++) {
            expected += forecast.willBeFree("lock:" + i) ? 1 : 0;
            forecast.found("lock:" + i, i % 10 == 0);
        }
        assertThat(expected).isLessThan(10 * Trust.TRY_EVERY / 5);
    }

    @Test
    void otherLocksAreSeldomTakenForOneThatIsNotAlone() {
        IntStream.range(0, 10).forEach(i -> forecast.isNotAlone("lock:held-" + i));
        assertThat(IntStream.range(0, 1_000).filter(i -> !forecast.willBeAlone("lock:orders:" + i)))
                .hasSizeLessThan(50);
    }
}
