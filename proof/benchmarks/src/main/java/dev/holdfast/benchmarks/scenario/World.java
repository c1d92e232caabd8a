package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Figure;
import dev.holdfast.benchmarks.report.Figures;
import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.report.SettingTable;
import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.world.Servers;
import dev.holdfast.benchmarks.world.WorkerPool;
import dev.holdfast.benchmarks.world.Workers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The environment of a scenario.
 *
 * @param settings the settings of the run
 * @param servers the servers that all sides use
 * @param pool the pool of workers
 * @param figures the collection of all figures
 * @param directory the directory of files that are useless after the run
 */
public record World(BenchmarkSettings settings, Servers servers, WorkerPool pool, Figures figures, Path directory) {

    /**
     * A longer turn is not repeated in the warm-up: some sides wait for minutes where others take a moment, and such a
     * turn makes a side as warm as possible.
     */
    private static final long LONG_TURN_NANOS = 10_000_000_000L;

    private static final double WARM_UP_TURN_SECONDS = 0.5;
    private static final double AT_REST = 0.1; // of a processor: the compiler is never quite done
    private static final int TURNS_AT_REST = 3;

    private static final AtomicInteger ROOMS = new AtomicInteger();

    /** The work of one side, or of one side in one case, in one turn. */
    @FunctionalInterface
    public interface Turn<T> {

        /** Takes a turn. Round 0 warms up: it may have many turns, and its figures are not kept. */
        void take(T who, int round) throws Exception;
    }

    /**
     * Returns a worker for each of these sides, each with a client of these servers; other scenarios share the workers.
     */
    public Workers workers(List<Side> sides, List<String> nodes) {
        return Workers.shared(pool, sides, nodes);
    }

    /** Returns new workers for the caller alone, which closes them. */
    public Workers newWorkers(List<Side> sides, ClientOptions options, List<String> nodes) {
        return Workers.start(pool, sides, options, nodes);
    }

    /** Returns those of these sides that are selected. */
    public List<Side> wanted(List<Side> sides) {
        return sides.stream().filter(side -> settings.wantsSide(side.title)).toList();
    }

    /**
     * Warms up all sides, and lets them take turns. Each round has a different order, so that no side always follows the
     * same one.
     */
    public <T> void play(List<T> all, Turn<T> turn) throws Exception {
        play(all, settings.rounds(), turn);
    }

    /** Warms up all sides, and lets them take turns in this many rounds. */
    public <T> void play(List<T> all, int rounds, Turn<T> turn) throws Exception {
        warmUp(all, turn);
        count(all, rounds, turn);
    }

    /**
     * Lets each side take turns that do not count. The warm-up ends when the compilers of all workers involved have
     * been idle for a while, or after its time limit.
     */
    public <T> void warmUp(List<T> all, Turn<T> turn) throws Exception {
        warmUp(all, settings.warmUp(), turn);
    }

    /** Warms up with another time limit, in seconds. */
    <T> void warmUp(List<T> all, double limit, Turn<T> turn) throws Exception {
        for (T who : all) {
            long start = System.nanoTime();
            int atRest = 0;
            while (atRest < TURNS_AT_REST && secondsSince(start) < limit) {
                servers.sweep();
                pool.compilingSinceAsked();
                long turnStart = System.nanoTime();
                turn.take(who, 0);
                boolean rests = pool.compilingSinceAsked() < AT_REST;
                atRest = System.nanoTime() - turnStart > LONG_TURN_NANOS ? TURNS_AT_REST : rests ? atRest + 1 : 0;
            }
            System.out.printf(
                    "%s is %s after %.1f s%n",
                    who, atRest < TURNS_AT_REST ? "not warm yet" : "warm", secondsSince(start));
        }
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    /** Lets the warm sides take turns that count. A side whose turn takes very long has only one. */
    public <T> void count(List<T> all, int rounds, Turn<T> turn) throws Exception {
        List<T> playing = new ArrayList<>(all);
        for (int round = 1; round <= rounds; round++) {
            List<T> order = new ArrayList<>(playing);
            Collections.rotate(order, -round);
            for (T who : order) {
                servers.sweep();
                long start = System.nanoTime();
                turn.take(who, round);
                if (System.nanoTime() - start > LONG_TURN_NANOS) {
                    playing.remove(who);
                }
            }
        }
    }

    /** Returns the number of rounds for a scenario whose rounds take a long time: at most {@code most}. */
    public int rounds(int most) {
        return Math.min(settings.rounds(), most);
    }

    /** Returns how long a turn of this round lasts, in seconds. */
    public double seconds(int round) {
        return seconds(round, 1);
    }

    /**
     * Returns how long a turn of this round lasts, in seconds, if a turn that counts lasts {@code times} times as long
     * as usual.
     */
    public double seconds(int round, double times) {
        return round == 0 ? Math.min(settings.warmUp(), WARM_UP_TURN_SECONDS) : times * settings.seconds();
    }

    /** Adds a figure, unless it is one of round 0. */
    public void add(String scenario, String setting, Side side, int round, Metric metric, double value) {
        if (round > 0) {
            figures.add(new Figure(scenario, setting, side.title, metric, round, value));
        }
    }

    /** Adds these numbers of an answer as figures. */
    public void add(String scenario, String setting, Side side, int round, Answer answer, Metric... metrics) {
        for (Metric metric : metrics) {
            add(scenario, setting, side, round, metric, answer.value(metric.key));
        }
    }

    /**
     * Returns a new file for the resource that the lock protects, so that a process that died while using it affects no
     * other process.
     */
    public Path room() {
        return directory.resolve("room-" + ROOMS.incrementAndGet());
    }

    /** Prints the figures of this setting: medians, smallest and largest values. */
    public void show(String scenario, String setting) {
        System.out.println(SettingTable.text(figures, scenario, setting));
    }
}
