package dev.holdfast.torture.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two faults never strike the same thing at a time. */
class ClaimsTest {

    private static final long PATIENCE_SECONDS = 30;

    private final Random random = new Random(1);

    @Test
    void whatIsTakenIsNotGivenAgainUntilItIsBack() throws Exception {
        Claims claims = new Claims(5);
        Claims.Claim first = claims.take(3, random);
        try (Claims.Claim second = claims.take(2, random)) {
            assertThat(first.numbers()).doesNotContainAnyElementsOf(second.numbers());
        }
        FutureTask<Claims.Claim> taking = new FutureTask<>(() -> claims.take(4, random));
        Thread taker = new Thread(taking, "taker");
        taker.setDaemon(true);
        taker.start();
        assertThat(awaitWaitingOrEnd(taker)).isEqualTo(Thread.State.WAITING);
        assertThat(taking).isNotDone();
        first.close();
        assertThat(taking.get(PATIENCE_SECONDS, TimeUnit.SECONDS).numbers()).hasSize(4);
    }

    /** A claim that was given instead of waited for ends the thread. */
    private static Thread.State awaitWaitingOrEnd(Thread thread) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (thread.isAlive() && thread.getState() != Thread.State.WAITING && System.nanoTime() - end < 0) {
            thread.join(1);
        }
        return thread.getState();
    }
}
