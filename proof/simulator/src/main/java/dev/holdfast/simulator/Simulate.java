package dev.holdfast.simulator;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The simulator on the command line, as {@code make sim} calls it. It plays all scenarios, or one, for some time. Alternatively, it
 * plays a single schedule and prints the trace.
 *
 * <p>Settings have the form {@code NAME=value}. {@code SCENARIO} is a name, and {@code SEED} is the first seed (default 0). {@code TIME} is
 * the number of seconds for the whole run, of which all scenarios get equal shares (default: 30 for each scenario). {@code SCHEDULES} is a
 * number of schedules for each scenario instead of a time. {@code TRACE=1} prints one schedule in full. The program ends with status 1 if a
 * promise was broken, and with 2 if a setting is wrong.
 */
public final class Simulate {

    /** The seconds that each scenario gets if no time is given. */
    private static final long SECONDS_EACH = 30;

    private static final List<String> SETTINGS = List.of("SCENARIO", "SEED", "TIME", "SCHEDULES", "TRACE");

    private final Map<String, String> settings;
    private final PrintStream out;

    private Simulate(Map<String, String> settings, PrintStream out) {
        this.settings = settings;
        this.out = out;
    }

    public static void main(String[] settings) {
        System.exit(run(List.of(settings), System.out, System.err));
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            return new Simulate(parsed(arguments), out).run();
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            return 2;
        }
    }

    private static Map<String, String> parsed(List<String> arguments) {
        Map<String, String> settings = new TreeMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals < 0 || !SETTINGS.contains(argument.substring(0, equals))) {
                throw new IllegalArgumentException(
                        "setting '" + argument + "' is not NAME=value with a name of " + SETTINGS);
            }
            if (equals + 1 < argument.length()) {
                settings.put(argument.substring(0, equals), argument.substring(equals + 1));
            }
        }
        return settings;
    }

    private int run() {
        List<Scenario> scenarios =
                settings.containsKey("SCENARIO") ? List.of(Scenarios.named(settings.get("SCENARIO"))) : Scenarios.all();
        if (settings.containsKey("TRACE")) {
            return trace(scenarios.get(0));
        }
        long nanos = TimeUnit.SECONDS.toNanos(number("TIME", SECONDS_EACH * scenarios.size(), 1)) / scenarios.size();
        long acquisitions = 0;
        boolean kept = true;
        for (Scenario scenario : scenarios) {
            Campaign campaign = play(scenario, nanos);
            out.println(campaign.report());
            acquisitions += campaign.count(Count.ACQUISITIONS);
            kept &= campaign.violation() == null;
        }
        out.println(acquisitions + " acquisitions, " + (kept ? "every promise kept" : "A PROMISE WAS BROKEN"));
        return kept ? 0 : 1;
    }

    private Campaign play(Scenario scenario, long nanos) {
        Campaign campaign = new Campaign(scenario, number("SEED", 0, Long.MIN_VALUE));
        int threads = Runtime.getRuntime().availableProcessors();
        return settings.containsKey("SCHEDULES")
                ? campaign.play(number("SCHEDULES", 1, 1), threads)
                : campaign.playFor(nanos, threads);
    }

    private int trace(Scenario scenario) {
        StringBuilder text = new StringBuilder();
        try (Bugs bugs = new Bugs()) {
            Outcome outcome = bugs.watch(new Schedule(scenario, number("SEED", 0, Long.MIN_VALUE), text));
            out.print(text);
            out.println(outcome.violations().isEmpty() ? "every promise kept" : outcome.violations());
            out.println("trace " + Long.toHexString(outcome.traceHash()) + ", " + outcome.counts());
            return outcome.violations().isEmpty() ? 0 : 1;
        }
    }

    private long number(String name, long otherwise, long least) {
        String text = settings.get(name);
        try {
            long number = text == null ? otherwise : Long.parseLong(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is '" + text + "', but must be a whole number", e);
        }
        throw new IllegalArgumentException(name + " is " + text + ", but must be at least " + least);
    }
}
