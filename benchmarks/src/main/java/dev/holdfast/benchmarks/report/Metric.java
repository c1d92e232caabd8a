package dev.holdfast.benchmarks.report;

/** What is measured. */
public enum Metric {
    PAIRS("pairs", "acquire and release, pairs a second", "/s", 0),
    P50("p50", "acquire, median", "µs", 1),
    P99("p99", "acquire, 99 %", "µs", 1),
    LONGEST("longest", "acquire, longest", "µs", 0),
    SPREAD("spread", "turns of the luckiest thread to those of the unluckiest", "", 2),
    INTRUDERS("intruders", "times that two held it", "", 0);

    /** In files, and in answers of workers. */
    public final String key;

    /** In tables. */
    public final String title;

    /** Of its values. */
    public final String unit;

    /** That tables show. */
    public final int decimals;

    Metric(String key, String title, String unit, int decimals) {
        this.key = key;
        this.title = title;
        this.unit = unit;
        this.decimals = decimals;
    }
}
