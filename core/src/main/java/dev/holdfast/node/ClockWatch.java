package dev.holdfast.node;

import dev.holdfast.time.Moment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A detector of steps of a server's clock (PROTOCOL §5), for every kind of node that watches its server. It is thread-safe.
 *
 * <p>The server reads its clock at some time between the question and the answer. So a reading bounds the server's offset from this machine's clocks:
 * from below by the moment of the answer, from above by the moment of the question. A slow answer, or a pause of this process, makes the bounds wide
 * and proves nothing. Only bounds that do not overlap show a step. A suspension of this machine counts as time that passed, since {@link Moment}
 * takes the clock that has moved more.
 */
public final class ClockWatch {

    /** The divisor for the share of elapsed time by which slewed clocks may differ. This share is far larger than the error of a quartz clock. */
    private static final long SLEW_DIVISOR = 1000;

    private static final long MICROS_PER_MILLI_OF_TTL = 10;
    private static final long DRIFT_MICROS = 2_000;

    /** The time within which the client decides which clock stepped. */
    private static final long DECISION_NANOS = 1_000_000_000;

    /** The divisor for the share of a step that another node must show to confirm the step. */
    private static final long LEAST_SHARE = 4;

    /** The time for which a reading that may have absorbed a step is remembered: far longer than two readings and a decision take. */
    private static final long REMEMBER_NANOS = 60_000_000_000L;

    private @Nullable Reading last;
    private @Nullable Moment first; // when the first of the compared questions was sent
    private long inexactMicros; // the uncertainty of the clock's movement between the last two readings

    private @Nullable Small small;

    /** The reading of this machine's clocks at the last step, put forward by that step. */
    private @Nullable Moment putForward;

    /** The movements that no later reading can show any more, the newest last. */
    private final Deque<Hidden> hidden = new ArrayDeque<>();

    /** The last moment at which the clock went ahead by less than a step. */
    private record Small(Moment moment, long micros) {}

    /** The largest movement of the clock that a reading may have absorbed, and the moment of that reading. */
    private record Hidden(Moment moment, long micros) {}

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
     * Returns the moment of the last answer. A step that the next reading shows happened later, or while that answer was under way.
     *
     * @return null if there is no earlier reading to compare with
     */
    public synchronized @Nullable Moment comparedFrom() {
        return last == null ? null : last.moment;
    }

    /**
     * Returns whether a step of this size since that moment would show in this watch's readings. The first question must have been sent before the
     * moment. At most half of the step may be the uncertainty of the last reading, and at most half what a reading since the moment may have
     * absorbed. Slow answers cause uncertainty, and so does setting this machine's wall clock forward between two readings. A machine that is frozen
     * while the first answer is under way may miss the step.
     */
    public synchronized boolean compares(Moment since, long micros) {
        long most = Math.abs(micros) / 2;
        return first != null
                && since.nanos() - first.nanos() >= 0
                && inexactMicros <= most
                && hidden.stream().noneMatch(one -> one.moment.nanos() - since.nanos() >= 0 && one.micros > most);
    }

    /** Forgets all readings, after a time without readings. */
    public synchronized void forget() {
        last = null;
        first = null;
        hidden.clear();
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
        long unequal = Math.max(elapsed - elapsedMonotonic, 0);
        inexactMicros += unequal;
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
        Reading both = narrowed(before, now, elapsed, elapsedMonotonic);
        last = both == null ? now : both;
        // The next reading cannot show a movement that a wall clock hid. It shows a movement that a slow answer hid,
        // unless this reading gives up the earlier bounds.
        hide(received, unequal + (both == null ? tookMicros : 0));
        long gap = now.leastMicros - latest + allowanceMicros;
        if (gap > 0) {
            small = new Small(received, gap);
        }
        return 0;
    }

    /**
     * Returns the movement that this watch saw at the time of another node's step.
     *
     * <p>A watch that cannot compare may have begun after a freeze of this machine, or after the first of several freezes. In that case, a step that
     * the reading shows may be only a part of the movement. Such a step can confirm the other node's step, now or when more of it shows, but it
     * cannot refute that step. If the step turns out to be a freeze, the client puts the wall clock forward after this watch's last reading. That
     * correction must not hide a later freeze.
     *
     * @param shownMicros the step that the last reading showed, in microseconds, 0 if there was none
     * @param since a moment before the step
     * @param micros the step of the other node, in microseconds
     * @return by how much this server's clock moved since that moment, in microseconds; empty if this watch cannot compare
     */
    public synchronized OptionalLong sawOf(long shownMicros, Moment since, long micros) {
        if (confirms(shownMicros, micros)) {
            return OptionalLong.of(shownMicros);
        }
        if (compares(since, micros)) {
            return OptionalLong.of(shownMicros == 0 ? smallStepMicros(since) : shownMicros);
        }
        Reading now = last;
        if (now != null && shownMicros > 0) {
            // The rest of the other node's step may show later, and then this movement confirms it.
            small = new Small(now.moment, shownMicros);
        }
        if (now != null && micros > 0) {
            last = putForward(now, micros);
        }
        return OptionalLong.empty();
    }

    /**
     * Returns whether the movement of one node's clock confirms the step of another. A share of the step is enough, because a measurement that was
     * under way when this machine was frozen shows only a part of the freeze.
     */
    public static boolean confirms(long movedMicros, long stepMicros) {
        return Long.signum(movedMicros) == Long.signum(stepMicros)
                && Math.abs(movedMicros) >= Math.abs(stepMicros) / LEAST_SHARE;
    }

    private void hide(Moment received, long micros) {
        hidden.removeIf(one -> received.nanos() - one.moment.nanos() > REMEMBER_NANOS || one.micros <= micros);
        if (micros > 0) {
            hidden.add(new Hidden(received, micros));
        }
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
     * decided, readings still carry the earlier time.
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

    /**
     * Returns the bounds that both readings together allow. They are narrower than those of one reading, especially after a slow answer.
     *
     * @return null if the readings contradict each other, by less than a step
     */
    private static @Nullable Reading narrowed(Reading before, Reading now, long elapsed, long elapsedMonotonic) {
        long least = Math.max(now.leastMicros, before.leastMicros + elapsedMonotonic - elapsed / SLEW_DIVISOR);
        long most = Math.min(now.mostMicros, before.mostMicros + elapsed + elapsed / SLEW_DIVISOR);
        return least <= most ? new Reading(now.moment, least, most) : null;
    }
}
