package dev.holdfast.benchmarks.work;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Threads that repeat the same work. They begin together. Turns count from the end of the time to settle, when all
 * threads run, until the threads are asked to stop.
 */
final class Team {

    private static final int DIGITS = 3;
    private static final long LOOK_EVERY_MILLIS = 100;
    private static final long LONGEST_TURN_NANOS = 30_000_000_000L;

    /** One turn of a member, which records its times in its log. */
    @FunctionalInterface
    interface Turn {
        void take(Log log) throws Exception;
    }

    /** The counted turns and waits of one member. Only the member's own thread writes them. */
    static final class Log {
        private final Team team;
        private long turns;
        private final Histogram waits = new Histogram(DIGITS);

        private Log(Team team) {
            this.team = team;
        }

        /**
         * Records a completed wait for the lock, in nanoseconds. A wait that is still open when the counting ends
         * counts too, so that a starving thread is not left out.
         */
        void waited(long nanos) {
            if (team.phase != Phase.SETTLING) {
                waits.recordValue(nanos);
            }
        }

        /** Returns whether this turn is the last. */
        boolean isOver() {
            return team.phase == Phase.OVER;
        }
    }

    private enum Phase {
        SETTLING,
        COUNTING,
        OVER
    }

    private final List<Log> logs = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean counted;
    private volatile Phase phase = Phase.SETTLING;
    private Effort effort = Effort.NONE;

    private Team() {}

    /** Lets this many members work, each with its own {@link Turn}, and returns when all have stopped. */
    static Team play(int members, long settleNanos, long countNanos, IntFunction<Turn> turns) throws Exception {
        Team team = new Team();
        CyclicBarrier start = new CyclicBarrier(members + 1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            Log log = new Log(team);
            team.logs.add(log);
            Turn turn = turns.apply(i);
            Thread thread = new Thread(() -> team.work(start, turn, log), "member-" + i);
            thread.start();
            threads.add(thread);
        }
        start.await();
        team.pause(settleNanos);
        Effort before = Effort.now();
        team.phase = Phase.COUNTING;
        team.pause(countNanos);
        team.awaitATurn();
        team.phase = Phase.OVER;
        team.effort = Effort.now().since(before);
        team.await(threads);
        Throwable thrown = team.failure.get();
        if (thrown != null) {
            throw new IllegalStateException(thrown);
        }
        return team;
    }

    /** Waits for the threads to end; after a failure, interrupts those that may wait for the failed thread. */
    private void await(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                thread.join(LOOK_EVERY_MILLIS);
                if (failure.get() != null) {
                    threads.forEach(Thread::interrupt);
                }
            }
        }
    }

    /** Waits for a counted turn, which may take longer than the measurement; without one, there is no result. */
    private void awaitATurn() throws InterruptedException {
        long deadline = System.nanoTime() + LONGEST_TURN_NANOS;
        while (!counted && failure.get() == null && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private void pause(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos);
    }

    private void work(CyclicBarrier start, Turn turn, Log log) {
        try {
            start.await();
            while (phase != Phase.OVER && failure.get() == null) {
                turn.take(log);
                if (phase == Phase.COUNTING) {
                    log.turns++;
                    counted = true;
                }
            }
        } catch (Exception | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Returns the turns per second of all members together. */
    double turnsPerSecond() {
        return turnsPerSecond(0, logs.size());
    }

    /** Returns the turns per second of the members from {@code from} to {@code to}, exclusive. */
    double turnsPerSecond(int from, int to) {
        return turns(from, to) / (effort.nanos() / 1e9);
    }

    private double turns(int from, int to) {
        return logs.subList(from, to).stream().mapToLong(log -> log.turns).sum();
    }

    private double allTurns() {
        return turns(0, logs.size());
    }

    /** Returns the processor time of the whole process per turn, in nanoseconds. */
    double cpuNanosPerTurn() {
        return effort.cpuNanos() / allTurns();
    }

    /** Returns the memory allocated per turn, in bytes. */
    double bytesPerTurn() {
        return effort.bytes() / allTurns();
    }

    /** Returns the turns of each member. */
    List<Long> turns() {
        return logs.stream().map(log -> log.turns).toList();
    }

    /** Returns how long all members waited, in nanoseconds. */
    Histogram waits() {
        return waits(0, logs.size());
    }

    /** Returns how long the members from {@code from} to {@code to}, exclusive, waited, in nanoseconds. */
    Histogram waits(int from, int to) {
        Histogram all = new Histogram(DIGITS);
        logs.subList(from, to).forEach(log -> all.add(log.waits));
        return all;
    }
}
