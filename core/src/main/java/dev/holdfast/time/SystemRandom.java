package dev.holdfast.time;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/** Unpredictable numbers, so that two clients never draw the same id. */
final class SystemRandom implements RandomGenerator {

    private final SecureRandom random = new SecureRandom();

    @Override
    public long nextLong() {
        return random.nextLong();
    }
}
