package dev.holdfast.benchmarks.scenario;

/** A question that several sides answer. */
public interface Scenario {

    /** Returns the name that selects the scenario and identifies it in reports. */
    String name();

    /** Returns its subject, in a sentence for the report. */
    String question();

    /** Measures the sides, and adds the figures to the world's. */
    void run(World world) throws Exception;
}
