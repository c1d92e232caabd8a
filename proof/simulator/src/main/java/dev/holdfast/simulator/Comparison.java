package dev.holdfast.simulator;

import dev.holdfast.simulator.Scenario.Clocks;
import dev.holdfast.simulator.Scenario.HandOver;
import dev.holdfast.simulator.Scenario.Kind;
import dev.holdfast.simulator.Scenario.Load;
import dev.holdfast.simulator.Scenario.Network;
import java.io.PrintStream;
import java.util.List;

/**
 * A comparison of Redlock, as the Redis documentation describes it, with Holdfast, fault by fault, on the same machines and network. Prints
 * the table of {@code docs/explanation/guarantees.md}. {@code make compare} calls it.
 */
public final class Comparison {

    private static final int DEFAULT_SCHEDULES = 1_000;

    /** A row of the table. */
    private enum Row {
        NOTHING("nothing goes wrong", List.of()),
        PAUSE("a holder pauses between its check of the lease and its write", List.of(Fault.HOLDER_PAUSES)),
        PAUSES("clients pause anywhere", List.of(Fault.CLIENT_PAUSES)),
        SLEEP("clients' machines are suspended", List.of(Fault.CLIENT_SLEEPS)),
        DEATH("clients die", List.of(Fault.CLIENT_DIES)),
        FORGET("nodes restart without their data", List.of(Fault.CRASH_AND_FORGET)),
        RESTART("nodes restart with their data", List.of(Fault.CRASH)),
        STALL("nodes stop responding", List.of(Fault.NODE_STALLS)),
        PARTITION(
                "partitions, both ways and one way",
                List.of(
                        Fault.PARTITION,
                        Fault.REQUESTS_HELD,
                        Fault.ANSWERS_HELD,
                        Fault.NODE_CUT_OFF,
                        Fault.CLIENT_CUT_OFF)),
        BREAK("connections break, requests arrive late", List.of(Fault.BREAK, Fault.GHOST)),
        STORM("all of these", Fault.SURVIVED),
        FLUSH("`FLUSHALL` on nodes", List.of(Fault.FLUSH)),
        NODE_CLOCK("a node's clock is set forward", List.of(Fault.NODE_CLOCK_FORWARD)),
        CLOCKS("all nodes' clocks are set forward", List.of(Fault.ALL_CLOCKS_FORWARD));

        private final String title;

        @SuppressWarnings("ImmutableEnumChecker") // made by List.of
        private final List<Fault> faults;

        Row(String title, List<Fault> faults) {
            this.title = title;
            this.faults = faults;
        }
    }

    private Comparison() {}

    public static void main(String[] arguments) {
        int schedules =
                arguments.length == 0 || arguments[0].isEmpty() ? DEFAULT_SCHEDULES : Integer.parseInt(arguments[0]);
        print(schedules, System.out);
    }

    static void print(int schedules, PrintStream out) {
        out.println("| fault | acquisitions: textbook / Holdfast | double holders: textbook | Holdfast"
                + " | stale writes: textbook | Holdfast, token not checked | Holdfast, token checked |");
        out.println("|---|---|---|---|---|---|---|");
        for (Row row : Row.values()) {
            Campaign textbook = played(scenario(Kind.TEXTBOOK, row.faults), schedules);
            Campaign holdfast = played(scenario(Kind.HOLDFAST, row.faults), schedules);
            out.printf(
                    "| %s | %,d / %,d | %,d | %,d | %,d | %,d | %,d |%n",
                    row.title,
                    textbook.count(Count.ACQUISITIONS),
                    holdfast.count(Count.ACQUISITIONS),
                    textbook.count(Count.DOUBLE_HOLDERS),
                    holdfast.count(Count.DOUBLE_HOLDERS),
                    textbook.count(Count.STALE_WRITES),
                    holdfast.count(Count.STALE_WRITES),
                    holdfast.count(Count.STALE_WRITES_PAST_THE_TOKEN));
        }
    }

    private static Campaign played(Scenario scenario, int schedules) {
        return new Campaign(scenario, 0).play(schedules, Runtime.getRuntime().availableProcessors());
    }

    static Scenario textbook(Fault fault) {
        return scenario(Kind.TEXTBOOK, List.of(fault));
    }

    /** Returns a scenario without promises, which only counts events. */
    private static Scenario scenario(Kind kind, List<Fault> faults) {
        return new Scenario(
                "comparison",
                5,
                new Load(4, 1, 1, 0, List.of(500, 1_000), 300, 0.8, 0.1, 200, 0.2, HandOver.NEVER, kind),
                new Network(0.02, 200, 0, 0.02, 0.02, 0),
                new Clocks(500, 50, 50),
                faults,
                200,
                10_000,
                List.of());
    }
}
