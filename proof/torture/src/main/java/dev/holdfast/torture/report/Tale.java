package dev.holdfast.torture.report;

import dev.holdfast.testkit.history.AttemptId;
import dev.holdfast.testkit.history.Event;
import dev.holdfast.testkit.history.Finding;
import dev.holdfast.testkit.history.Finding.Kind;
import dev.holdfast.testkit.history.HistoryChecker;
import dev.holdfast.testkit.history.HistoryReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * The result of one algorithm in one phase.
 *
 * @param report the checker's report
 * @param got each acquisition: its time and the wait before it
 * @param refused the times at which the guarded row rejected a former holder
 */
public record Tale(HistoryReport report, List<Acquired> got, List<Long> refused) {

    /** The time of an acquisition, and the wait before it. */
    public record Acquired(long nanos, long waitNanos) {}

    /** The part of the result within some span of time. */
    public record Part(
            long acquisitions,
            long doubleHolders,
            long staleUnguarded,
            long staleGuarded,
            long refused,
            long lostUpdates,
            long longestWaitNanos) {}

    public Tale {
        got = List.copyOf(got);
        refused = List.copyOf(refused);
    }

    /** Checks these events. */
    public static Tale of(List<Event> events, Duration longestFree) {
        Map<AttemptId, Long> asked = new HashMap<>();
        List<Acquired> got = new ArrayList<>();
        List<Long> refused = new ArrayList<>();
        for (Event event : events) {
            if (event instanceof Event.Asked is) {
                asked.put(is.who(), is.nanos());
            } else if (event instanceof Event.Got is) {
                got.add(new Acquired(is.nanos(), is.nanos() - asked.getOrDefault(is.who(), is.nanos())));
            } else if (event instanceof Event.Refused is) {
                refused.add(is.nanos());
            }
        }
        return new Tale(HistoryChecker.check(events, longestFree), got, refused);
    }

    /** Returns the whole result. */
    public Part whole() {
        return during(nanos -> true);
    }

    /** Returns the part of the result at these times. */
    public Part during(LongPredicate when) {
        List<Acquired> inTime =
                got.stream().filter(one -> when.test(one.nanos())).toList();
        return new Part(
                inTime.size(),
                count(Kind.DOUBLE_HOLDER, when),
                count(Kind.STALE_WRITE, when),
                count(Kind.STALE_AT_GUARD, when),
                refused.stream().filter(when::test).count(),
                count(Kind.LOST_UPDATE, when),
                inTime.stream().mapToLong(Acquired::waitNanos).max().orElse(0));
    }

    private long count(Kind kind, LongPredicate when) {
        return report.findings(kind).stream()
                .filter(finding -> when.test(finding.nanos()))
                .mapToLong(Finding::weight)
                .sum();
    }
}
