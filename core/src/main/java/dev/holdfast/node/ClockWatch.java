package dev.holdfast.node;

import dev.holdfast.time.Moment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A detector of steps of a server's clock (PROTOCOL §5), for every kind of node that watches its server. It is thread-safe.
 *
 * <p>The server reads its clock at some time between the question and the answer. So a reading bounds the server's clock at the moment of the answer. A
 * slow answer, or a pause of this process, makes the bounds wide. A step, or the absence of one, is only ever concluded from the bounds of two readings:
 * what lies within them proves nothing. A suspension of this machine counts as time that passed, since {@link Moment} takes the clock that has moved more.
 */
public final class ClockWatch {

    /** The divisor for the share of the time by which slewed clocks may differ. This share is far larger than the error of a quartz. */
    private static final long SLEW_DIVISOR = 1000;

    private static final long MICROS_PER_MILLI_OF_TTL = 10;
    private static final long DRIFT_MICROS = 2_000;

    /** The time for which a reading can answer for this clock when another node's clock stepped. */
    private static final long REMEMBER_NANOS = 60_000_000_000L;

    /** The readings that are remembered, the newest last. */
    private final Deque<Reading> readings = new ArrayDeque<>();

    /** The reading with which the next one is compared: the one whose bounds are the narrowest now. */
    private @Nullable Reading base;

    /** The reading that showed a step which is being judged. */
    private @Nullable Reading stepped;

    /**
     * A step of the server's clock against this machine's clocks.
     *
     * @param micros the smallest possible step in microseconds; positive if the server's clock went forward
     * @param since a moment before the step
     */
    public record Step(long micros, Moment since) {}

    /** The server's clock, at some time between the question and the answer. */
    private record Reading(Moment sent, Moment received, long serverMicros) {

        long tookMicros() {
            return sent.nanosUntil(received) / 1000;
        }

        long elapsedMicros(Reading later) {
            return received.nanosUntil(later.received) / 1000;
        }

        /** Returns the least by which the server's clock has gone ahead of this machine's clocks until a later reading. */
        long leastGain(Reading later) {
            long elapsed = elapsedMicros(later);
            return later.serverMicros - serverMicros - tookMicros() - elapsed - elapsed / SLEW_DIVISOR;
        }

        /** Returns the most by which it has. This machine's wall clock may have been set, so only the monotonic one counts. */
        long mostGain(Reading later) {
            long monotonic = (later.received.nanos() - received.nanos()) / 1000;
            long slew = elapsedMicros(later) / SLEW_DIVISOR;
            return later.serverMicros + later.tookMicros() - serverMicros - monotonic + slew;
        }

        /** Returns whether a later reading bounds the server's clock at least as narrowly as this one does by then. */
        boolean isAsWideAs(Reading later) {
            return mostGain(later) - leastGain(later) >= 2 * later.tookMicros();
        }
    }

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
     * Starts again after a time without readings: the next one is compared with none before it. The readings of the last minute still answer for this clock when
     * another node's clock stepped.
     */
    public synchronized void startAgain() {
        base = null;
        stepped = null;
    }

    /**
     * Adds a reading, and compares it with an earlier one. After a step, the caller must call {@link #judged}; until then, no further step is reported. A step
     * that turns out to be a freeze of this machine is explained once this machine's wall clock has been put forward by it.
     *
     * @param sent a moment before the question was sent
     * @param received a moment after the answer arrived
     * @param serverMicros the server's clock in its answer, in microseconds
     * @param allowanceMicros how far the clock may be off without counting as a step, in microseconds
     * @return the step; empty if the bounds of the two readings allow that there was none
     */
    public synchronized Optional<Step> compare(Moment sent, Moment received, long serverMicros, long allowanceMicros) {
        Reading now = add(sent, received, serverMicros);
        Reading before = base;
        if (before == null || stepped != null) {
            base = before == null ? now : before;
            return Optional.empty();
        }
        long least = before.leastGain(now);
        long most = before.mostGain(now);
        boolean forward = least > allowanceMicros;
        boolean back = most < -allowanceMicros;
        if (!forward && (back || before.isAsWideAs(now))) {
            base = now; // but after a step forward: how much of it was a freeze shows against the earlier reading
        }
        if (!forward && !back) {
            return Optional.empty();
        }
        stepped = now;
        long micros = forward ? least : most;
        return Optional.of(new Step(micros, lastWithLessThanHalf(before, micros).sent));
    }

    /**
     * Returns the latest reading that proves that less than half of the step had come by then. So more than half of it came after the question of that
     * reading, and every witness of a freeze shows that much.
     */
    private Reading lastWithLessThanHalf(Reading before, long micros) {
        long half = Math.abs(micros) / 2;
        return readings.stream()
                .filter(one -> one.received.nanos() - before.received.nanos() >= 0)
                .filter(one -> micros > 0 ? before.mostGain(one) < half : before.leastGain(one) > -half)
                .reduce(before, (earlier, later) -> later);
    }

    /**
     * Ends the judgement of the last step.
     *
     * @param own whether the server's clock stepped; otherwise this client's clocks did
     */
    public synchronized void judged(boolean own) {
        base = own && stepped != null ? stepped : base;
        stepped = null;
    }

    /**
     * Adds a reading that was taken because another node's clock stepped, and returns what it says about that step.
     *
     * @param since a moment before the step
     * @return the most by which the server's clock has gone ahead of this machine's since that moment, in microseconds; empty if no answer that is
     *     remembered arrived before that moment
     */
    public synchronized OptionalLong mostGainSince(Moment since, Moment sent, Moment received, long serverMicros) {
        Reading now = add(sent, received, serverMicros);
        return readings.stream()
                .filter(one -> one.received.nanos() - since.nanos() < 0)
                .reduce((earlier, later) -> later)
                .map(then -> OptionalLong.of(then.mostGain(now)))
                .orElse(OptionalLong.empty());
    }

    private Reading add(Moment sent, Moment received, long serverMicros) {
        Reading now = new Reading(sent, received, serverMicros);
        readings.addLast(now);
        while (received.nanos() - readings.getFirst().received.nanos() > REMEMBER_NANOS) {
            readings.removeFirst();
        }
        return now;
    }
}
