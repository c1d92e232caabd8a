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
 * Waiting for a lock and holding it as observations, and so as spans of a trace: {@code holdfast.wait} and then {@code holdfast.hold}, both children of whatever
 * was observed on the thread that asked. Give it to {@link dev.holdfast.HoldfastBuilder#observer}.
 *
 * <p>Both have {@code mode} and {@code outcome} as keys of low cardinality, and the {@code lock}'s name and the {@code token} as keys of high cardinality, which no metric
 * has. Too few nodes, and a lease that is lost, are errors. Thread-safe.
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
        return new Course(lock, mode, registry.getCurrentObservation());
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

    /** One attempt, and its lease. */
    private final class Course implements LeaseObserver {

        private final String lock;
        private final LockMode mode;
        private final @Nullable Observation parent;
        private final Observation wait;
        private @Nullable Observation hold;

        Course(String lock, LockMode mode, @Nullable Observation parent) {
            this.lock = lock;
            this.mode = mode;
            this.parent = parent;
            this.wait = start("holdfast.wait", "wait for lock", lock, mode, parent);
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
