package dev.holdfast.simulator;

import dev.holdfast.lock.SealOutcome;
import java.time.Duration;
import java.util.Objects;

/** A worker that acquires locks with the production client, and usually declares their work done. */
final class OnceWorker extends HoldfastWorker {

    private static final double SUCCEEDS = 0.7;

    OnceWorker(Schedule schedule, SimClient client) {
        super(schedule, client);
    }

    @Override
    void giveBack(Turn turn) {
        if (schedule.isCalm() || !schedule.chance(SUCCEEDS)) {
            super.giveBack(turn);
            return;
        }
        long saidNanos = schedule.nanos();
        Objects.requireNonNull(turn.lease)
                .sealAsync(Duration.ofMillis(schedule.scenario().sealMillis()))
                .thenAccept(outcome -> {
                    if (outcome == SealOutcome.SEALED) {
                        turn.lock.seals().confirmed(saidNanos);
                    }
                });
    }
}
