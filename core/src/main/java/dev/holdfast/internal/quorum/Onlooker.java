package dev.holdfast.internal.quorum;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Waiting;
import dev.holdfast.time.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows a user's observer how an attempt that waits is doing, on a worker thread: one state after the other, and only the latest one if
 * the observer is slow. Accessed only on the attempt's serial executor.
 */
final class Onlooker {

    private static final System.Logger LOG = System.getLogger(Onlooker.class.getName());

    private final Consumer<Waiting> observer;
    private final Scheduler scheduler;
    private final SerialExecutor executor;
    private @Nullable Waiting latest;
    private boolean busy;
    private volatile boolean over;

    Onlooker(Consumer<Waiting> observer, Scheduler scheduler, SerialExecutor executor) {
        this.observer = observer;
        this.scheduler = scheduler;
        this.executor = executor;
    }

    /** The latest answers of the nodes; the place is the one that a majority gives. */
    void see(String lock, int majority, Duration waited, List<NodeReport> reports, String owner) {
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
        latest = new Waiting(lock, place, holder, waited, reports, owner);
        next();
    }

    /** The wait is over: nothing is shown any more. */
    void leave() {
        over = true;
    }

    private void next() {
        Waiting state = latest;
        if (!busy && state != null) {
            busy = true;
            latest = null;
            scheduler.execute(() -> show(state));
        }
    }

    private void show(Waiting state) {
        try {
            if (!over) {
                observer.accept(state);
            }
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "An observer of an attempt that waits failed", e);
        } finally {
            executor.execute(() -> {
                busy = false;
                next();
            });
        }
    }
}
