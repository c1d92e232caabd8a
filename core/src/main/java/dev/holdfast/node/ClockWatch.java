package dev.holdfast.node;

import dev.holdfast.time.Moment;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A detector of steps of a server's clock (PROTOCOL §5), for every kind of node that watches its server. It is thread-safe.
 *
 * <p>The server reads its clock at some time between the question and the answer. So a reading bounds the server's offset from this machine's clocks:
 * from below by the moment of the answer, from above by the moment of the question. A slow answer, or a pause of this process, makes the bounds wide
 * and proves nothing. Only bounds that lie apart show a step. A suspension of this machine counts as time that passed, since {@link Moment} takes the
 * clock that has moved more.
 */
public final class ClockWatch {

    /** The divisor for the share of the time by which slewed clocks may differ. This share is far larger than the error of a quartz. */
    private static final long SLEW_DIVISOR = 1000;

    private static final long MICROS_PER_MILLI_OF_TTL = 10;
    private static final long DRIFT_MICROS = 2_000;

    /** The time within which the client decides which clock stepped. */
    private static final long DECISION_NANOS = 1_000_000_000;

    private @Nullable Reading last;
    private @Nullable Moment first; // when the first of the compared questions was sent
    private long inexactMicros; // the uncertainty of the clock's movement between the last two readings

    private @Nullable Small small;

    /** The reading of this machine's clocks at the last step, put forward by that step. */
    private @Nullable Moment putForward;

    /** The last moment at which the clock went ahead by less than a step. */
    private record Small(Moment moment, long micros) {}

    /** The bounds of the server's clock at the moment of the answer. */
    private record Reading(Moment moment, long leastMicros, long mostMicros) {}

    /**
     * Returns how far the clocks may drift apart between two readings without counting as a step, in microseconds. This is the drift allowance of a
     * lease.
     *
     * @param ttlMillis the smallest ttl in use, in milliseconds
     */
    public static long allowanceMicros(long ttlMillis) {
        return ttlMillis * MICROS_PER_MILLI_OF_TTL + DRIFT_MICROS;
    }

    /**
     * Returns the moment of the last answer. A step that the next reading shows came later, or while that answer was under way.
     *
     * @return null if there is no earlier reading to compare with
     */
    public synchronized @Nullable Moment comparedFrom() {
        return last == null ? null : last.moment;
    }

    /**
     * Returns whether a step of this size since that moment shows in this watch's readings. It does if the first question was sent before the moment,
     * and the uncertainty of the last reading is at most half of the step. Slow answers cause uncertainty, and so does setting this machine's wall
     * clock forward between two readings. A machine that is frozen while the first answer is under way may miss the step.
     */
    public synchronized boolean compares(Moment since, long micros) {
        return first != null && since.nanos() - first.nanos() >= 0 && inexactMicros <= Math.abs(micros) / 2;
    }

    /** Forgets all readings, after a time without readings. */
    public synchronized void forget() {
        last = null;
        first = null;
    }

    /**
     * Adds a reading, and compares it with the earlier ones.
     *
     * @param sent a moment before the question was sent
     * @param received a moment after the answer arrived
     * @param serverMicros the server's clock in its answer, in microseconds
     * @param allowanceMicros how far the clock may be off without counting as a step, in microseconds
     * @return the smallest possible step in microseconds; positive if the clock was set forward, 0 if there was no step
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
     * Returns the movement that this watch saw at the time of another node's step, after a reading that showed no step.
     *
     * <p>A watch that cannot compare may have begun after a freeze of this machine. If the step turns out to be that freeze, the client puts the wall
     * clock forward after this watch's last reading. That correction must not hide a later freeze.
     *
     * @param since a moment before the step
     * @param micros the step, in microseconds
     * @return by how much this server's clock went ahead since that moment, in microseconds; empty if this watch cannot compare
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
     * Returns by how much the clock went ahead since that moment without exceeding the allowance. This movement confirms the step of another node,
     * which showed slightly more of it.
     *
     * @return microseconds, 0 or more
     */
    public synchronized long smallStepMicros(Moment since) {
        Small seen = small;
        return seen == null || seen.moment.nanos() - since.nanos() < 0 ? 0 : seen.micros;
    }

    /**
     * Returns the moment of a reading, corrected after a step. If a step turns out to be a freeze of this machine, the client puts its wall clock
     * forward by that step (see {@code AdjustedTicker}). The step must not count again, or it would hide a later freeze. Until the client has
     * decided, readings still come with the earlier time.
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

    /** Returns the bounds that both readings together allow. They are narrower than those of one reading, above all after a slow answer. */
    private static Reading narrowed(Reading before, Reading now, long elapsed, long elapsedMonotonic) {
        long least = Math.max(now.leastMicros, before.leastMicros + elapsedMonotonic - elapsed / SLEW_DIVISOR);
        long most = Math.min(now.mostMicros, before.mostMicros + elapsed + elapsed / SLEW_DIVISOR);
        return least <= most ? new Reading(now.moment, least, most) : now;
    }
}
