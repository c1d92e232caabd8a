package dev.holdfast.simulator;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.node.OwnerId;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** A worker that acquires locks with the production client. Watches {@link Promise#SIGNALS}. */
class HoldfastWorker extends Worker {

    HoldfastWorker(Schedule schedule, SimClient client) {
        super(schedule, client);
    }

    @Override
    void ask(Turn turn, Duration wait) {
        DistributedLock wanted = turn.wish.of(
                client.holdfast().lock(turn.lock.name()).mode(turn.mode),
                schedule.ttlMillis(turn.lock, turn.wish.ttlMillis()));
        client.begin(turn, () -> {
            CompletableFuture<Acquisition> attempt = wanted.tryAcquireAsync(wait);
            attempt.thenAccept(acquisition -> came(turn, acquisition));
            if (!schedule.isCalm() && schedule.chance(0.08)) {
                client.after(random.nextInt(200), () -> cancel(turn, attempt));
            }
        });
    }

    private void cancel(Turn turn, CompletableFuture<Acquisition> attempt) {
        if (attempt.cancel(true)) {
            refused(turn, "cancelled");
        }
    }

    private void came(Turn turn, Acquisition acquisition) {
        if (acquisition instanceof Acquisition.Refused why && why.refusal().reason() == Refusal.Reason.SEALED) {
            turn.lock.foundSealed(turn, Objects.requireNonNull(why.refusal().seal()));
        }
        if (!acquisition.isHeld()) {
            refused(turn, acquisition);
            return;
        }
        Lease lease = acquisition.lease();
        turn.lease = lease;
        turn.belief = lease::isHeld;
        turn.token = lease.fencingToken();
        turn.owner = client.owner(OwnerId.parse(lease.owner()).orElseThrow().attempt());
        work(turn);
        turn.lock.values().read(turn, lease.value().orElse(""));
        if (turn.mode.mayWrite() && schedule.chance(0.2)) {
            for (int write = random.nextInt(3); write >= 0; write--) {
                client.after(random.nextInt(20), () -> writeValue(turn, lease));
            }
        }
        listen(turn, lease);
    }

    private void writeValue(Turn turn, Lease lease) {
        if (turn.stage == Turn.Stage.HELD) {
            Values.Write write = turn.lock.values().begin(turn);
            lease.writeValueAsync("" + write.place()).thenAccept(outcome -> {
                if (outcome == WriteOutcome.WRITTEN) {
                    turn.lock.values().confirmed(write);
                }
            });
        }
    }

    private void listen(Turn turn, Lease lease) {
        lease.onAtRisk(event -> {
            Objects.requireNonNull(turn.owner).atRisk(turn);
            if (turn.lost) {
                schedule.broken(Promise.SIGNALS, turn + " is notified of its risk after its loss");
            }
        });
        lease.onLost(event -> {
            schedule.count(Count.LOSSES);
            schedule.trace().add(client.toString(), "loses", turn.token, event);
            if (turn.lost || turn.stage == Turn.Stage.ENDED) {
                schedule.broken(Promise.SIGNALS, turn + " is notified of a loss twice, or after its end");
            }
            turn.lost = true;
        });
    }

    @Override
    void extend(Turn turn) {
        if (turn.stage == Turn.Stage.HELD) {
            Objects.requireNonNull(turn.lease)
                    .extendAsync(Duration.ofMillis(schedule.ttlMillis(turn.lock, schedule.anyTtlMillis())))
                    .thenAccept(outcome -> {
                        if (outcome == ExtendOutcome.EXTENDED) {
                            schedule.count(Count.EXTENSIONS);
                        }
                    });
        }
    }

    @Override
    void giveBack(Turn turn) {
        Objects.requireNonNull(turn.lease).releaseAsync();
    }
}
