package dev.holdfast.redis.process;

import org.jspecify.annotations.Nullable;

/** A server did not start, or there is none to start. The message says why, and ends with the last lines of the server's log. */
public final class RedisStartException extends RuntimeException {

    RedisStartException(String message) {
        this(message, null);
    }

    RedisStartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
