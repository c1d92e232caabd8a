package dev.holdfast.server.caller;

import java.util.Base64;
import java.util.random.RandomGenerator;

/** A source of names that cannot be guessed: 192 random bits. */
public final class Secret {

    private static final int BYTES = 24;

    private Secret() {}

    public static String drawn(RandomGenerator random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
