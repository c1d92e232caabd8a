package dev.holdfast.redis.process;

/**
 * An error reply of the server. The message is the server's own, such as {@code WRONGTYPE Operation against a key …}.
 */
public final class RedisErrorReply extends RuntimeException {

    /** Creates an error with the server's message. */
    public RedisErrorReply(String message) {
        super(message);
    }

    /** Returns the first word, such as {@code ERR}, {@code NOAUTH} or {@code LOADING}. */
    public String code() {
        String message = String.valueOf(getMessage());
        int space = message.indexOf(' ');
        return space < 0 ? message : message.substring(0, space);
    }
}
