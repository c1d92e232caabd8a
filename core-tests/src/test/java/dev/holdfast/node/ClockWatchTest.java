package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.time.Moment;
import java.util.Optional;
import java.util.OptionalLong;
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

    private Optional<ClockWatch.Step> compare(long thereMillis, long backMillis) {
        Moment sent = now();
        pass(thereMillis);
        long read = serverMicros;
        pass(backMillis);
        return watch.compare(sent, now(), read, ALLOWANCE_MICROS);
    }

    /** Looks, and judges a step at once. Returns the step, 0 if there was none. */
    private long look(long thereMillis, long backMillis, boolean own) {
        Optional<ClockWatch.Step> step = compare(thereMillis, backMillis);
        step.ifPresent(shown -> watch.judged(own));
        return step.map(ClockWatch.Step::micros).orElse(0L);
    }

    private long look(long thereMillis, long backMillis) {
        return look(thereMillis, backMillis, true);
    }

    private OptionalLong mostGainSince(Moment since, long backMillis) {
        Moment sent = now();
        long read = serverMicros;
        pass(backMillis);
        return watch.mostGainSince(since, sent, now(), read);
    }

    @Test
    void steadyClocksNeverStep() {
        for (int i = 0; i < 100; i++) {
            assertThat(look(i % 7, i % 11)).isZero();
            pass(1000);
            serverMicros += 50; // 50 ppm, a common quartz
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
        assertThat(look(1, 1)).as("once").isZero();
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
        Moment since = now();
        pass(1000);
        serverMicros += 200_000;
        assertThat(look(400, 400)).isZero();
        pass(1000);
        ClockWatch.Step step = compare(0, 0).orElseThrow();
        assertThat(step.micros()).isBetween(190_000L, 200_000L);
        assertThat(step.since()).as("before the slow look").isEqualTo(since);
    }

    @Test
    void aStepCameAfterTheLatestLookThatShowsNothingOfIt() {
        look(0, 0); // exact, so later looks are compared with it
        pass(1000);
        Moment since = now();
        assertThat(look(5, 5)).isZero();
        pass(1000);
        serverMicros += 200_000;
        assertThat(compare(0, 0).orElseThrow().since()).isEqualTo(since);
    }

    @Test
    void aStepThatIsBeingJudgedIsNotReportedAgain() {
        look(0, 0);
        pass(100);
        serverMicros += 250_000;
        assertThat(compare(0, 0)).isPresent();
        pass(100);
        assertThat(compare(0, 0)).isEmpty();
        watch.judged(true);
        assertThat(look(0, 0)).isZero();
    }

    /** The watch cannot know the sum of two steps before the first has been judged, but it must not lose the second. */
    @Test
    void aFreezeBeforeTheJudgementOfAnotherIsSeenAfterIt() {
        look(0, 0);
        pass(100);
        serverMicros += 250_000;
        assertThat(compare(0, 0)).isPresent();
        serverMicros += 200_000;
        assertThat(compare(0, 0)).isEmpty();
        wallMicros += 250_000; // the client puts its clock forward by the first freeze
        watch.judged(false);
        assertThat(look(0, 0, false)).as("the second freeze").isBetween(190_000L, 202_000L);
        wallMicros += 200_000;
        pass(100);
        assertThat(look(0, 0)).as("both are explained").isZero();
    }

    @Test
    void aStepThatFollowsANodesOwnIsComparedWithTheReadingThatShowedTheFirst() {
        look(0, 0);
        pass(100);
        serverMicros += 10_000_000;
        assertThat(compare(0, 0)).isPresent();
        serverMicros += 200_000;
        assertThat(compare(0, 0)).isEmpty();
        watch.judged(true);
        assertThat(look(0, 0)).isBetween(190_000L, 202_000L);
    }

    @Test
    void aNodeWhoseClockStoodFirmSaysSo() {
        look(1, 1);
        pass(10);
        Moment since = now();
        pass(100);
        assertThat(mostGainSince(since, 1).orElseThrow()).isBetween(0L, 4_000L);
        serverMicros -= 400_000;
        assertThat(mostGainSince(since, 1).orElseThrow()).isBetween(-400_000L, -396_000L);
    }

    /** No sequence of looks may hide a step from the answer: a freeze moves every node, so none may deny it. */
    @Test
    void noLookSinceAStepHidesItFromTheAnswer() {
        look(0, 0);
        pass(1000);
        Moment since = now();
        serverMicros += 300_000;
        look(0, 500, false);
        look(0, 0, false);
        wallMicros += 300_000;
        for (int i = 0; i < 20; i++) {
            pass(10);
            serverMicros += 76;
            look(0, 0, false);
            assertThat(mostGainSince(since, 0).orElseThrow()).isGreaterThanOrEqualTo(300_000);
        }
    }

    @Test
    void aSlowAnswerDoesNotDenyAStepThatItMayHide() {
        look(1, 1);
        pass(10);
        Moment since = now();
        pass(10);
        Moment sent = now();
        pass(400); // the question was slow, but the answer could have been
        assertThat(watch.mostGainSince(since, sent, now(), serverMicros).orElseThrow())
                .isGreaterThanOrEqualTo(400_000);
    }

    @Test
    void aWallClockThatWasSetHidesAFreezeFromTheLookButNotFromTheAnswer() {
        look(1, 1);
        pass(10);
        Moment since = now();
        wallMicros += 1_000_000;
        pass(100);
        serverMicros += 400_000;
        assertThat(look(1, 1)).isZero();
        assertThat(mostGainSince(since, 0).orElseThrow()).isGreaterThanOrEqualTo(400_000);
    }

    @Test
    void anAnswerThatCameSinceTheMomentProvesNothing() {
        Moment since = now();
        assertThat(mostGainSince(since, 0)).isEmpty();
        assertThat(mostGainSince(since, 0)).isEmpty();
        pass(1);
        assertThat(mostGainSince(now(), 0)).isPresent();
    }

    /** While this machine is frozen its clocks stand still, so an answer that crossed the freeze seems to come at the moment of its question. */
    @Test
    void anAnswerThatMayHaveCrossedTheFreezeProvesNothing() {
        Moment since = now();
        Moment sent = now();
        serverMicros += 400_000; // the freeze
        watch.mostGainSince(since, sent, now(), serverMicros);
        assertThat(mostGainSince(since, 0)).isEmpty();
    }

    @Test
    void aReadingIsForgottenAfterAMinute() {
        look(0, 0);
        pass(10);
        Moment since = now();
        pass(61_000);
        assertThat(mostGainSince(since, 0)).isEmpty();
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
        Moment since = now();
        serverMicros += 250_000;
        assertThat(mostGainSince(since, 1)).as("asked by another node's watch").isPresent();
        wallMicros += 250_000; // decided: the step was this machine's own
        pass(100);
        serverMicros += 200_000;
        assertThat(look(1, 1)).as("the second freeze").isBetween(180_000L, 202_000L);
    }

    @Test
    void afterATimeWithoutLooksNothingIsComparedWithEarlierReadings() {
        look(0, 0);
        serverMicros += 3_600_000_000L;
        watch.startAgain();
        assertThat(look(0, 0)).isZero();
    }

    /** The watches of all nodes start again at once. So a step right after their first looks has no witness but the readings from before. */
    @Test
    void aReadingFromBeforeATimeWithoutLooksStillAnswers() {
        look(1, 1);
        pass(30_000);
        watch.startAgain();
        Moment since = now();
        assertThat(look(1, 1)).isZero();
        pass(10);
        assertThat(mostGainSince(since, 1).orElseThrow()).isBetween(0L, 40_000L);
        serverMicros += 5_000_000;
        assertThat(mostGainSince(since, 1).orElseThrow()).isGreaterThanOrEqualTo(5_000_000);
    }
}
