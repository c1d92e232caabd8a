package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.time.Moment;
import org.junit.jupiter.api.Test;

class ClockWatchTest {

    private static final long ALLOWANCE_MICROS = 12_000;

    private final ClockWatch watch = new ClockWatch();
    private long monotonicMicros = Long.MAX_VALUE / 1000 - 3_000_000; // wraps around soon
    private long wallMicros = 1_790_000_000_000_000L;
    private long serverMicros = 1_790_000_000_700_000L;

    private Moment now() {
        return new Moment(monotonicMicros * 1000, wallMicros / 1000);
    }

    private void pass(long millis) {
        passHere(millis);
        serverMicros += millis * 1000;
    }

    private void passHere(long millis) {
        monotonicMicros += millis * 1000;
        wallMicros += millis * 1000;
    }

    private long look(long thereMillis, long backMillis) {
        Moment sent = now();
        pass(thereMillis);
        long read = serverMicros;
        pass(backMillis);
        return watch.stepMicros(sent, now(), read, ALLOWANCE_MICROS);
    }

    @Test
    void steadyClocksNeverStep() {
        for (int i = 0; i < 100; i++) {
            assertThat(look(i % 7, i % 11)).isZero();
            pass(1000);
            serverMicros += 50; // 50 ppm, as with a common quartz clock
        }
    }

    @Test
    void stepsAreSeenEitherWay() {
        look(1, 1);
        pass(1000);
        serverMicros += 30_000;
        assertThat(look(1, 1)).isBetween(10_000L, 30_000L);
        pass(1000);
        assertThat(look(1, 1)).as("once").isZero();
        serverMicros -= 30_000;
        assertThat(look(1, 1)).isBetween(-30_000L, -10_000L);
    }

    @Test
    void slowAnswersAndPausesProveNothing() {
        look(0, 0);
        for (int i = 0; i < 20; i++) {
            pass(100);
            assertThat(look(0, 5_000)).isZero();
            assertThat(look(5_000, 0)).isZero();
            pass(30_000);
            assertThat(look(0, 0)).isZero();
        }
    }

    @Test
    void aSlowAnswerDoesNotHideAStepFromTheNextLook() {
        look(0, 0);
        pass(1000);
        look(400, 400);
        serverMicros += 200_000;
        pass(1000);
        assertThat(look(0, 0)).isPositive();
    }

    /** A freeze of this machine during a slow reading does not show, so that reading proves nothing about the freeze. */
    @Test
    void aLookThatTookLongIsNoWitness() {
        look(1, 1);
        Moment since = now();
        serverMicros += 30_000;

        assertThat(look(1, 40)).isZero();
        assertThat(watch.compares(since, 30_000)).isFalse();
        look(1, 1);
        assertThat(watch.compares(since, 30_000)).isTrue();
        assertThat(watch.compares(since, -3_000)).isFalse();
    }

    @Test
    void aLookAcrossAWallClockThatWasSetIsNoWitness() {
        look(1, 1);
        pass(10);
        Moment since = now();
        wallMicros += 1_000_000;
        pass(100);
        serverMicros += 400_000; // a freeze, which the wall clock hides
        assertThat(look(1, 1)).isZero();
        assertThat(watch.compares(since, 400_000)).isFalse();
        assertThat(watch.compares(since, 4_000_000)).isTrue();
    }

    @Test
    void aLookAcrossAWallClockThatWasSetIsNoWitnessAfterAnExactLookEither() {
        look(0, 0);
        Moment since = now();
        pass(1000);
        wallMicros += 400_000;
        serverMicros += 300_000;
        assertThat(look(0, 0)).as("may be the wall clock").isZero();
        assertThat(look(0, 0)).isZero();
        assertThat(watch.sawOf(0, since, 300_000)).isEmpty();
        pass(1000);
        Moment later = now();
        pass(1000);
        look(0, 0);
        assertThat(watch.sawOf(0, later, 300_000)).as("only exact looks since").hasValue(0);
    }

    @Test
    void aLookThatTookLongAndSawAPartOfAStepIsNoWitnessAfterAnExactLookEither() {
        look(0, 0);
        Moment since = now();
        pass(1000);
        serverMicros += 25_000;
        assertThat(look(0, 20)).isZero();
        assertThat(look(0, 0)).isZero();
        assertThat(watch.smallStepMicros(since)).as("only a part of the step").isBetween(1L, 6_000L);
        assertThat(watch.sawOf(0, since, 25_000)).isEmpty();
    }

    @Test
    void aWatchThatSawOnlyThePartOfAStepSinceItBeganCanConfirmButNotRefuteIt() {
        Moment longBefore = now();
        pass(1000);
        look(0, 0);
        Moment since = now();
        pass(1000);
        serverMicros += 400_000;
        long shown = look(0, 0);
        assertThat(watch.sawOf(shown, longBefore, 800_000)).hasValue(shown);
        assertThat(watch.sawOf(shown, since, 1_800_000)).hasValue(shown);
        assertThat(watch.sawOf(shown, longBefore, 1_800_000)).isEmpty();
        assertThat(look(0, 0)).isZero();
        assertThat(watch.sawOf(0, since, 350_000))
                .as("the rest of the other node's step")
                .hasValue(shown);
    }

    @Test
    void aSuspendedMachineIsNoStepOfTheServer() {
        look(0, 0);
        wallMicros += 60_000_000; // the monotonic clock stood still
        serverMicros += 60_000_000;
        assertThat(look(0, 0)).isZero();
    }

    @Test
    void aFreezeThatFollowsIsSeenAlthoughTheNodeWasLookedAtBeforeTheClockWasPutForward() {
        look(1, 1);
        pass(100);
        serverMicros += 250_000;
        assertThat(look(1, 1)).as("a freeze").isBetween(240_000L, 252_000L);
        assertThat(look(1, 1)).as("asked by another node's watch").isZero();
        wallMicros += 250_000; // decided: the step was this machine's own
        pass(100);
        serverMicros += 200_000;
        assertThat(look(1, 1)).as("the second freeze").isBetween(180_000L, 202_000L);
    }

    @Test
    void aFreezeThatFollowsIsSeenByAWatchThatBeganAfterTheFirst() {
        Moment longBefore = now();
        pass(10);
        look(1, 1);
        pass(10);
        assertThat(look(1, 1)).as("asked by another node's watch").isZero();
        assertThat(watch.sawOf(0, longBefore, 250_000)).isEmpty();
        wallMicros += 250_000; // decided: the step was this machine's own, and came before this watch began
        pass(100);
        serverMicros += 200_000;
        assertThat(look(1, 1)).as("the second freeze").isBetween(180_000L, 202_000L);
    }

    @Test
    void aWatchThatWasAskedAboutANodesOwnStepSeesTheNextFreeze() {
        Moment longBefore = now();
        pass(10);
        look(1, 1);
        assertThat(watch.sawOf(0, longBefore, 250_000)).isEmpty();
        pass(100);
        serverMicros += 200_000;
        assertThat(look(1, 1)).as("a freeze").isBetween(180_000L, 202_000L);
        pass(2_000);
        assertThat(look(1, 1)).isZero();
    }

    @Test
    void afterForgettingEverythingIsNew() {
        look(0, 0);
        serverMicros += 3_600_000_000L;
        watch.forget();
        assertThat(look(0, 0)).isZero();
    }
}
