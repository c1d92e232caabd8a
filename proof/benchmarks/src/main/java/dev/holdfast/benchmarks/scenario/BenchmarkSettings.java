package dev.holdfast.benchmarks.scenario;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a run.
 *
 * @param scenarios the prefixes of the scenarios' names; empty for all that measure the lock itself
 * @param cases parts of the settings to measure, such as {@code N = 1, 8}; empty for all
 * @param sides parts of the names of the sides to measure; empty for all
 * @param size the size of the run
 * @param rounds the number of turns of each side
 * @param seconds how long a turn counts
 * @param warmUp how long a side may warm up before its first round, in seconds
 * @param directory the directory of the report
 * @param kept the directory of an earlier report from which scenarios that this run does not measure are taken;
 *     {@code null} to report only this run
 */
public record BenchmarkSettings(
        List<String> scenarios,
        List<String> cases,
        List<String> sides,
        Size size,
        int rounds,
        double seconds,
        double warmUp,
        Path directory,
        @Nullable Path kept) {

    /** Scenarios that do not measure the lock itself: an earlier result is kept unless they are named. */
    private static final List<String> ONLY_IF_NAMED = List.of(LockServers.NAME, PostgresLocks.NAME, StrictCluster.NAME);

    private static final List<String> NAMES =
            List.of("SCENARIO", "CASE", "SIDE", "SIZE", "ROUNDS", "SECONDS", "WARMUP", "TO", "KEEP");

    /** With any of these, a run is not the one that the docs show. */
    private static final List<String> PARTS = List.of("SCENARIO", "CASE", "SIDE", "SIZE");

    /** The sides of a scenario are compared within one run, so a scenario is measured whole or kept whole. */
    private static final List<String> PARTS_OF_SCENARIOS = List.of("CASE", "SIDE", "SIZE");

    /** Reads {@code NAME=value} arguments. By default, the report of a whole run goes to {@code docs/benchmarks}. */
    public static BenchmarkSettings of(String... arguments) {
        Map<String, String> given = new HashMap<>();
        for (String argument : arguments) {
            String[] pair = argument.split("=", 2);
            if (pair.length != 2 || !NAMES.contains(pair[0])) {
                throw new IllegalArgumentException(argument + " is not one of " + NAMES + " with = and a value");
            }
            given.put(pair[0], pair[1]);
        }
        String kept = given.get("KEEP");
        if (kept != null && PARTS_OF_SCENARIOS.stream().anyMatch(given::containsKey)) {
            throw new IllegalArgumentException(
                    "KEEP is " + kept + ", but goes with whole scenarios only, without any of " + PARTS_OF_SCENARIOS);
        }
        boolean whole = given.keySet().stream().noneMatch(PARTS::contains);
        Path directory = Path.of(given.getOrDefault("TO", whole ? "docs/benchmarks" : "target/benchmarks"));
        if (kept == null && whole && Files.exists(directory.resolve("figures.csv"))) {
            kept = directory.toString();
        }
        return new BenchmarkSettings(
                words(given.getOrDefault("SCENARIO", "")),
                words(given.getOrDefault("CASE", "")),
                words(given.getOrDefault("SIDE", "")),
                Size.of(given.getOrDefault("SIZE", "full")),
                Integer.parseInt(given.getOrDefault("ROUNDS", "5")),
                Double.parseDouble(given.getOrDefault("SECONDS", "0.3")),
                Double.parseDouble(given.getOrDefault("WARMUP", "20")),
                directory,
                kept == null ? null : Path.of(kept));
    }

    /** Splits a text at semicolons, since settings contain commas. */
    private static List<String> words(String text) {
        return Arrays.stream(text.split(";")).filter(word -> !word.isEmpty()).toList();
    }

    /** Returns whether this scenario is selected. */
    public boolean wantsScenario(String name) {
        return scenarios.isEmpty()
                ? !ONLY_IF_NAMED.contains(name)
                : scenarios.stream().anyMatch(name::startsWith);
    }

    /** Returns whether this setting of a scenario is selected. */
    public boolean wantsCase(String setting) {
        return cases.isEmpty() || cases.stream().anyMatch(part -> plain(setting).contains(plain(part)));
    }

    /** Returns whether this side is selected. */
    public boolean wantsSide(String side) {
        return sides.isEmpty() || sides.stream().anyMatch(part -> plain(side).contains(plain(part)));
    }

    private static String plain(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[ _]", "");
    }
}
