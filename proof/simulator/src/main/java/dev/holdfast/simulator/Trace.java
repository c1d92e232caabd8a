package dev.holdfast.simulator;

import dev.holdfast.testkit.ManualTiming;
import org.jspecify.annotations.Nullable;

/** The events of a schedule, in order: always as a hash, and as text if a reader wants it. */
final class Trace {

    private static final long PRIME = 0x100000001B3L; // FNV-1a
    private static final long NANOS_PER_MICRO = 1_000;

    private final ManualTiming world;
    private final @Nullable StringBuilder text;
    private long hash = 0xCBF29CE484222325L;

    Trace(ManualTiming world, @Nullable StringBuilder text) {
        this.world = world;
        this.text = text;
    }

    /**
     * Adds a line.
     *
     * @param who the client, node or part of the world that the event concerns
     * @param what what happened
     * @param number a number that belongs to the event
     * @param shown more about the event, for readers only: not a part of the hash
     */
    void add(String who, String what, long number, Object shown) {
        long micros = world.elapsed().toNanos() / NANOS_PER_MICRO;
        mix(micros);
        mix(who.hashCode());
        mix(what.hashCode());
        mix(number);
        if (text != null) {
            text.append(micros / 1_000)
                    .append('.')
                    .append(String.valueOf(1_000 + micros % 1_000), 1, 4)
                    .append(' ')
                    .append(who)
                    .append(' ')
                    .append(what)
                    .append(' ')
                    .append(number)
                    .append(' ')
                    .append(shown)
                    .append('\n');
        }
    }

    private void mix(long value) {
        hash = (hash ^ value) * PRIME;
        hash ^= hash >>> 32;
    }

    long hash() {
        return hash;
    }
}
