package dev.holdfast.benchmarks.report;

/**
 * One number that was measured.
 *
 * @param scenario its name
 * @param setting under which it was measured, such as {@code N = 1, 8 threads}
 * @param side whose it is
 * @param metric what it says
 * @param round in which, from 1
 * @param value in the metric's unit
 */
public record Figure(String scenario, String setting, String side, Metric metric, int round, double value) {}
