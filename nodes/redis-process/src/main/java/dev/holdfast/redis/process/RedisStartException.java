package dev.holdfast.redis.process;

import org.jspecify.annotations.Nullable;

/**
 * The failure to start a server, or to find one to start. The message gives the reason, and ends with the last lines of
 * the server's log.
 */
public final class RedisStartException extends RuntimeException {

    RedisStartException(String message) {
        this(message, null);
    }

    RedisStartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
