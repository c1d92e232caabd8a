package dev.holdfast.redis;

import java.util.List;

/** What a script answered, read with the distrust that a server which may not be a Redis deserves. */
final class Reply {

    private final List<?> parts;

    Reply(List<?> parts) {
        this.parts = parts;
    }

    int size() {
        return parts.size();
    }

    String text(int index) {
        if (part(index) instanceof String text) {
            return text;
        }
        throw unexpected("a text at " + index);
    }

    /** An integer, or a text of decimal digits: fences and ticket times are texts. */
    long number(int index) {
        Object part = part(index);
        if (part instanceof Long number) {
            return number;
        }
        try {
            return Long.parseLong(String.valueOf(part));
        } catch (NumberFormatException e) {
            throw unexpected("a number at " + index);
        }
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
        String seen = String.valueOf(parts);
        return new UnexpectedReplyException(
                "unexpected answer " + Printable.shortened(seen, 80) + ", there should be " + wanted);
    }

    /** A server answered in a shape that no script of ours answers in. */
    static final class UnexpectedReplyException extends RuntimeException {

        private static final long serialVersionUID = 1;

        UnexpectedReplyException(String message) {
            super(message);
        }
    }
}
