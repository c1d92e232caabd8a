package dev.holdfast.redis;

import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Watches a server's clock and memory over one connection while leases or attempts are alive (PROTOCOL §5): ten times in the smallest ttl
 * in use, not at all when idle. Thread-safe.
 *
 * <p>One look is one round trip. The first one after idling is sent before the request that ends the idling, so its answer is there before
 * that request's vote could count.
 */
final class Watch {

    private static final System.Logger LOG = System.getLogger(Watch.class.getName());
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long SHORTEST_INTERVAL_MILLIS = 20;
    private static final long LONGEST_INTERVAL_MILLIS = 10_000;
    private static final int LOOKS_PER_TTL = 10;

    /** It watches for so much of a ttl longer than it must, and need not be asked to for as long. */
    private static final int SLACK_PER_TTL = 8;

    /** Less is the inexactness of telling a time by two clocks. */
    private static final long NOTABLE_MILLIS = 100;

    private final String name;
    private final Link link;
    private final Timing timing;
    private final ServerMemory memory;
    private final Runnable onChange;
    private final ClockWatch clock = new ClockWatch();
    private final AtomicBoolean complained = new AtomicBoolean();

    /** For how long the same ttl changes nothing here. */
    private record Settled(long ttlMillis, long untilNanos) {}

    private volatile Settled settled = new Settled(0, 0);
    private @Nullable Timer next;
    private boolean stopped;
    private long aliveUntilNanos;
    private long smallestTtlMillis = Long.MAX_VALUE;
    private long smallestTtlUntilNanos;

    /**
     * Watches nothing yet.
     *
     * @param onChange called when the server has just turned out to have lost votes, or to be clean after all
     */
    Watch(String name, Link link, Timing timing, ServerMemory memory, Runnable onChange) {
        this.name = name;
        this.link = link;
        this.timing = timing;
        this.memory = memory;
        this.onChange = onChange;
        long now = timing.ticker().nanos();
        this.aliveUntilNanos = now;
        this.smallestTtlUntilNanos = now;
    }

    /** A vote that lasts so long is about to be asked for. */
    void keepWatchFor(long ttlMillis) {
        Settled known = settled;
        if (known.ttlMillis == ttlMillis && timing.ticker().nanos() - known.untilNanos < 0) {
            return; // as nearly always
        }
        if (!memory.isWatched()) {
            return;
        }
        synchronized (this) {
            long now = timing.ticker().nanos();
            long ttlNanos = Math.min(ttlMillis, Long.MAX_VALUE / NANOS_PER_MILLI / 4) * NANOS_PER_MILLI;
            long slack = ttlNanos / SLACK_PER_TTL;
            long until = now + ttlNanos + slack;
            aliveUntilNanos = until - aliveUntilNanos > 0 ? until : aliveUntilNanos;
            boolean sooner = ttlMillis < smallestTtlMillis;
            if (ttlMillis <= smallestTtlMillis || smallestTtlUntilNanos - now < 0) {
                smallestTtlMillis = ttlMillis;
                smallestTtlUntilNanos = now + 2 * (until - now);
            }
            if (next != null && sooner) { // it was set for a longer ttl
                next.cancel();
                next = timing.scheduler().schedule(intervalMillis() * NANOS_PER_MILLI, this::tick);
            }
            if (next == null && !stopped) {
                clock.forget();
                lookAndGoOn();
            }
            settled = new Settled(ttlMillis, now + slack); // after the look, which other requests must not overtake
        }
    }

    private void lookAndGoOn() {
        next = timing.scheduler().schedule(intervalMillis() * NANOS_PER_MILLI, this::tick);
        look();
    }

    private synchronized void tick() {
        next = null;
        if (!stopped && aliveUntilNanos - timing.ticker().nanos() > 0) {
            lookAndGoOn();
        }
    }

    private long intervalMillis() {
        return Math.min(Math.max(smallestTtlMillis / LOOKS_PER_TTL, SHORTEST_INTERVAL_MILLIS), LONGEST_INTERVAL_MILLIS);
    }

    synchronized void stop() {
        stopped = true;
        if (next != null) {
            next.cancel();
        }
    }

    /** Looks once; completes normally when all that follows from it is known. */
    CompletionStage<Void> look() {
        return look("", "").handle((done, thrown) -> {
            if (thrown != null && ServerProblem.isAnswer(thrown) && complained.compareAndSet(false, true)) {
                LOG.log(
                        Level.WARNING,
                        name + ": clock and memory of the server can't be watched: "
                                + ServerProblem.of(thrown).reason());
            }
            return null;
        });
    }

    private CompletionStage<Void> look(String write, String insteadOf) {
        Moment sent = timing.now();
        String life = Long.toString(memory.epochLifeMillis());
        return link.eval(LuaScript.WATCH, new String[] {Epoch.KEY}, life, write, insteadOf)
                .thenCompose(answer -> seen(new Reply(answer), sent));
    }

    private CompletionStage<Void> seen(Reply reply, Moment sent) {
        long serverMicros = reply.number(0) * 1_000_000 + reply.number(1);
        long step = step(sent, serverMicros);
        String value = reply.text(3);
        long before = memory.remainingMillis();
        Optional<ServerMemory.Write> write = step == 0
                ? memory.seen(value, serverMicros / 1000, sent.nanos())
                : memory.lost(value, serverMicros / 1000);
        long after = memory.remainingMillis();
        boolean lost = after - before > NOTABLE_MILLIS;
        if (lost) {
            String why = step == 0
                    ? " may have lost its memory: the key " + Epoch.KEY + " is gone, or says so"
                    : " has had its clock set by " + step / 1000 + " ms or more";
            LOG.log(Level.WARNING, name + why + "; its votes do not count for " + after + " ms");
        }
        if (lost || (after == 0 && before > 0)) {
            onChange.run();
        }
        return write.map(next -> look(next.value(), next.insteadOf()))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private synchronized long step(Moment sent, long serverMicros) {
        long allowance = smallestTtlMillis == Long.MAX_VALUE ? 0 : smallestTtlMillis * 10;
        return clock.stepMicros(sent, timing.now(), serverMicros, allowance + 2_000);
    }
}
