package dev.holdfast.simulator;

import dev.holdfast.lock.LockMode;
import java.time.Duration;
import java.util.SplittableRandom;

/** A task that acquires one lock after the other, works under it, and releases it. */
abstract class Worker {

    private static final LockMode[] MODES = LockMode.values();

    final Schedule schedule;
    final SimClient client;
    final SplittableRandom random;

    Worker(Schedule schedule, SimClient client) {
        this.schedule = schedule;
        this.client = client;
        this.random = schedule.random();
    }

    static Worker of(Schedule schedule, SimClient client) {
        return switch (schedule.scenario().load().kind()) {
            case HOLDFAST, TWO_VERSIONS -> new HoldfastWorker(schedule, client);
            case MOVING -> new MovingWorker(schedule, client);
            case ONCE -> new OnceWorker(schedule, client);
            case CLOSING -> new ClosingWorker(schedule, client);
            case TEXTBOOK -> new TextbookWorker(schedule, client);
        };
    }

    /** Asks for the lock that this turn is about. */
    abstract void ask(Turn turn, Duration wait);

    /** Releases the lock; the turn has ended. */
    abstract void giveBack(Turn turn);

    /** Changes the lease while it is held, if there is a change to make. */
    abstract void extend(Turn turn);

    final void rest() {
        client.after(random.nextInt(schedule.isCalm() ? 10 : 60), this::ask);
    }

    private void ask() {
        if (!schedule.isEnding()) {
            LockMode mode = schedule.chance(schedule.scenario().load().shared())
                    ? MODES[random.nextInt(MODES.length)]
                    : LockMode.EX;
            Turn turn = new Turn(client, schedule.anyLock(), mode, client.wish(), schedule.nanos());
            Duration wait = patience();
            turn.waits = !wait.isZero();
            turn.lock.asks(turn);
            schedule.count(Count.ATTEMPTS);
            ask(turn, wait);
        }
    }

    private Duration patience() {
        if (schedule.isCalm()) {
            return schedule.longestWait();
        }
        if (schedule.chance(schedule.scenario().load().hasty())) {
            return Duration.ZERO;
        }
        return Duration.ofMillis(random.nextInt(random.nextBoolean() ? 300 : 6_000));
    }

    final void refused(Turn turn, Object why) {
        schedule.trace().add(client.toString(), "is refused", turn.attempt(), why);
        turn.lock.ended(turn);
        rest();
    }

    /** Works for a while, with a few writes, and releases the lock. */
    final void work(Turn turn) {
        turn.lock.granted(turn);
        schedule.trace().add(client.toString(), "has", turn.token, turn);
        long hold = hold(turn);
        for (int write = random.nextInt(3); write >= 0; write--) {
            client.after(random.nextLong(hold + 1), () -> write(turn));
        }
        if (schedule.chance(0.15)) {
            client.after(random.nextLong(hold + 1), () -> extend(turn));
        }
        client.after(hold, () -> finish(turn));
    }

    private long hold(Turn turn) {
        if (schedule.isCalm()) {
            return random.nextInt(20);
        }
        if (schedule.chance(schedule.scenario().load().longHolds())) {
            return turn.wish.ttlMillis() / 2 + random.nextLong(turn.wish.ttlMillis() * 3 / 2);
        }
        int longest = schedule.scenario().load().holdMillis();
        return random.nextInt(random.nextInt(4) == 0 ? longest : Math.max(longest / 20, 1));
    }

    /** Checks the lease, and writes; between the two, the process may be paused. */
    private void write(Turn turn) {
        if (turn.isHeld()) {
            client.mayPauseNow();
            client.after(0, () -> turn.lock.write(turn));
        }
    }

    private void finish(Turn turn) {
        turn.lock.use(turn);
        turn.lock.ended(turn);
        schedule.trace().add(client.toString(), "gives back", turn.token, turn);
        giveBack(turn);
        rest();
    }
}
