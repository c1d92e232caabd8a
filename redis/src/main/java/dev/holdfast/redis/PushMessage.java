package dev.holdfast.redis;

import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.Ticket;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A push as the scripts publish it, line by line: {@code granted}, owner id, fence, resource; or {@code contended}, owner id, fence,
 * owner id of the waiter, resource. The resource comes last, whatever it contains.
 */
final class PushMessage {

    /** Pushes for a client go to this and the client part of its owner ids. */
    static final String CHANNEL = "holdfast:push:";

    private static final Pattern GRANTED = Pattern.compile("granted\n([^\n]+)\n([0-9]{1,16})\n(.+)", Pattern.DOTALL);
    private static final Pattern CONTENDED =
            Pattern.compile("contended\n([^\n]+)\n([0-9]{1,16})\n([^\n]+)\n(.+)", Pattern.DOTALL);

    private PushMessage() {}

    /** Empty if it is none: anybody can publish to a channel. */
    static Optional<Push> parse(String message) {
        Matcher granted = GRANTED.matcher(message);
        if (granted.matches()) {
            return OwnerId.parse(granted.group(1))
                    .filter(owner -> isFence(granted.group(2)))
                    .map(owner -> new Push.Granted(granted.group(3), owner, Long.parseLong(granted.group(2))));
        }
        Matcher contended = CONTENDED.matcher(message);
        if (!contended.matches()) {
            return Optional.empty();
        }
        return OwnerId.parse(contended.group(1))
                .filter(owner -> isFence(contended.group(2)))
                .flatMap(owner -> OwnerId.parse(contended.group(3))
                        .map(waiter -> new Push.Contended(
                                contended.group(4), owner, Long.parseLong(contended.group(2)), waiter.ticket())));
    }

    private static boolean isFence(String digits) {
        return Long.parseLong(digits) <= Ticket.LARGEST_TIME;
    }
}
