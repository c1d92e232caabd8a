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
 * What a scenario works with.
 *
 * @param settings of the run
 * @param servers that all sides use
 * @param pool of workers
 * @param figures where all that is measured goes
 * @param directory for files of the run that nobody needs afterwards
 */
public record World(BenchmarkSettings settings, Servers servers, WorkerPool pool, Figures figures, Path directory) {

    /** A turn that takes longer is not repeated: there are sides that wait for minutes where others take a moment, and are as warm then as they get. */
    private static final long LONG_TURN_NANOS = 10_000_000_000L;

    private static final double WARM_UP_TURN_SECONDS = 0.5;
    private static final double AT_REST = 0.1; // of a processor: the compiler is never quite done
    private static final int TURNS_AT_REST = 3;

    private static final AtomicInteger ROOMS = new AtomicInteger();

    /** What is done in one turn of one side, or of one side in one case. */
    @FunctionalInterface
    public interface Turn<T> {

        /** Of round 0, which makes everything warm, there may be many, and figures are not kept. */
        void take(T who, int round) throws Exception;
    }

    /** Returns a worker for each of these sides, each with a client of these servers, that other scenarios use as well. */
    public Workers workers(List<Side> sides, List<String> nodes) {
        return Workers.shared(pool, sides, nodes);
    }

    /** Returns new ones, for the caller alone, who closes them. */
    public Workers newWorkers(List<Side> sides, ClientOptions options, List<String> nodes) {
        return Workers.start(pool, sides, options, nodes);
    }

    /** Those that were asked for. */
    public List<Side> wanted(List<Side> sides) {
        return sides.stream().filter(side -> settings.wantsSide(side.title)).toList();
    }

    /** All get warm, and then take turns, in another order each round, so that none always follows the same one. */
    public <T> void play(List<T> all, Turn<T> turn) throws Exception {
        play(all, settings.rounds(), turn);
    }

    /** The same with so many rounds. */
    public <T> void play(List<T> all, int rounds, Turn<T> turn) throws Exception {
        warmUp(all, turn);
        count(all, rounds, turn);
    }

    /**
     * Each takes turns that do not count until the compilers of all workers that take part in them have been at rest for a while, or until it has been
     * long enough.
     */
    public <T> void warmUp(List<T> all, Turn<T> turn) throws Exception {
        for (T who : all) {
            long start = System.nanoTime();
            int atRest = 0;
            while (atRest < TURNS_AT_REST && secondsSince(start) < settings.warmUp()) {
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

    /** The turns that count, of those who are warm. Who takes very long for one has no other. */
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

    /** Fewer rounds than others have, for what takes long each time. */
    public int rounds(int most) {
        return Math.min(settings.rounds(), most);
    }

    /** Returns how long a turn of this round lasts, in seconds. */
    public double seconds(int round) {
        return seconds(round, 1);
    }

    /** Returns the same if a turn that counts lasts so many times as long as others do. */
    public double seconds(int round, double times) {
        return round == 0 ? Math.min(settings.warmUp(), WARM_UP_TURN_SECONDS) : times * settings.seconds();
    }

    /** Keeps a number, unless it is one of round 0. */
    public void add(String scenario, String setting, Side side, int round, Metric metric, double value) {
        if (round > 0) {
            figures.add(new Figure(scenario, setting, side.title, metric, round, value));
        }
    }

    /** Keeps these numbers of an answer. */
    public void add(String scenario, String setting, Side side, int round, Answer answer, Metric... metrics) {
        for (Metric metric : metrics) {
            add(scenario, setting, side, round, metric, answer.value(metric.key));
        }
    }

    /** Returns a new file for what the lock protects, so that a process that died in it harms nobody. */
    public Path room() {
        return directory.resolve("room-" + ROOMS.incrementAndGet());
    }

    /** Prints what was measured under this setting, medians with the smallest and the largest. */
    public void show(String scenario, String setting) {
        System.out.println(SettingTable.text(figures, scenario, setting));
    }
}
