package dev.holdfast.testkit;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.time.Scheduler;
import dev.holdfast.time.Ticker;
import dev.holdfast.time.Timer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ManualTimingTest {

    private static final long MILLI = 1_000_000;

    private final ManualTiming world = new ManualTiming(7);
    private final ManualMachine one = world.machine();
    private final ManualMachine two = world.machine("two");
    private final List<String> log = new ArrayList<>();

    private void in(ManualMachine machine, long millis, String what) {
        machine.timing()
                .scheduler()
                .schedule(
                        millis * MILLI,
                        () -> log.add(what + " at " + world.elapsed().toMillis()));
    }

    @Test
    void nothingHappensUntilTimeIsMoved() {
        in(one, 0, "now");
        one.timing().scheduler().execute(() -> log.add("work"));
        assertThat(log).isEmpty();

        world.drain();
        assertThat(log).containsExactly("work");
        world.advance(millis(0));
        assertThat(log).containsExactly("work", "now at 0");
    }

    @Test
    void timersRunInTheOrderOfTheirTimesThenOfTheirMaking() {
        in(one, 20, "c");
        in(two, 10, "a");
        in(one, 10, "b");
        in(one, 31, "d");

        world.advance(millis(30));

        assertThat(log).containsExactly("a at 10", "b at 10", "c at 20");
        assertThat(one.pendingTimers()).isEqualTo(1);
    }

    @Test
    void whatATimerBringsFallsIntoTheSameAdvance() {
        Scheduler scheduler = one.timing().scheduler();
        scheduler.schedule(10 * MILLI, () -> {
            scheduler.execute(() -> log.add("worker at " + world.elapsed().toMillis()));
            in(one, 10, "second");
        });

        world.advance(millis(25));

        assertThat(log).containsExactly("worker at 10", "second at 20");
        assertThat(world.elapsed()).isEqualTo(millis(25));
    }

    @Test
    void aCancelledTimerDoesNotRun() {
        Timer timer = one.timing().scheduler().schedule(MILLI, () -> log.add("cancelled"));
        timer.cancel();
        timer.cancel();

        world.advance(seconds(1));

        assertThat(log).isEmpty();
    }

    @Test
    void hostileDelaysAreNowOrNever() {
        one.timing().scheduler().schedule(Long.MIN_VALUE, () -> log.add("now"));
        one.timing().scheduler().schedule(Long.MAX_VALUE, () -> log.add("never"));

        world.advance(java.time.Duration.ofDays(10_000));

        assertThat(log).containsExactly("now");
    }

    @Test
    void theMonotonicClockWrapsAroundAndTheWallClockDoesNotMind() {
        Ticker ticker = one.timing().ticker();
        long before = ticker.nanos();
        long wall = ticker.wallMillis();
        in(one, 5_000, "after the wrap");

        world.advance(seconds(4));

        assertThat(before).isPositive();
        assertThat(ticker.nanos()).isNegative();
        assertThat(ticker.nanos() - before).isEqualTo(4_000 * MILLI);
        assertThat(ticker.wallMillis() - wall).isEqualTo(4_000);
        assertThat(Instant.ofEpochMilli(wall)).isEqualTo("2026-01-01T12:00:00Z");
        world.advance(seconds(1));
        assertThat(log).containsExactly("after the wrap at 5000");
    }

    @Test
    void fractionsOfAMillisecondAddUpOnTheWallClock() {
        long wall = one.timing().ticker().wallMillis();
        for (int i = 0; i < 10; i++) {
            world.advance(java.time.Duration.ofNanos(300_000));
        }

        assertThat(one.timing().ticker().wallMillis() - wall).isEqualTo(3);
    }

    @Test
    void aStepOfTheWallClockMovesNothingElse() {
        long nanos = one.timing().ticker().nanos();
        long wall = one.timing().ticker().wallMillis();
        long other = two.timing().ticker().wallMillis();
        in(one, 10, "timer");

        one.stepWall(seconds(-3_600));

        assertThat(one.timing().ticker().wallMillis() - wall).isEqualTo(-3_600_000);
        assertThat(one.timing().ticker().nanos()).isEqualTo(nanos);
        assertThat(two.timing().ticker().wallMillis()).isEqualTo(other);
        assertThat(log).isEmpty();
    }

    @Test
    void aSuspendedMachinesTimersAreLateByItsSleep() {
        long nanos = one.timing().ticker().nanos();
        long wall = one.timing().ticker().wallMillis();
        in(one, 10, "one");
        in(two, 10, "two");

        one.suspend(seconds(1));
        assertThat(log).containsExactly("two at 10");
        assertThat(one.timing().ticker().nanos()).isEqualTo(nanos);
        assertThat(one.timing().ticker().wallMillis() - wall).isEqualTo(1_000);

        world.advance(millis(10));
        assertThat(log).containsExactly("two at 10", "one at 1010");
    }

    @Test
    void aFrozenMachinesClocksGoOnFromWhereTheyWere() {
        long nanos = one.timing().ticker().nanos();
        long wall = one.timing().ticker().wallMillis();
        in(one, 10, "one");
        in(two, 10, "two");

        one.freeze(seconds(1));
        assertThat(log).containsExactly("two at 10");
        assertThat(one.timing().ticker().nanos()).isEqualTo(nanos);
        assertThat(one.timing().ticker().wallMillis()).isEqualTo(wall);

        world.advance(millis(10));
        assertThat(log).containsExactly("two at 10", "one at 1010");
        assertThat(one.timing().ticker().wallMillis() - wall).isEqualTo(10);
    }

    @Test
    void aPausedProcessDoesWhatItHasMissedAtOnce() {
        in(one, 10, "one");
        one.timing().scheduler().execute(() -> log.add("work"));

        one.pause();
        world.advance(seconds(1));
        assertThat(log).isEmpty();

        one.resume();
        world.advance(millis(0));
        assertThat(log).containsExactly("work", "one at 1000");
    }

    @Test
    void aDriftingMachinesClocksAndTimersAreOffByItsDrift() {
        long nanos = one.timing().ticker().nanos();
        long wall = one.timing().ticker().wallMillis();
        one.drift(-10_000);
        in(one, 990, "slow");
        two.drift(10_000);
        in(two, 1_010, "fast");

        world.advance(millis(999));
        assertThat(log).isEmpty();
        world.advance(millis(1));

        assertThat(log).containsExactly("slow at 1000", "fast at 1000");
        assertThat(one.timing().ticker().nanos() - nanos).isEqualTo(990 * MILLI);
        assertThat(one.timing().ticker().wallMillis() - wall).isEqualTo(990);
        one.drift(0);
        world.advance(millis(10));
        assertThat(one.timing().ticker().wallMillis() - wall).isEqualTo(1_000);
        assertThatThrownBy(() -> one.drift(100_001)).hasMessageContaining("100001 ppm");
    }

    @Test
    void manyCancelledTimersAreNotKept() {
        for (int i = 0; i < 10_000; i++) {
            one.timing()
                    .scheduler()
                    .schedule(1_000 * MILLI, () -> log.add("cancelled"))
                    .cancel();
        }
        in(one, 10, "kept");

        world.advance(seconds(2));

        assertThat(log).containsExactly("kept at 10");
        assertThat(one.pendingTimers()).isZero();
    }

    @Test
    void afterTheCloseTimersAreDroppedWorkIsNot() {
        in(one, 10, "dropped");
        one.timing().scheduler().close();
        in(one, 10, "dropped too");
        one.timing().scheduler().execute(() -> log.add("work"));

        world.advance(seconds(1));

        assertThat(log).containsExactly("work");
        assertThat(one.isClosed()).isTrue();
        assertThat(two.isClosed()).isFalse();
    }

    @Test
    void awaitingMovesTimeAsFarAsNeeded() {
        CompletableFuture<String> future = new CompletableFuture<>();
        one.timing().scheduler().schedule(1_500 * MILLI, () -> future.complete("there"));

        assertThat(world.await(future)).isEqualTo("there");
        assertThat(world.elapsed()).isEqualTo(millis(1_500));
        assertThatThrownBy(() -> world.await(new CompletableFuture<>()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("nothing is left to happen");
    }

    @Test
    void chanceComesFromTheSeed() {
        long[] same = {next(7), next(7)};

        assertThat(same[0]).isEqualTo(same[1]);
        assertThat(next(8)).isNotEqualTo(same[0]);
    }

    private static long next(long seed) {
        return new ManualTiming(seed).timing().random().nextLong();
    }

    @Test
    void machinesMayBeUsedByOtherThreads() throws Exception {
        List<Thread> threads = new ArrayList<>();
        List<Integer> ran = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            threads.add(new Thread(() -> {
                for (int i = 0; i < 500; i++) {
                    int number = i;
                    one.timing().scheduler().schedule(i * MILLI, () -> ran.add(number));
                    one.timing().scheduler().execute(() -> ran.add(number));
                }
            }));
        }
        threads.forEach(Thread::start);
        while (threads.stream().anyMatch(Thread::isAlive)) {
            world.advance(millis(1));
        }
        world.advance(seconds(1));

        assertThat(ran).hasSize(4_000);
    }
}
