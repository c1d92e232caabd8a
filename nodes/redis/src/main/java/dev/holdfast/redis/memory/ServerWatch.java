package dev.holdfast.redis.memory;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.node.ClockWatch;
import dev.holdfast.node.Epoch;
import dev.holdfast.node.ServerMemory;
import dev.holdfast.redis.connection.Link;
import dev.holdfast.redis.connection.ServerProblem;
import dev.holdfast.redis.script.LuaScript;
import dev.holdfast.redis.script.Reply;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A watch over a server's clock and state on one connection while leases or attempts are alive (PROTOCOL §5). It looks ten times within the
 * smallest ttl in use, and not at all when idle. Thread-safe.
 *
 * <p>One look is one round trip. When a request ends an idle period, the watch looks before the client sends that request. So the answer to
 * the look arrives before the vote of the request could count.
 */
public final class ServerWatch {

    private static final System.Logger LOG = System.getLogger(ServerWatch.class.getName());
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long SHORTEST_INTERVAL_MILLIS = 20;
    private static final long LONGEST_INTERVAL_MILLIS = 10_000;
    private static final int LOOKS_PER_TTL = 10;

    /** The watch lasts longer than it must, by the ttl divided by this number. Requests within that time need not extend the watch. */
    private static final int SLACK_PER_TTL = 8;

    /** The smallest notable change: smaller changes arise from reading the time on two clocks. */
    private static final long NOTABLE_MILLIS = 100;

    private final String name;
    private final Link link;
    private final Timing timing;
    private final ServerMemory memory;
    private final Listener listener;
    private final ClockWatch clock;
    private final AtomicBoolean complained = new AtomicBoolean();

    /** The watch's connection to the other nodes and to the client. */
    public interface Listener {

        /** Returns whether the server's clock stepped and not this client's, as the other nodes show (see {@code NodeListener.clockStepped}). */
        CompletionStage<Boolean> isOwn(long micros, Moment since);

        /** Handles that the server has just turned out to have lost votes, or to be clean after all. */
        void quarantineChanged();
    }

    /** The time until which requests with the same ttl change nothing in this watch. */
    private record Settled(long ttlMillis, long untilNanos) {}

    private volatile Settled settled = new Settled(0, 0);
    private @Nullable Timer next;
    private boolean stopped;
    private long aliveUntilNanos;
    private long smallestTtlMillis = Long.MAX_VALUE;
    private long smallestTtlUntilNanos;

    /**
     * Creates a watch that does not look yet.
     *
     * @param before the watch over the previous connection to the same run of the server; this watch takes over its readings and times
     */
    public ServerWatch(
            @Nullable ServerWatch before,
            String name,
            Link link,
            Timing timing,
            ServerMemory memory,
            Listener listener) {
        this.name = name;
        this.link = link;
        this.timing = timing;
        this.memory = memory;
        this.listener = listener;
        if (before == null) {
            long now = timing.ticker().nanos();
            this.clock = new ClockWatch();
            this.aliveUntilNanos = now;
            this.smallestTtlUntilNanos = now;
            return;
        }
        this.clock = before.clock;
        synchronized (before) {
            this.aliveUntilNanos = before.aliveUntilNanos;
            this.smallestTtlMillis = before.smallestTtlMillis;
            this.smallestTtlUntilNanos = before.smallestTtlUntilNanos;
        }
    }

    /** Keeps the watch alive for a vote of this ttl that the caller is about to request. */
    public void keepWatchFor(long ttlMillis) {
        Settled known = settled;
        if (known.ttlMillis == ttlMillis && timing.ticker().nanos() - known.untilNanos < 0) {
            return; // nearly always
        }
        if (!memory.isWatched()) {
            return;
        }
        synchronized (this) {
            long now = timing.ticker().nanos();
            long ttlNanos = Math.min(ttlMillis, Long.MAX_VALUE / NANOS_PER_MILLI / 4) * NANOS_PER_MILLI;
            long slack = ttlNanos / SLACK_PER_TTL;
            long until = now + ttlNanos + slack;
            boolean idle = aliveUntilNanos - now < 0;
            aliveUntilNanos = until - aliveUntilNanos > 0 ? until : aliveUntilNanos;
            boolean sooner = ttlMillis < smallestTtlMillis;
            if (ttlMillis <= smallestTtlMillis || smallestTtlUntilNanos - now < 0) {
                smallestTtlMillis = ttlMillis;
                smallestTtlUntilNanos = now + 2 * (until - now);
            }
            if (next != null && sooner) { // this timer was set for a longer ttl
                next.cancel();
                next = timing.scheduler().schedule(intervalMillis() * NANOS_PER_MILLI, this::tick);
            }
            if (next == null && !stopped) {
                if (idle) {
                    clock.startAgain();
                }
                // A node answers for a step only by a reading from before it, so the first two follow each other at
                // once.
                lookAndGoOn(idle ? SHORTEST_INTERVAL_MILLIS : intervalMillis());
            }
            settled = new Settled(ttlMillis, now + slack); // after the look, which other requests must not overtake
        }
    }

    /** Continues where the watch over the previous connection had to stop. */
    public synchronized void goOn() {
        if (next == null
                && !stopped
                && memory.isWatched()
                && aliveUntilNanos - timing.ticker().nanos() > 0) {
            lookAndGoOn(intervalMillis());
        }
    }

    private void lookAndGoOn(long delayMillis) {
        next = timing.scheduler().schedule(delayMillis * NANOS_PER_MILLI, this::tick);
        look();
    }

    private synchronized void tick() {
        next = null;
        if (!stopped && aliveUntilNanos - timing.ticker().nanos() > 0) {
            lookAndGoOn(intervalMillis());
        }
    }

    private long intervalMillis() {
        return Math.min(Math.max(smallestTtlMillis / LOOKS_PER_TTL, SHORTEST_INTERVAL_MILLIS), LONGEST_INTERVAL_MILLIS);
    }

    public synchronized void stop() {
        stopped = true;
        if (next != null) {
            next.cancel();
        }
    }

    /** Looks once. The stage completes normally when the watch has drawn all conclusions from the look. */
    public CompletionStage<Void> look() {
        return readingOf("", "").thenCompose(this::concluded).exceptionally(this::complain);
    }

    private CompletionStage<Void> concluded(Reading reading) {
        return compared(reading)
                .map(step -> listener.isOwn(step.micros(), step.since())
                        .whenComplete((own, thrown) -> clock.judged(thrown == null && own))
                        .thenAccept(own -> stepped(reading, step.micros(), own)))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /**
     * Looks once, because another server's clock seems to have stepped. The other server's watch calls this method, and decides. The answer is empty if
     * the server does not answer, or if there is no reading from before that moment.
     *
     * @param since a moment before the step in question
     * @return the most by which this server's clock can have gone ahead of this client's since that moment, in microseconds
     */
    public CompletionStage<OptionalLong> clockGainMicros(Moment since) {
        return readingOf("", "")
                .thenApply(reading -> clock.mostGainSince(since, reading.sent, reading.received, reading.serverMicros))
                .exceptionally(thrown -> OptionalLong.empty());
    }

    private @Nullable Void complain(Throwable thrown) {
        if (ServerProblem.isAnswer(thrown) && complained.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "{0}: the clock and the state of the server can''t be watched: {1}",
                    name,
                    ServerProblem.of(thrown).reason());
        }
        return null;
    }

    /** The result of one look: the server's clock, at some time between the question and the answer. */
    private record Reading(Moment sent, Moment received, long serverMicros) {

        long serverMillis() {
            return serverMicros / 1000;
        }
    }

    private CompletionStage<Reading> readingOf(String write, String insteadOf) {
        Moment sent = timing.now();
        String life = Long.toString(memory.epochLifeMillis());
        return link.eval(LuaScript.WATCH, new String[] {Epoch.KEY}, life, write, insteadOf)
                .thenCompose(answer -> seen(new Reply(answer), sent));
    }

    private CompletionStage<Reading> seen(Reply reply, Moment sent) {
        Reading reading = new Reading(sent, timing.now(), reply.number(0) * 1_000_000 + reply.number(1));
        long before = memory.remainingMillis();
        Optional<ServerMemory.Write> write = memory.seen(reply.text(3), reading.serverMillis(), sent.nanos());
        notifyOfChange(before, "may have lost state: the key " + Epoch.KEY + " is missing, or says so");
        return write.map(next -> readingOf(next.value(), next.insteadOf()).thenApply(written -> reading))
                .orElseGet(() -> CompletableFuture.completedFuture(reading));
    }

    private void stepped(Reading reading, long micros, boolean own) {
        if (own) {
            long before = memory.remainingMillis();
            memory.clockStepped(reading.serverMillis());
            notifyOfChange(before, "had its clock set by " + micros / 1000 + " ms or more");
        }
    }

    private void notifyOfChange(long before, String why) {
        long after = memory.remainingMillis();
        boolean lost = after - before > NOTABLE_MILLIS;
        if (lost) {
            LOG.log(
                    Level.WARNING,
                    "{0} {1}; its votes do not count for up to {2}",
                    name,
                    why,
                    DurationText.of(Duration.ofMillis(after)));
        }
        if (lost || (after == 0 && before > 0)) {
            listener.quarantineChanged();
        }
    }

    private synchronized Optional<ClockWatch.Step> compared(Reading reading) {
        long allowance = ClockWatch.allowanceMicros(smallestTtlMillis == Long.MAX_VALUE ? 0 : smallestTtlMillis);
        return clock.compare(reading.sent, reading.received, reading.serverMicros, allowance);
    }
}
