package dev.holdfast.redis.process;

import java.io.IOException;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;

/**
 * The key by which somebody answers for a server that it has lost no vote (PROTOCOL §5).
 *
 * <p>Clients keep a server that was up for less than the longest ttl in quarantine, since it may have forgotten votes. One whose
 * epoch key bears its present run id was declared clean, and is asked at once. A restart makes a new run id, so what was declared
 * before it no longer counts, also when the key survives in an append-only file.
 */
public final class Epoch {

    /** The key, a plain string. */
    public static final String KEY = "holdfast:epoch";

    /** How long a declaration lasts: longer than any server stays in quarantine. */
    public static final Duration LASTS = Duration.ofHours(24);

    private static final int NONCE_BITS = 64;
    private static final int NONCE_RADIX = 36;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Epoch() {}

    /** What the key must hold for the server with this run id to be clean: {@code run id/nonce}, the nonce of [a-z0-9]. */
    public static String value(String runId) {
        return runId + "/" + new BigInteger(NONCE_BITS, RANDOM).toString(NONCE_RADIX);
    }

    /** Declares the server clean; gives what was written. Only do so when nobody can hold a lock that this server has voted for and forgotten. */
    public static String declareClean(RedisConsole console) throws IOException {
        String value = value(console.info().runId());
        console.send("SET", KEY, value, "PX", Long.toString(LASTS.toMillis()));
        return value;
    }
}
