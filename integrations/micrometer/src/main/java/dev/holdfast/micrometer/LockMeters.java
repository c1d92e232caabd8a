package dev.holdfast.micrometer;

import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.Refusal;
import dev.holdfast.observe.LeaseEnd;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The meters of locks.
 *
 * <ul>
 *   <li>{@code holdfast.lock.acquire}, a timer: attempts, by {@code mode} and {@code outcome}: {@code acquired}, or the reason of the refusal
 *   <li>{@code holdfast.lock.hold}, a timer: how long locks were held, by {@code mode} and {@code outcome}: {@code released}, {@code sealed}, {@code
 *       lost}, {@code kept}
 *   <li>{@code holdfast.lock.held}, {@code holdfast.lock.waiting}, gauges: leases that are held, attempts in progress, except those of candidates
 *       that stand by
 *   <li>{@code holdfast.lock.lost}, a counter by {@code reason}
 *   <li>{@code holdfast.lock.renewal}, a timer: extensions, by {@code outcome}
 *   <li>{@code holdfast.lock.remaining}, a timer: the validity that a lease had left when it was released
 * </ul>
 *
 * <p>The modes EX and PR have a series for each outcome from the start, the other modes from their first use.
 */
final class LockMeters {

    private static final String ACQUIRED = "acquired";

    private final MeterRegistry registry;
    private final Tags tags;
    final AtomicInteger waiting = new AtomicInteger();
    final AtomicInteger held = new AtomicInteger();
    final Timer remaining;
    private final PerValue<Loss.Reason, Counter> lost;
    private final PerValue<ExtendOutcome, Timer> renewals;
    private final Map<LockMode, InMode> modes = new ConcurrentHashMap<>();

    LockMeters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
        gauge("holdfast.lock.waiting", "Attempts to acquire a lock that are in progress", waiting);
        gauge("holdfast.lock.held", "Leases that are held", held);
        remaining = timer("holdfast.lock.remaining", "The validity that a lease had left when it was released", tags);
        lost = new PerValue<>(
                Loss.Reason.class,
                reason -> Counter.builder("holdfast.lock.lost")
                        .description("Leases that were lost")
                        .tags(tags.and("reason", text(reason)))
                        .register(registry));
        renewals = new PerValue<>(
                ExtendOutcome.class,
                outcome -> timer("holdfast.lock.renewal", "Extensions of leases", tags.and("outcome", text(outcome))));
        in(LockMode.EX);
        in(LockMode.PR);
    }

    /** Returns the tag value for an enum constant: {@code no-quorum} for NO_QUORUM. */
    static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private void gauge(String name, String description, AtomicInteger value) {
        Gauge.builder(name, value, AtomicInteger::get)
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private Timer timer(String name, String description, Tags all) {
        return Timer.builder(name).description(description).tags(all).register(registry);
    }

    private InMode in(LockMode mode) {
        InMode known = modes.get(mode);
        return known != null ? known : modes.computeIfAbsent(mode, InMode::new);
    }

    Timer acquired(LockMode mode) {
        return in(mode).acquired;
    }

    Timer refused(LockMode mode, Refusal.Reason reason) {
        return in(mode).refused.of(reason);
    }

    /** Records the end of a lease. */
    void ended(LockMode mode, LeaseEnd end) {
        held.decrementAndGet();
        in(mode).holds.of(end.how()).record(end.held());
        if (end.how() != LeaseEnd.How.LOST) {
            remaining.record(end.remaining());
        }
    }

    Counter lost(Loss.Reason reason) {
        return lost.of(reason);
    }

    Timer renewal(ExtendOutcome outcome) {
        return renewals.of(outcome);
    }

    /** The timers of one mode. */
    private final class InMode {

        final Timer acquired;
        final PerValue<Refusal.Reason, Timer> refused;
        final PerValue<LeaseEnd.How, Timer> holds;

        InMode(LockMode mode) {
            Tags inMode = tags.and("mode", mode.name());
            acquired = acquire(inMode, ACQUIRED);
            refused = new PerValue<>(Refusal.Reason.class, reason -> acquire(inMode, text(reason)));
            holds = new PerValue<>(
                    LeaseEnd.How.class,
                    how -> timer("holdfast.lock.hold", "How long locks were held", inMode.and("outcome", text(how))));
        }

        private Timer acquire(Tags inMode, String outcome) {
            return timer("holdfast.lock.acquire", "Attempts to acquire a lock", inMode.and("outcome", outcome));
        }
    }
}
