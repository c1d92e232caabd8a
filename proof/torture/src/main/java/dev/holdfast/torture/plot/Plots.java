package dev.holdfast.torture.plot;

import dev.holdfast.report.Csv;
import dev.holdfast.report.MachineFacts;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** A program that measures, and writes charts, their figures and a description of the machine into a directory. */
public final class Plots {

    private static final int ROUNDS_WITH_NODES_GONE = 200;
    private static final int ROUNDS_OF_WAITERS = 5;

    private final Path directory;

    private Plots(Path directory) {
        this.directory = directory;
    }

    /** Runs the measurements. The one argument is the directory, which is created if it is missing. */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length != 1) {
            throw new IllegalArgumentException("expected one argument: the directory to write to");
        }
        System.setProperty("java.awt.headless", "true");
        new Plots(Files.createDirectories(Path.of(args[0]))).run();
        System.exit(0);
    }

    private void run() throws IOException, InterruptedException {
        String loadBefore = load();
        nodesGone(NodesGone.measure(ROUNDS_WITH_NODES_GONE));
        waiters(Waiters.measure(ROUNDS_OF_WAITERS));
        write(
                "measured-on.txt",
                MachineFacts.brief() + "\nload average " + loadBefore + " before, " + load() + " after\n");
    }

    private void nodesGone(List<NodesGone.Result> results) throws IOException {
        Csv csv = new Csv("client", "nodes", "gone", "attempts", "failed", "median_ms", "p99_ms", "longest_ms");
        for (NodesGone.Result result : results) {
            Times times = result.times();
            String way = result.way().name().toLowerCase(Locale.ROOT);
            int attempts = times.millis().size() + result.failed();
            csv.row(
                    result.client().title,
                    way,
                    result.gone(),
                    attempts,
                    result.failed(),
                    times.median(),
                    times.p99(),
                    times.longest());
        }
        write("nodes-gone.csv", csv.text());
        write("nodes-gone.svg", Charts.nodesGone(results));
    }

    private void waiters(List<Waiters.Wait> waits) throws IOException {
        Csv summary =
                new Csv("client", "waiters", "waits", "mean_ms", "median_ms", "p99_ms", "longest_ms", "all_served_ms");
        List<WaitSummary> summaries = WaitSummary.of(waits);
        for (WaitSummary one : summaries) {
            Times times = one.times();
            summary.row(
                    one.client().title,
                    one.waiters(),
                    times.millis().size(),
                    times.mean(),
                    times.median(),
                    times.p99(),
                    times.longest(),
                    one.allServedMillis());
        }
        write("waiters.csv", summary.text());
        write("waiters.svg", Charts.waiters(summaries));
        places(waits, Collections.max(Waiters.COUNTS));
    }

    private void places(List<Waiters.Wait> waits, int count) throws IOException {
        Csv csv = new Csv("client", "waiters", "round", "place", "wait_ms");
        waits.stream()
                .filter(wait -> wait.waiters() == count)
                .forEach(wait -> csv.row(wait.client().title, count, wait.round(), wait.place(), wait.millis()));
        write("places.csv", csv.text());
        write("places.svg", Charts.places(waits, count));
    }

    private static String load() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load < 0 ? "unknown" : String.format(Locale.ROOT, "%.1f", load);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
        System.out.println(directory.resolve(name));
    }
}
