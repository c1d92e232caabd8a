package dev.holdfast.redis.script;

import dev.holdfast.node.Ticket;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The answer of a script. It checks each part it reads, since the server may not be a Redis server. */
public final class Reply {

    private static final long LONGEST_MILLIS = 1L << 42;
    private static final int LONGEST_SHOWN = 80;
    private static final int DEEPEST_SHOWN = 4;

    private static final List<?> NO_PARTS = List.of();

    private final List<?> parts;
    private final boolean isNumber;
    private final long number;

    /** Creates a reply from a list of parts, or from a list with a single part. */
    public Reply(List<?> parts) {
        this.parts = parts;
        this.isNumber = false;
        this.number = 0;
    }

    /** Creates a reply from a single integer, the most frequent answer. */
    public Reply(long number) {
        this.parts = NO_PARTS;
        this.isNumber = true;
        this.number = number;
    }

    /** Returns whether the answer is an integer rather than a list; {@link #number} of 0 returns the integer. */
    boolean isNumber() {
        return isNumber;
    }

    int size() {
        return parts.size();
    }

    public String text(int index) {
        if (part(index) instanceof String text) {
            return text;
        }
        throw unexpected("a text at " + index);
    }

    /** Returns an integer, even if it is a text of decimal digits: fences and ticket times are texts. */
    public long number(int index) {
        if (isNumber && index == 0) {
            return number;
        }
        Object part = part(index);
        if (part instanceof Long number) {
            return number;
        }
        try {
            return Long.parseLong(part instanceof String text ? text : "");
        } catch (NumberFormatException e) {
            throw unexpected("a number at " + index);
        }
    }

    /** Returns a fence to which a request can raise a vote. */
    long fence(int index) {
        long fence = number(index);
        if (fence < 0 || fence > Ticket.LARGEST_TIME) {
            throw unexpected("a fence at " + index);
        }
        return fence;
    }

    /** Returns a duration, 0 for one without end. A foreign key may have a far longer expiry, so longer durations become 139 years. */
    long millis(int index) {
        return remainingMillis(index).orElse(0);
    }

    /** Returns the time until the end of something; empty if it has no end. */
    OptionalLong remainingMillis(int index) {
        long millis = number(index);
        return millis < 0 ? OptionalLong.empty() : OptionalLong.of(Math.min(millis, LONGEST_MILLIS));
    }

    /** Returns a count. */
    int count(int index) {
        long number = number(index);
        if (number < 0 || number > Integer.MAX_VALUE) {
            throw unexpected("a count at " + index);
        }
        return (int) number;
    }

    Reply list(int index) {
        if (part(index) instanceof List<?> list) {
            return new Reply(list);
        }
        throw unexpected("a list at " + index);
    }

    private Object part(int index) {
        if (index >= parts.size() || parts.get(index) == null) {
            throw unexpected("something at " + index);
        }
        return parts.get(index);
    }

    UnexpectedReplyException unexpected(String wanted) {
        StringBuilder seen = new StringBuilder();
        show(seen, isNumber ? number : parts, 0);
        return new UnexpectedReplyException(
                "unexpected answer " + Printable.shortened(seen.toString(), LONGEST_SHOWN) + "; expected " + wanted);
    }

    /** Appends a part as Java's collections print themselves, limited to one mebibyte and to a bounded depth of lists. */
    private static void show(StringBuilder seen, @Nullable Object part, int depth) {
        if (part instanceof List<?> list && depth < DEEPEST_SHOWN) {
            seen.append('[');
            for (int i = 0; i < list.size() && seen.length() <= LONGEST_SHOWN; i++) {
                seen.append(i == 0 ? "" : ", ");
                show(seen, list.get(i), depth + 1);
            }
            seen.append(']');
        } else {
            String text = part instanceof List<?> ? "[…]" : String.valueOf(part);
            seen.append(text, 0, Math.min(text.length(), LONGEST_SHOWN + 1));
        }
    }

    /** An error: a server answered in a form that none of Holdfast's scripts uses. */
    public static final class UnexpectedReplyException extends RuntimeException {

        private static final long serialVersionUID = 1;

        UnexpectedReplyException(String message) {
            super(message);
        }
    }
}
