package dev.holdfast.redis;

import static io.netty.channel.SelectStrategy.CONTINUE;
import static io.netty.channel.SelectStrategy.SELECT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTiming;
import dev.holdfast.time.Trust;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AwakeSelectTest {

    private final ManualTiming time = new ManualTiming(1);
    private final AwakeSelect strategy = new AwakeSelect(time.timing().ticker());
    private int ready;

    private int nothingToDo() throws Exception {
        ready = 0;
        return strategy.calculateStrategy(() -> ready, false);
    }

    private int answers(int count) throws Exception {
        ready = count;
        return strategy.calculateStrategy(() -> ready, false);
    }

    private int tasks() throws Exception {
        ready = 0;
        return strategy.calculateStrategy(() -> ready, true);
    }

    private void pass(long nanos) {
        time.advance(Duration.ofNanos(nanos));
    }

    /** Sleeps until it is time to try to stay awake again. */
    private void sleepUntilItTries() throws Exception {
        int slept = 0;
        while (nothingToDo() == SELECT) {
            assertThat(++slept).isLessThan(Trust.TRY_EVERY);
        }
    }

    private void trust() throws Exception {
        sleepUntilItTries();
        answers(1);
        for (int i = 0; i < 20; i++) {
            assertThat(nothingToDo()).isEqualTo(CONTINUE);
            answers(1);
        }
    }

    @Test
    void itSleepsUntilStayingAwakeHasPaid() throws Exception {
        assertThat(nothingToDo()).isEqualTo(SELECT);
        assertThat(nothingToDo()).isEqualTo(SELECT);

        sleepUntilItTries();
        assertThat(answers(3)).isEqualTo(3);
        assertThat(nothingToDo()).as("worth it").isEqualTo(CONTINUE);
    }

    @Test
    void tasksAreNeverWaitedFor() throws Exception {
        assertThat(tasks()).isZero();
        trust();
        assertThat(tasks()).isZero();
    }

    @Test
    void itStaysAwakeForAMoment() throws Exception {
        trust();

        assertThat(nothingToDo()).isEqualTo(CONTINUE);
        pass(AwakeSelect.AWAKE_NANOS - 1);
        assertThat(nothingToDo()).isEqualTo(CONTINUE);
        pass(1);
        assertThat(nothingToDo()).isEqualTo(SELECT);
    }

    @Test
    void theMomentBeginsAnewWithEachTimeThatThereIsNothingToDo() throws Exception {
        trust();
        for (int i = 0; i < 10; i++) {
            assertThat(nothingToDo()).isEqualTo(CONTINUE);
            pass(AwakeSelect.AWAKE_NANOS - 1);
            assertThat(nothingToDo()).isEqualTo(CONTINUE);
            tasks();
            pass(AwakeSelect.AWAKE_NANOS);
        }
    }

    @Test
    void whatIsInVainMoreOftenThanOneTimeInThreeIsGivenUp() throws Exception {
        trust();

        int awake = 0;
        for (int i = 0; i < 20; i++) {
            if (nothingToDo() == CONTINUE) {
                awake++;
                pass(AwakeSelect.AWAKE_NANOS);
                assertThat(nothingToDo()).isEqualTo(SELECT);
            }
        }
        assertThat(awake).isBetween(1, 5);
    }

    @Test
    void onceInThreeInVainIsNot() throws Exception {
        trust();

        for (int i = 0; i < 100; i++) {
            assertThat(nothingToDo()).isEqualTo(CONTINUE);
            if (i % 3 == 0) {
                pass(AwakeSelect.AWAKE_NANOS);
                assertThat(nothingToDo()).isEqualTo(SELECT);
            }
            answers(1);
        }
    }

    @Test
    void whoIsLeftAloneTriesSeldom() throws Exception {
        int awake = 0;
        for (int i = 0; i < Trust.TRY_EVERY * 10; i++) {
            if (nothingToDo() == CONTINUE) {
                awake++;
                pass(AwakeSelect.AWAKE_NANOS);
                assertThat(nothingToDo()).isEqualTo(SELECT);
            }
        }
        assertThat(awake).isEqualTo(10);
    }
}
