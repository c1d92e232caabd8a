package dev.holdfast.redis.script;

import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.Ticket;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A push as the scripts publish it, line by line. It is either {@code granted}, owner id, fence, resource; or {@code contended}, owner id,
 * fence, owner id of the waiter, resource.
 *
 * <p>The kinds {@code granted-with} and {@code contended-with} have a line for the lock's value before the resource. That line is the
 * token, the number and the text, separated by bars. In the text, {@code %0A} represents the end of a line and {@code %25} a percent sign.
 * The resource comes last, so it may contain any text.
 */
public final class PushMessage {

    /** The prefix of the channel for a client's pushes; the client part of its owner ids follows. */
    public static final String CHANNEL = "holdfast:push:";

    private static final int MOST_DIGITS = 16;

    private final String message;
    private int at;
    private boolean broken;

    private PushMessage(String message) {
        this.message = message;
    }

    /** Parses a push; empty if the text is not a push, since anyone can publish to a channel. */
    public static Optional<Push> parse(String message) {
        return new PushMessage(message).push();
    }

    private Optional<Push> push() {
        String kind = line();
        boolean granted = kind.startsWith("granted");
        boolean with = kind.endsWith("-with");
        if (!kind.equals((granted ? "granted" : "contended") + (with ? "-with" : ""))) {
            return Optional.empty();
        }
        OwnerId owner = ownerId(line());
        long fence = number(line());
        OwnerId waiter = granted ? null : ownerId(line());
        LockValue value = with ? value(line()) : null;
        if (broken || owner == null || at >= message.length()) {
            return Optional.empty();
        }
        String resource = message.substring(at);
        return Optional.of(
                waiter == null
                        ? new Push.Granted(resource, owner, fence, value)
                        : new Push.Contended(resource, owner, fence, waiter.ticket(), value));
    }

    private String line() {
        int end = message.indexOf('\n', at);
        if (end < 0) {
            broken = true;
            return "";
        }
        String line = message.substring(at, end);
        at = end + 1;
        return line;
    }

    private @Nullable OwnerId ownerId(String text) {
        OwnerId owner = OwnerId.parse(text).orElse(null);
        broken |= owner == null;
        return owner;
    }

    private @Nullable LockValue value(String text) {
        int first = text.indexOf('|');
        int second = text.indexOf('|', first + 1);
        long token = number(text.substring(0, Math.max(first, 0)));
        long number = number(text.substring(first + 1, Math.max(second, first + 1)));
        if (token == 0 || number == 0) {
            broken = true;
        }
        return broken
                ? null
                : new LockValue(
                        token,
                        number,
                        text.substring(second + 1).replace("%0A", "\n").replace("%25", "%"));
    }

    private long number(String text) {
        if (text.isEmpty() || text.length() > MOST_DIGITS || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            broken = true;
            return 0;
        }
        long number = Long.parseLong(text);
        broken |= number > Ticket.LARGEST_TIME;
        return number;
    }
}
