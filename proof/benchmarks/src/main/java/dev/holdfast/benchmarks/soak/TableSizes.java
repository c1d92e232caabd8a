package dev.holdfast.benchmarks.soak;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The tables of a node at one moment.
 *
 * @param bytes the size of each table, with its indexes and its map of free space
 * @param pairs how many leases were acquired and released so far
 * @param updates how many updates of a row there were so far
 * @param updatesInPlace how many of them changed no index (HOT)
 * @param dead how many rows no transaction can see any more
 */
record TableSizes(Map<String, Long> bytes, long pairs, long updates, long updatesInPlace, long dead) {

    private static final long KIBI = 1024;

    /** How much a table may be larger in the last third of a run than in the one before. */
    private static final double MOST_GROWTH = 1.1;

    private static final long ALWAYS_ALLOWED = 256 * KIBI;

    /** Returns a line for each table: its median size in the second and in the last third of the run, and whether it has grown. */
    static Map<String, String> verdicts(List<TableSizes> samples) {
        Map<String, String> verdicts = new TreeMap<>();
        for (String table : samples.get(samples.size() - 1).bytes.keySet()) {
            long before = median(samples, table, 1);
            long after = median(samples, table, 2);
            verdicts.put(
                    table,
                    String.format(
                            Locale.ROOT,
                            "%d KiB, then %d KiB: %s",
                            before / KIBI,
                            after / KIBI,
                            isFlat(before, after) ? "flat" : "GROWN"));
        }
        return verdicts;
    }

    /** Returns whether no table has grown. */
    static boolean areFlat(List<TableSizes> samples) {
        return samples.get(samples.size() - 1).bytes.keySet().stream()
                .allMatch(table -> isFlat(median(samples, table, 1), median(samples, table, 2)));
    }

    private static boolean isFlat(long before, long after) {
        return after <= before * MOST_GROWTH + ALWAYS_ALLOWED;
    }

    private static long median(List<TableSizes> samples, String table, int third) {
        int length = samples.size() / 3;
        List<Long> sizes =
                samples.subList(samples.size() - (3 - third) * length, samples.size() - (2 - third) * length).stream()
                        .map(sample -> sample.bytes.getOrDefault(table, 0L))
                        .sorted()
                        .toList();
        return sizes.get(sizes.size() / 2);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(pairs + " pairs, KiB:");
        bytes.forEach(
                (table, size) -> text.append(' ').append(table).append(' ').append(size / KIBI));
        return text + ", dead rows " + dead + ", updates in place "
                + Math.round(100.0 * updatesInPlace / Math.max(updates, 1)) + " %";
    }
}
