package dev.holdfast.postgresql;

import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.Ticket;
import java.util.Optional;

/** The text of a push, as the function {@code push} writes it. */
final class PushText {

    private static final int FIELDS = 9;

    private PushText() {}

    /** Parses a push. Returns empty if the text is not a push: any role may send notifications. */
    static Optional<Push> parse(String text) {
        String[] fields = text.split("\\|", FIELDS);
        if (fields.length < FIELDS) {
            return Optional.empty();
        }
        try {
            long fence = Long.parseLong(fields[1]);
            OwnerId owner = OwnerId.parse(fields[2]).orElseThrow();
            int end = fields[8].offsetByCodePoints(0, Integer.parseInt(fields[7]));
            String resource = fields[8].substring(0, end);
            long token = Long.parseLong(fields[5]);
            LockValue value =
                    token == 0 ? null : ValueText.value(token, Long.parseLong(fields[6]), fields[8].substring(end));
            return switch (fields[0]) {
                case "G" -> Optional.of(new Push.Granted(resource, owner, fence, value));
                case "C" ->
                    Optional.of(new Push.Contended(
                            resource, owner, fence, new Ticket(Long.parseLong(fields[3]), fields[4]), value));
                default -> Optional.empty();
            };
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }
}
