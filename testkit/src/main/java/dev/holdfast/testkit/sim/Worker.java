package dev.holdfast.testkit.sim;

import dev.holdfast.Acquisition;
import dev.holdfast.DistributedLock;
import dev.holdfast.ExtendOutcome;
import dev.holdfast.Lease;
import dev.holdfast.LockMode;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** A task that takes one lock after the other, works under it, and gives it back, or does not. Watches {@link Promise#SIGNALS}. */
final class Worker {

    private static final LockMode[] MODES = LockMode.values();

    private final Schedule schedule;
    private final SimClient client;
    private final SplittableRandom random;

    Worker(Schedule schedule, SimClient client) {
        this.schedule = schedule;
        this.client = client;
        this.random = schedule.random();
    }

    void rest() {
        client.after(random.nextInt(schedule.isCalm() ? 10 : 60), this::ask);
    }

    // ---- asking

    private void ask() {
        if (schedule.isEnding()) {
            return;
        }
        SharedLock lock = schedule.anyLock();
        LockMode mode = schedule.chance(schedule.scenario().load().shared())
                ? MODES[random.nextInt(MODES.length)]
                : LockMode.EX;
        long ttl = schedule.anyTtlMillis();
        Turn turn = new Turn(client, lock, mode, ttl, schedule.nanos());
        lock.asks(turn);
        schedule.count(Count.ATTEMPTS);
        DistributedLock wanted = client.holdfast()
                .lock(lock.name())
                .mode(mode)
                .ttl(Duration.ofMillis(ttl))
                .autoExtend(schedule.isCalm()
                        || schedule.chance(schedule.scenario().load().extended()));
        if (schedule.chance(0.1)) {
            wanted = wanted.maxHold(Duration.ofMillis(50 + random.nextLong(2 * ttl)));
        }
        begin(turn, wanted, schedule.isCalm() ? DistributedLock.FOREVER : patience());
    }

    private Duration patience() {
        return switch (random.nextInt(5)) {
            case 0 -> Duration.ZERO;
            case 1, 2 -> Duration.ofMillis(random.nextInt(300));
            default -> Duration.ofMillis(random.nextInt(6_000));
        };
    }

    private void begin(Turn turn, DistributedLock wanted, Duration wait) {
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
            schedule.trace().add(client.toString(), "cancels", turn.attempt, turn);
            turn.lock.ended(turn);
            rest();
        }
    }

    private void came(Turn turn, Acquisition acquisition) {
        if (!acquisition.isHeld()) {
            schedule.trace().add(client.toString(), "is refused", turn.attempt, acquisition);
            turn.lock.ended(turn);
            rest();
            return;
        }
        Lease lease = acquisition.lease();
        turn.lease = lease;
        turn.belief = lease::isHeld;
        turn.token = lease.fencingToken();
        turn.lock.granted(turn);
        schedule.trace().add(client.toString(), "has", turn.token, turn);
        listen(turn, lease);
        work(turn, lease);
    }

    private void listen(Turn turn, Lease lease) {
        lease.onAtRisk(event -> {
            turn.atRisk = true;
            if (turn.lost) {
                schedule.broken(Promise.SIGNALS, turn + " is told of its risk after its loss");
            }
        });
        lease.onLost(event -> {
            schedule.count(Count.LOSSES);
            schedule.trace().add(client.toString(), "loses", turn.token, event);
            if (turn.lost || turn.stage == Turn.Stage.ENDED) {
                schedule.broken(Promise.SIGNALS, turn + " is told of a loss twice, or after its end");
            }
            turn.lost = true;
        });
    }

    // ---- working

    private void work(Turn turn, Lease lease) {
        long hold = hold(turn);
        for (int write = random.nextInt(3); write >= 0; write--) {
            client.after(random.nextLong(hold + 1), () -> write(turn));
        }
        if (schedule.chance(0.15)) {
            client.after(random.nextLong(hold + 1), () -> extend(turn, lease));
        }
        client.after(hold, () -> finish(turn, lease));
    }

    private long hold(Turn turn) {
        if (schedule.isCalm()) {
            return random.nextInt(20);
        }
        return switch (random.nextInt(10)) {
            case 0 -> turn.ttlMillis + random.nextLong(turn.ttlMillis);
            case 1, 2 -> random.nextInt(200);
            default -> random.nextInt(10);
        };
    }

    /** Looks at the lease, and writes; between the two lies a moment, in which the process may be paused. */
    private void write(Turn turn) {
        if (turn.isHeld()) {
            client.mayPauseNow();
            client.after(0, () -> turn.lock.write(turn));
        }
    }

    private void extend(Turn turn, Lease lease) {
        if (turn.stage == Turn.Stage.HELD) {
            lease.extendAsync(Duration.ofMillis(schedule.anyTtlMillis())).thenAccept(outcome -> {
                if (outcome == ExtendOutcome.EXTENDED) {
                    schedule.count(Count.EXTENSIONS);
                }
            });
        }
    }

    private void finish(Turn turn, Lease lease) {
        turn.lock.ended(turn);
        schedule.trace().add(client.toString(), "gives back", turn.token, turn);
        lease.releaseAsync();
        rest();
    }
}
