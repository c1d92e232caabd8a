package dev.holdfast.redis;

import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.Ticket;
import java.util.Optional;

/**
 * A push as the scripts publish it, line by line: {@code granted}, owner id, fence, resource; or {@code contended}, owner id, fence,
 * owner id of the waiter, resource. The resource comes last, whatever it contains.
 */
final class PushMessage {

    /** Pushes for a client go to this and the client part of its owner ids. */
    static final String CHANNEL = "holdfast:push:";

    private static final String GRANTED = "granted\n";
    private static final String CONTENDED = "contended\n";
    private static final int MOST_DIGITS = 16;

    private PushMessage() {}

    /** Empty if it is none: anybody can publish to a channel. */
    static Optional<Push> parse(String message) {
        boolean granted = message.startsWith(GRANTED);
        if (!granted && !message.startsWith(CONTENDED)) {
            return Optional.empty();
        }
        int owner = granted ? GRANTED.length() : CONTENDED.length();
        int fence = nextLine(message, owner);
        int rest = nextLine(message, fence);
        int resource = granted ? rest : nextLine(message, rest);
        if (resource < 0 || resource == message.length()) {
            return Optional.empty();
        }
        long number = fence(message, fence, rest - 1);
        Optional<OwnerId> whose = OwnerId.parse(message.substring(owner, fence - 1));
        if (number < 0 || whose.isEmpty()) {
            return Optional.empty();
        }
        String name = message.substring(resource);
        return granted
                ? Optional.of(new Push.Granted(name, whose.get(), number))
                : OwnerId.parse(message.substring(rest, resource - 1))
                        .map(waiter -> new Push.Contended(name, whose.get(), number, waiter.ticket()));
    }

    /** Where the line after this one begins; negative if there is none. */
    private static int nextLine(String text, int line) {
        int end = line < 0 ? -1 : text.indexOf('\n', line);
        return end < 0 ? -1 : end + 1;
    }

    /** Negative if it is none. */
    private static long fence(String text, int from, int to) {
        if (to <= from || to - from > MOST_DIGITS) {
            return -1;
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = number * 10 + c - '0';
        }
        return number <= Ticket.LARGEST_TIME ? number : -1;
    }
}
