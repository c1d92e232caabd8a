package dev.holdfast.internal.report;

import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Reports how a waiting attempt is doing, from the latest reports of the nodes. Accessed only on the attempt's serial executor. */
final class WaitReporter {

    private final Consumer<Waiting> observer;

    WaitReporter(Consumer<Waiting> observer) {
        this.observer = observer;
    }

    /** Reports the latest answers of the nodes; the position is the one that a majority gives. */
    void report(String lock, int majority, Duration waited, List<NodeReport> reports, String owner) {
        int[] places = reports.stream()
                .filter(report -> report.kind() == NodeReport.Kind.QUEUED)
                .mapToInt(NodeReport::place)
                .sorted()
                .toArray();
        int place = places.length == 0 ? 0 : places[Math.min(places.length, majority) - 1];
        String holder = reports.stream()
                .map(NodeReport::detail)
                .filter(detail -> detail.startsWith("behind ") || detail.startsWith("by "))
                .map(detail -> detail.substring(detail.indexOf(' ') + 1))
                .findFirst()
                .orElse("");
        observer.accept(new Waiting(lock, place, holder, waited, reports, owner));
    }
}
