package dev.holdfast.benchmarks.scenario;

/** A question that is put to several sides. */
public interface Scenario {

    /** By which it is chosen, and found in reports. */
    String name();

    /** What it is about, in a sentence for the report. */
    String question();

    /** Measures, and writes figures into the world's. */
    void run(World world) throws Exception;
}
