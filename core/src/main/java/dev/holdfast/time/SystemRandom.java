package dev.holdfast.time;

import java.security.SecureRandom;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A source of unpredictable numbers, so that two clients never draw the same id. Jitter, which the client draws for every lease, comes from a quick
 * source instead.
 *
 * <p>The methods with bounds draw jitter: {@link #nextLong(long)} and {@link #nextLong(long, long)}.
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
