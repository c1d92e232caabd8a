package dev.holdfast.micrometer;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Refusal;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.observe.LeaseEnd;
import dev.holdfast.observe.LeaseObserver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client observer that records waits for a lock and lease holds as observations, and so as spans of a trace: first {@code holdfast.wait}, then
 * {@code holdfast.hold}. Both are children of the observation that is current on the calling thread. A leadership is a hold without a wait. Pass it to {@link
 * dev.holdfast.HoldfastBuilder#observer}.
 *
 * <p>Both observations have the low-cardinality keys {@code mode} and {@code outcome}, and the high-cardinality keys {@code lock} (the lock's name)
 * and {@code token}, which no metric has. A missing quorum and a lost lease are errors. Thread-safe.
 */
public final class HoldfastObservations implements ClientObserver {

    private final ObservationRegistry registry;

    public HoldfastObservations(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public LeaseObserver attempt(String lock, LockMode mode) {
        if (registry.isNoop()) {
            return LeaseObserver.NONE;
        }
        Observation parent = registry.getCurrentObservation();
        return new Course(lock, mode, parent, start("holdfast.wait", "wait for lock", lock, mode, parent));
    }

    /** Observes the leadership as a hold. A candidate that stands by while another one leads is not observed, since that may take days. */
    @Override
    public LeaseObserver candidacy(String lock, LockMode mode) {
        return registry.isNoop() ? LeaseObserver.NONE : new Course(lock, mode, null, Observation.NOOP);
    }

    private Observation start(
            String name, String contextualName, String lock, LockMode mode, @Nullable Observation parent) {
        return Observation.createNotStarted(name, registry)
                .contextualName(contextualName)
                .parentObservation(parent)
                .lowCardinalityKeyValue("mode", mode.name())
                .lowCardinalityKeyValue("outcome", "open")
                .highCardinalityKeyValue("lock", lock)
                .start();
    }

    /** The observations of one attempt and its lease. */
    private final class Course implements LeaseObserver {

        private final String lock;
        private final LockMode mode;
        private final @Nullable Observation parent;
        private final Observation wait;
        private @Nullable Observation hold;

        Course(String lock, LockMode mode, @Nullable Observation parent, Observation wait) {
            this.lock = lock;
            this.mode = mode;
            this.parent = parent;
            this.wait = wait;
        }

        @Override
        public void granted(Lease lease, Duration waited) {
            String token = Long.toString(lease.fencingToken());
            wait.highCardinalityKeyValue("token", token);
            stop(wait, "acquired");
            hold = start("holdfast.hold", "hold lock", lock, mode, parent).highCardinalityKeyValue("token", token);
        }

        @Override
        public void refused(Refusal refusal) {
            if (refusal.reason() == Refusal.Reason.NO_QUORUM) {
                wait.error(refusal.exception());
            }
            stop(wait, LockMeters.text(refusal.reason()));
        }

        @Override
        public void ended(LeaseEnd end) {
            Observation held = hold;
            if (held == null) {
                return;
            }
            if (end.how() == LeaseEnd.How.LOST) {
                held.error(new LeaseLostException("lease of '" + lock + "' lost"));
            }
            stop(held, LockMeters.text(end.how()));
        }

        private static void stop(Observation observation, String outcome) {
            observation.lowCardinalityKeyValue("outcome", outcome).stop();
        }
    }
}
