package dev.holdfast.node;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A value that a holder leaves to later holders (PROTOCOL §3, "values"). The token and the number show which of two values was written later.
 *
 * @param token the fencing token of the lease that wrote it, 1 or more
 * @param number the number of the write, 1 or more, which rises with each write under that lease
 * @param text at most {@value #MOST_BYTES} bytes of UTF-8; empty for no value
 */
public record LockValue(long token, long number, String text) {

    /** The greatest length of the text, in bytes of UTF-8. */
    public static final int MOST_BYTES = 1024;

    public LockValue {
        if (token < 1 || token > Ticket.LARGEST_TIME || number < 1 || number > Ticket.LARGEST_TIME) {
            throw new IllegalArgumentException(
                    "token " + token + ", number " + number + ": both are from 1 to 2^53 - 1");
        }
    }

    /** Returns whether this value was written after the other one; true if there is no other one. */
    public boolean isLaterThan(@Nullable LockValue other) {
        return other == null || token > other.token || (token == other.token && number > other.number);
    }

    /** Returns the later one of two values, each of which may be missing. */
    public static @Nullable LockValue later(@Nullable LockValue one, @Nullable LockValue other) {
        return one != null && one.isLaterThan(other) ? one : other;
    }

    /**
     * Checks a text before it is written.
     *
     * @throws IllegalArgumentException if the text is too long, or UTF-8 cannot express it
     */
    public static String requireText(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("the value has half of a surrogate pair, and can't be written as UTF-8");
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "the value has " + bytes + " bytes of UTF-8, but may have " + MOST_BYTES + " at most");
        }
        return text;
    }
}
