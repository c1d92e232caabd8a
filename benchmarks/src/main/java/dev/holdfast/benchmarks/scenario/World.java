package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Figure;
import dev.holdfast.benchmarks.report.Figures;
import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.report.SettingTable;
import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.world.Servers;
import dev.holdfast.benchmarks.world.Worker;
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
 * @param starter of workers
 * @param figures where all that is measured goes
 * @param directory for files of the run that nobody needs afterwards
 */
public record World(
        BenchmarkSettings settings, Servers servers, Worker.Starter starter, Figures figures, Path directory) {

    /** A turn that takes longer is not repeated: there are sides that wait for minutes where others take a moment. */
    private static final long LONG_TURN_NANOS = 10_000_000_000L;

    private static final AtomicInteger ROOMS = new AtomicInteger();

    /** What is done in one turn of one side, or of one side in one case. */
    @FunctionalInterface
    public interface Turn<T> {

        /** For round 0, which makes everything warm, figures are not kept. */
        void take(T who, int round) throws Exception;
    }

    /** A worker for each of these sides, each with a client of these servers. */
    public Workers workers(List<Side> sides, List<String> nodes) {
        return workers(sides, ClientOptions.DEFAULTS, nodes);
    }

    /** The same with clients that are set up otherwise. */
    public Workers workers(List<Side> sides, ClientOptions options, List<String> nodes) {
        return Workers.start(starter, sides, options, nodes);
    }

    /** Those that were asked for. */
    public List<Side> wanted(List<Side> sides) {
        return sides.stream().filter(side -> settings.wantsSide(side.title)).toList();
    }

    /** All by turns, in another order each round, so that none always follows the same one. */
    public <T> void play(List<T> all, Turn<T> turn) throws Exception {
        play(all, 0, settings.rounds(), turn);
    }

    /** The same from one round to another. Who takes very long for a turn that counts has no other. */
    public <T> void play(List<T> all, int firstRound, int lastRound, Turn<T> turn) throws Exception {
        List<T> playing = new ArrayList<>(all);
        for (int round = firstRound; round <= lastRound; round++) {
            List<T> order = new ArrayList<>(playing);
            Collections.rotate(order, -round);
            for (T who : order) {
                servers.sweep();
                long start = System.nanoTime();
                turn.take(who, round);
                if (round > 0 && System.nanoTime() - start > LONG_TURN_NANOS) {
                    playing.remove(who);
                }
            }
        }
    }

    /** Fewer rounds than others have, for what takes long each time. */
    public int rounds(int most) {
        return Math.min(settings.rounds(), most);
    }

    /** How long a turn of this round lasts, in seconds. */
    public double seconds(int round) {
        return seconds(round, 1);
    }

    /** The same if a turn that counts lasts so many times as long as others do. */
    public double seconds(int round, double times) {
        return round == 0 ? settings.warmUp() : times * settings.seconds();
    }

    /** For workers that have done much the same before. */
    public World warm() {
        return new World(settings.warm(), servers, starter, figures, directory);
    }

    /** For what is done so few times a second that it takes longer until all of it is compiled. */
    public World slow() {
        return new World(settings.slow(), servers, starter, figures, directory);
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

    /** A new file for what the lock protects, so that a process that died in it harms nobody. */
    public Path room() {
        return directory.resolve("room-" + ROOMS.incrementAndGet());
    }

    /** Prints what was measured under this setting, medians with the smallest and the largest. */
    public void show(String scenario, String setting) {
        System.out.println(SettingTable.text(figures, scenario, setting));
    }
}
