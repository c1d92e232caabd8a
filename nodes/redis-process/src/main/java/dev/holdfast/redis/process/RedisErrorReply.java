package dev.holdfast.redis.process;

/** The server answered with an error. The message is the server's own, such as {@code WRONGTYPE Operation against a key …}. */
public final class RedisErrorReply extends RuntimeException {

    /** An error with the server's words. */
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
