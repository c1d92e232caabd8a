package dev.holdfast.redis.process;

import java.io.IOException;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;

/**
 * The key that declares that a server has lost no vote (PROTOCOL §5).
 *
 * <p>Clients quarantine a server that has been up for less than the longest ttl, since it may have lost votes. If the
 * epoch key holds the server's present run id, the server was declared clean and clients use it at once. A restart
 * creates a new run id. An earlier declaration therefore no longer counts, even if the key survives in an append-only
 * file.
 */
public final class Epoch {

    /** The key, a plain string. */
    public static final String KEY = "holdfast:epoch";

    /** How long a declaration lasts: longer than any quarantine. */
    public static final Duration LASTS = Duration.ofHours(24);

    private static final int NONCE_BITS = 64;
    private static final int NONCE_RADIX = 36;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Epoch() {}

    /**
     * Returns the value that the key must hold for the server with this run id to be clean: {@code run id/nonce}, the
     * nonce of [a-z0-9].
     */
    public static String value(String runId) {
        return runId + "/" + new BigInteger(NONCE_BITS, RANDOM).toString(NONCE_RADIX);
    }

    /**
     * Declares the server clean, and returns the value of the key. Safe only if no client can hold a lock for which
     * this server has lost its vote.
     */
    public static String declareClean(RedisConsole console) throws IOException {
        String value = value(console.info().runId());
        console.send("SET", KEY, value, "PX", Long.toString(LASTS.toMillis()));
        return value;
    }
}
