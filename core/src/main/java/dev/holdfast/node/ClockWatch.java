package dev.holdfast.node;

import dev.holdfast.time.Moment;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Looks for steps of a server's clock (PROTOCOL §5), for every kind of node that watches its server. Thread-safe.
 *
 * <p>A reading of the server's clock was made some time between sending the question and getting the answer, so it bounds the server's
 * offset from this machine's clocks: from below by the moment of the answer, from above by the moment of the question. A slow
 * answer, or a pause of this process, makes the bounds wide and proves nothing; only bounds that lie apart show a step. This
 * machine's own suspension counts as time that passed, since {@link Moment} takes the clock that has moved more.
 */
public final class ClockWatch {

    /** Clocks that are being slewed differ by up to this share of the time; far more than a quartz is wrong by. */
    private static final long SLEW_DIVISOR = 1000;

    private static final long MICROS_PER_MILLI_OF_TTL = 10;
    private static final long DRIFT_MICROS = 2_000;

    /** Whose step it was is decided within this time. */
    private static final long DECISION_NANOS = 1_000_000_000;

    private @Nullable Reading last;
    private @Nullable Moment first; // when the first question of all that have been compared was sent
    private long inexactMicros; // how far the last reading leaves open what the clock did since the one before

    private @Nullable Small small;

    /** What this machine's clocks read at the last step, put forward by it. */
    private @Nullable Moment putForward;

    /** The last time at which the clock went ahead by less than a step. */
    private record Small(Moment moment, long micros) {}

    /** What was seen at the moment of the answer: the server was at least at one time, and at most at the other. */
    private record Reading(Moment moment, long leastMicros, long mostMicros) {}

    /**
     * How far the clocks may come apart between two looks without being called a step: as much as a lease allows for drift.
     *
     * @param ttlMillis the smallest ttl in use
     */
    public static long allowanceMicros(long ttlMillis) {
        return ttlMillis * MICROS_PER_MILLI_OF_TTL + DRIFT_MICROS;
    }

    /**
     * When the last answer was read: a step that the next reading shows came later, or while that answer was under way.
     *
     * @return null if there is no earlier reading to compare with
     */
    public synchronized @Nullable Moment comparedFrom() {
        return last == null ? null : last.moment;
    }

    /**
     * Whether a step of this size since that moment shows in this watch's readings: the first of them was asked for before it, and the last leaves
     * open less than half of it. A slow answer leaves something open, and so does a wall clock of this machine that was set forward between two
     * readings. A machine that is frozen while the first answer is under way may miss the step.
     */
    public synchronized boolean compares(Moment since, long micros) {
        return first != null && since.nanos() - first.nanos() >= 0 && inexactMicros <= Math.abs(micros) / 2;
    }

    /** Forgets what was seen, after a time in which nobody looked. */
    public synchronized void forget() {
        last = null;
        first = null;
    }

    /**
     * Takes a reading in.
     *
     * @param sent before the question was sent
     * @param received when the answer had come
     * @param serverMicros the server's clock in its answer
     * @param allowanceMicros how far it may be off without being called a step
     * @return the step in microseconds, at least; positive if the clock was set forward, 0 if there was none
     */
    public synchronized long stepMicros(Moment sent, Moment received, long serverMicros, long allowanceMicros) {
        long tookMicros = sent.nanosUntil(received) / 1000;
        inexactMicros = tookMicros;
        Reading now = new Reading(afterStep(received), serverMicros, serverMicros + tookMicros);
        Reading before = last;
        last = now;
        if (before == null) {
            first = sent;
            return 0;
        }
        long elapsed = before.moment.nanosUntil(received) / 1000;
        long elapsedMonotonic = Math.max((received.nanos() - before.moment.nanos()) / 1000, 0);
        inexactMicros += Math.max(elapsed - elapsedMonotonic, 0);
        long allowed = allowanceMicros + elapsed / SLEW_DIVISOR;
        long latest = before.mostMicros + elapsed + allowed;
        long earliest = before.leastMicros + Math.min(elapsed, elapsedMonotonic) - allowed;
        if (now.leastMicros > latest) {
            long step = now.leastMicros - latest + allowed;
            last = putForward(now, step);
            return step;
        }
        if (now.mostMicros < earliest) {
            return now.mostMicros - earliest - allowed;
        }
        last = narrowed(before, now, elapsed, elapsedMonotonic);
        long gap = now.leastMicros - latest + allowanceMicros;
        if (gap > 0) {
            small = new Small(received, gap);
        }
        return 0;
    }

    /**
     * What this watch can say about the step of another node, after a look that showed no step.
     *
     * <p>A watch that can say nothing may have begun after a freeze of this machine. If the step turns out to be that freeze, the wall clock is put
     * forward after this watch's last reading, which then must not hide a freeze that follows.
     *
     * @param since the step came later
     * @param micros the step
     * @return by how much this server's clock went ahead since that moment; empty if this watch can't compare
     */
    public synchronized OptionalLong sawOf(Moment since, long micros) {
        if (compares(since, micros)) {
            return OptionalLong.of(smallStepMicros(since));
        }
        Reading now = last;
        if (now != null && micros > 0) {
            last = putForward(now, micros);
        }
        return OptionalLong.empty();
    }

    private Reading putForward(Reading now, long micros) {
        Moment ahead = new Moment(now.moment.nanos(), now.moment.wallMillis() + micros / 1_000);
        putForward = ahead;
        return new Reading(ahead, now.leastMicros, now.mostMicros);
    }

    /**
     * What the clock went ahead since that moment without stepping by more than was allowed. It confirms the step of another node, which
     * showed a little more of it.
     *
     * @return microseconds, 0 or more
     */
    public synchronized long smallStepMicros(Moment since) {
        Small seen = small;
        return seen == null || seen.moment.nanos() - since.nanos() < 0 ? 0 : seen.micros;
    }

    /**
     * If a step turns out to be a freeze of this machine, its wall clock is put forward by it (see {@code AdjustedTicker}). That must not count
     * once more, or it would hide a freeze that follows. Until it is decided, looks still come with the earlier time.
     */
    private Moment afterStep(Moment received) {
        Moment ahead = putForward;
        if (ahead == null) {
            return received;
        }
        long sinceNanos = received.nanos() - ahead.nanos();
        if (sinceNanos > DECISION_NANOS) {
            putForward = null;
            return received;
        }
        long wallMillis = ahead.wallMillis() + sinceNanos / 1_000_000;
        return new Moment(received.nanos(), Math.max(received.wallMillis(), wallMillis));
    }

    /** What both readings say together is known more exactly than what one says, after a slow answer above all. */
    private static Reading narrowed(Reading before, Reading now, long elapsed, long elapsedMonotonic) {
        long least = Math.max(now.leastMicros, before.leastMicros + elapsedMonotonic - elapsed / SLEW_DIVISOR);
        long most = Math.min(now.mostMicros, before.mostMicros + elapsed + elapsed / SLEW_DIVISOR);
        return least <= most ? new Reading(now.moment, least, most) : now;
    }
}
