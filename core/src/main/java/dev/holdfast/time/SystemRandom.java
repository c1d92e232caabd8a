package dev.holdfast.time;

import java.security.SecureRandom;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Unpredictable numbers, so that two clients never draw the same id; but jitter, which is drawn for every lease, from a quick source.
 *
 * <p>Jitter is what is drawn between two bounds: {@link #nextLong(long)} and {@link #nextLong(long, long)}.
 */
final class SystemRandom implements UnsharedRandom {

    private final SecureRandom random = new SecureRandom();

    @Override
    public long nextLong() {
        return random.nextLong();
    }

    @Override
    public long nextLong(long bound) {
        return ThreadLocalRandom.current().nextLong(bound);
    }

    @Override
    public long nextLong(long origin, long bound) {
        return ThreadLocalRandom.current().nextLong(origin, bound);
    }
}
