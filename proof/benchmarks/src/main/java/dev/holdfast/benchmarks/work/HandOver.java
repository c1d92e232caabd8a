package dev.holdfast.benchmarks.work;

import dev.holdfast.benchmarks.side.NamedLock;
import java.util.concurrent.Semaphore;

/**
 * Two clients that hand a lock over to each other: one holds it, and the other queues before the holder releases it.
 * The measured time is from the call of release to the return of the other's acquire. Parameters: hold (how long the
 * other has to queue), seconds.
 */
final class HandOver implements Work {

    private static final long SETTLE_NANOS = 200_000_000;

    @Override
    public Answer run(Order order, Clients clients) throws Exception {
        Baton baton = new Baton();
        Team team = Team.play(
                2,
                SETTLE_NANOS,
                order.nanos("seconds"),
                index -> turn(clients.number(index).lock("baton"), baton, index, order.nanos("hold")));
        return Waits.addTo(Answer.of("pairs", team.turnsPerSecond()), team.waits());
    }

    /** The state that the two clients share. The lock itself makes each client's writes visible to the other, as do the semaphores. */
    private static final class Baton {
        private final Semaphore[] mayAsk = {new Semaphore(1), new Semaphore(0)};
        private volatile long releasedNanos;
        private volatile boolean over;
    }

    private static Team.Turn turn(NamedLock lock, Baton baton, int self, long holdNanos) {
        return log -> {
            baton.mayAsk[self].acquire();
            if (baton.over) {
                return;
            }
            NamedLock.Held held = lock.acquire();
            long now = System.nanoTime();
            if (baton.releasedNanos != 0) {
                log.waited(now - baton.releasedNanos);
            }
            baton.over = log.isOver();
            baton.mayAsk[1 - self].release();
            Hold.asleep(holdNanos);
            baton.releasedNanos = System.nanoTime();
            held.release();
        };
    }
}
