package dev.holdfast.redis;

import dev.holdfast.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Looks for steps of a server's clock (PROTOCOL §5). Not thread-safe.
 *
 * <p>A reading of the server's clock was made some time between sending the question and getting the answer, so it bounds the server's
 * offset from this machine's clocks: from below by the moment of the answer, from above by the moment of the question. A slow
 * answer, or a pause of this process, makes the bounds wide and proves nothing; only bounds that lie apart show a step. This
 * machine's own suspension counts as time that passed, since {@link Moment} takes the clock that has moved more.
 */
final class ClockWatch {

    /** Clocks that are being slewed differ by up to this share of the time; far more than a quartz is wrong by. */
    private static final long SLEW_DIVISOR = 1000;

    private @Nullable Reading last;

    /** What was seen at the moment of the answer: the server was at least at one time, and at most at the other. */
    private record Reading(Moment moment, long leastMicros, long mostMicros) {}

    /** Whether there is an earlier reading to compare with. */
    boolean canCompare() {
        return last != null;
    }

    /** Forgets what was seen, after a time in which nobody looked. */
    void forget() {
        last = null;
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
    long stepMicros(Moment sent, Moment received, long serverMicros, long allowanceMicros) {
        Reading now = new Reading(received, serverMicros, serverMicros + sent.nanosUntil(received) / 1000);
        Reading before = last;
        last = now;
        if (before == null) {
            return 0;
        }
        long elapsed = before.moment.nanosUntil(received) / 1000;
        long elapsedMonotonic = Math.max((received.nanos() - before.moment.nanos()) / 1000, 0);
        long allowed = allowanceMicros + elapsed / SLEW_DIVISOR;
        long latest = before.mostMicros + elapsed + allowed;
        long earliest = before.leastMicros + Math.min(elapsed, elapsedMonotonic) - allowed;
        if (now.leastMicros > latest) {
            return now.leastMicros - latest + allowed;
        }
        if (now.mostMicros < earliest) {
            return now.mostMicros - earliest - allowed;
        }
        last = narrowed(before, now, elapsed, elapsedMonotonic);
        return 0;
    }

    /** What both readings say together is known more exactly than what one says, after a slow answer above all. */
    private static Reading narrowed(Reading before, Reading now, long elapsed, long elapsedMonotonic) {
        long least = Math.max(now.leastMicros, before.leastMicros + elapsedMonotonic - elapsed / SLEW_DIVISOR);
        long most = Math.min(now.mostMicros, before.mostMicros + elapsed + elapsed / SLEW_DIVISOR);
        return least <= most ? new Reading(now.moment, least, most) : now;
    }
}
