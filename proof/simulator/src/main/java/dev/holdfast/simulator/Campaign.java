package dev.holdfast.simulator;

import dev.holdfast.time.Timing;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Many schedules of one scenario, on as many threads as there are cores. A campaign ends at the first violation. Thread-safe. */
public final class Campaign {

    private final Scenario scenario;
    private final long firstSeed;
    private final AtomicLong nextSeed;
    private final Map<Count, Long> counts = new EnumMap<>(Count.class);
    private long schedules;
    private @Nullable Outcome violated;

    /**
     * Creates a campaign that begins with this seed and continues with the seeds after it.
     *
     * @param scenario the scenario of all schedules
     * @param firstSeed any number
     */
    public Campaign(Scenario scenario, long firstSeed) {
        this.scenario = scenario;
        this.firstSeed = firstSeed;
        this.nextSeed = new AtomicLong(firstSeed);
    }

    /** Plays this many schedules, or fewer if one breaks a promise; blocks until they have ended. */
    public Campaign play(long schedules, int threads) {
        return play(threads, () -> nextSeed.get() < firstSeed + schedules);
    }

    /** Plays for this long, or until a schedule breaks a promise; blocks until then. */
    public Campaign playFor(long nanos, int threads) {
        Timing timing = Timing.system("campaign");
        long start = timing.ticker().nanos();
        Campaign played = play(threads, () -> timing.ticker().nanos() - start < nanos);
        timing.scheduler().close();
        return played;
    }

    private Campaign play(int threads, BooleanSupplier goesOn) {
        Timing timing = Timing.system("simulator");
        CountDownLatch done = new CountDownLatch(threads);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        try (Bugs bugs = new Bugs()) {
            for (int thread = 0; thread < threads; thread++) {
                timing.scheduler().execute(() -> {
                    try {
                        while (violation() == null && failure.get() == null && goesOn.getAsBoolean()) {
                            add(bugs.watch(new Schedule(scenario, nextSeed.getAndIncrement(), null)));
                        }
                    } catch (RuntimeException
                            | Error e) { // a bug of the simulator itself, so the schedules prove nothing
                        failure.compareAndSet(null, e);
                    } finally {
                        done.countDown();
                    }
                });
            }
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            timing.scheduler().close();
        }
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new IllegalStateException("a schedule of " + scenario.name() + " can't be played", thrown);
        }
        return this;
    }

    private synchronized void add(Outcome outcome) {
        schedules++;
        outcome.counts().forEach((what, often) -> counts.merge(what, often, Long::sum));
        boolean first = violated == null || outcome.seed() < violated.seed();
        if (!outcome.violations().isEmpty() && first) {
            violated = outcome;
        }
    }

    /** Returns the schedule with the lowest seed that broke a promise, if any did. */
    public synchronized @Nullable Outcome violation() {
        return violated;
    }

    /** Returns how many schedules have been played. */
    public synchronized long schedules() {
        return schedules;
    }

    /** Returns how often an event happened in all schedules. */
    public synchronized long count(Count what) {
        return counts.getOrDefault(what, 0L);
    }

    /** Returns a report of one line, or of two after a violation. The second line replays the schedule that broke the promise. */
    public synchronized String report() {
        Outcome bad = violated;
        List<Violation> violations = bad == null ? List.of() : bad.violations();
        String line = scenario.name() + ": " + schedules + " schedules from seed " + firstSeed + ", " + counts;
        return bad == null ? line : line + "\n  " + violations + "\n  " + bad.replay();
    }
}
