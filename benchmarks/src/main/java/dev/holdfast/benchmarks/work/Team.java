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
 * Threads that do the same over and over. They begin together; what they do counts after they have settled, when all of them run, and until
 * the first is told to stop.
 */
final class Team {

    private static final int DIGITS = 3;

    /** What a member does once; times are those that it hands to its log. */
    @FunctionalInterface
    interface Turn {
        void take(Log log) throws Exception;
    }

    /** What a member has done while it counted. Only its own thread writes it. */
    static final class Log {
        private final Team team;
        private boolean counts;
        private long turns;
        private final Histogram waits = new Histogram(DIGITS);

        private Log(Team team) {
            this.team = team;
        }

        /** How long the member waited for the lock, in nanoseconds. */
        void waited(long nanos) {
            if (counts && team.phase == Phase.COUNTING) {
                waits.recordValue(nanos);
            }
        }
    }

    private enum Phase {
        SETTLING,
        COUNTING,
        OVER
    }

    private final List<Log> logs = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile Phase phase = Phase.SETTLING;
    private long countedNanos;

    private Team() {}

    /** Lets so many members work, each by the turn that is made for it, and returns when all have stopped. */
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
        long begin = System.nanoTime();
        team.phase = Phase.COUNTING;
        team.pause(countNanos);
        team.phase = Phase.OVER;
        team.countedNanos = System.nanoTime() - begin;
        for (Thread thread : threads) {
            thread.join();
        }
        Throwable thrown = team.failure.get();
        if (thrown != null) {
            throw new IllegalStateException(thrown);
        }
        return team;
    }

    private void pause(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos);
    }

    private void work(CyclicBarrier start, Turn turn, Log log) {
        try {
            start.await();
            while (phase != Phase.OVER && failure.get() == null) {
                log.counts = phase == Phase.COUNTING;
                turn.take(log);
                if (phase == Phase.COUNTING) {
                    log.turns++;
                }
            }
        } catch (Exception | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Turns a second, of all members. */
    double turnsPerSecond() {
        return logs.stream().mapToLong(log -> log.turns).sum() / (countedNanos / 1e9);
    }

    /** The turns of each. */
    List<Long> turns() {
        return logs.stream().map(log -> log.turns).toList();
    }

    /** How long all members waited, in nanoseconds. */
    Histogram waits() {
        return waits(0, logs.size());
    }

    /** How long the members from one to before another waited. */
    Histogram waits(int from, int to) {
        Histogram all = new Histogram(DIGITS);
        logs.subList(from, to).forEach(log -> all.add(log.waits));
        return all;
    }
}
