package dev.holdfast.torture.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A summary of one client's waits with this many waiters, over all rounds.
 *
 * @param times all waits
 * @param allServedMillis the longest wait of a round, as the mean of the rounds
 */
record WaitSummary(MeasuredClient.Kind client, int waiters, Times times, double allServedMillis) {

    /**
     * Returns the summaries by client and number of waiters, in that order, without combinations that were not
     * measured.
     */
    static List<WaitSummary> of(List<Waiters.Wait> waits) {
        List<WaitSummary> summaries = new ArrayList<>();
        for (MeasuredClient.Kind client : MeasuredClient.Kind.values()) {
            waits.stream().map(Waiters.Wait::waiters).distinct().sorted().forEach(count -> {
                List<Waiters.Wait> chosen = waits.stream()
                        .filter(wait -> wait.client() == client && wait.waiters() == count)
                        .toList();
                if (!chosen.isEmpty()) {
                    Times times = new Times(millis(chosen.stream()));
                    summaries.add(new WaitSummary(client, count, times, allServedMillis(chosen)));
                }
            });
        }
        return summaries;
    }

    private static double allServedMillis(List<Waiters.Wait> waits) {
        return waits.stream().collect(Collectors.groupingBy(Waiters.Wait::round)).values().stream()
                .mapToDouble(round -> new Times(millis(round.stream())).longest())
                .average()
                .orElseThrow();
    }

    private static List<Double> millis(Stream<Waiters.Wait> waits) {
        return waits.map(Waiters.Wait::millis).toList();
    }
}
