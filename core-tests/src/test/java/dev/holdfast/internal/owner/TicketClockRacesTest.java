package dev.holdfast.internal.owner;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Interleavings;
import dev.holdfast.LincheckAgent;
import dev.holdfast.time.Ticker;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ticket times that many threads draw at the same time: the result must be the same as if they had drawn them one after the other. */
@ExtendWith(LincheckAgent.class)
@Tag("slow")
class TicketClockRacesTest {

    private static final long WALL_MICROS = 1_000_000;

    private static final class StoppedClock implements Ticker {

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public long wallMillis() {
            return WALL_MICROS / 1000;
        }
    }

    /** The operations that Lincheck calls in all orders. */
    @Param(name = "ahead", gen = IntGen.class, conf = "-2:3")
    public static class Tickets {

        private final TicketClock clock = new TicketClock(new StoppedClock());

        @Operation
        public long next() {
            return clock.next();
        }

        @Operation
        public void observe(@Param(name = "ahead") int ahead) {
            clock.observe(WALL_MICROS + ahead);
        }
    }

    /** The same clock without its atomic step. */
    @Param(name = "ahead", gen = IntGen.class, conf = "-2:3")
    public static class TicketsTakenInTwoSteps {

        private volatile long last;

        @Operation
        public long next() {
            last = Math.max(last + 1, WALL_MICROS);
            return last;
        }

        @Operation
        public void observe(@Param(name = "ahead") int ahead) {
            last = Math.max(last, WALL_MICROS + ahead);
        }
    }

    private static ModelCheckingOptions everyInterleaving() {
        return new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(Interleavings.times(200))
                .threads(3)
                .actorsPerThread(2);
    }

    @Test
    void areAsIfTakenOneAfterTheOther() {
        everyInterleaving().check(Tickets.class);
    }

    /** Its threads spin until the other has come, so beside a load each of the 10,000 invocations may cost a time slice. */
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void areAsIfTakenOneAfterTheOtherOnRealProcessors() {
        new StressOptions()
                .iterations(10)
                .invocationsPerIteration(Interleavings.times(1_000))
                .threads(2)
                .actorsPerThread(4)
                .check(Tickets.class);
    }

    @Test
    void aClockThatIsReadAndThenSetIsFound() {
        assertThatThrownBy(() -> everyInterleaving().check(TicketsTakenInTwoSteps.class))
                .isInstanceOf(LincheckAssertionError.class);
    }
}
