package dev.holdfast.benchmarks.report;

/**
 * One measured number.
 *
 * @param scenario the scenario's name
 * @param setting the setting, such as {@code N = 1, 8 threads}
 * @param side the measured side
 * @param metric the metric
 * @param round the round, from 1
 * @param value the value in the metric's unit
 */
public record Figure(String scenario, String setting, String side, Metric metric, int round, double value) {}
