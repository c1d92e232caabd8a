package dev.holdfast.redis.script;

import dev.holdfast.node.Ticket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a script answered, read with the distrust that a server which may not be a Redis deserves. */
public final class Reply {

    private static final long LONGEST_MILLIS = 1L << 42;
    private static final int LONGEST_SHOWN = 80;
    private static final int DEEPEST_SHOWN = 4;

    private static final List<?> NO_PARTS = List.of();

    private final List<?> parts;
    private final boolean isNumber;
    private final long number;

    /** A list, or what stands alone as the only part of one. */
    public Reply(List<?> parts) {
        this.parts = parts;
        this.isNumber = false;
        this.number = 0;
    }

    /** An integer that stands alone, which is how most answers are. */
    public Reply(long number) {
        this.parts = NO_PARTS;
        this.isNumber = true;
        this.number = number;
    }

    /** Whether it is an integer and no list; {@link #number} of 0 is what it is. */
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

    /** An integer, or a text of decimal digits: fences and ticket times are texts. */
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

    /** A fence that can be raised to. */
    long fence(int index) {
        long fence = number(index);
        if (fence < 0 || fence > Ticket.LARGEST_TIME) {
            throw unexpected("a fence at " + index);
        }
        return fence;
    }

    /** How long something lasts, -1 without end. A foreign key may outlast the universe: what is longer than 139 years is 139 years. */
    long millis(int index) {
        return Math.min(Math.max(number(index), -1), LONGEST_MILLIS);
    }

    /** A number that counts things. */
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
        return new UnexpectedReplyException("unexpected answer " + Printable.shortened(seen.toString(), LONGEST_SHOWN)
                + ", there should be " + wanted);
    }

    /** As the collections of Java show themselves, but not a mebibyte of it, and not a million lists deep. */
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

    /** A server answered in a shape that no script of ours answers in. */
    public static final class UnexpectedReplyException extends RuntimeException {

        private static final long serialVersionUID = 1;

        UnexpectedReplyException(String message) {
            super(message);
        }
    }
}
