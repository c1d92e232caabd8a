package dev.holdfast.node;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names one vote or one queue entry at one node, unique for ever: {@code client/attempt/round} (PROTOCOL §1).
 *
 * <p>The attempt is named by the time of its ticket, which a client never uses twice, so the ticket can be read from the id. The
 * client part is where pushes are sent.
 *
 * @param client who asks: a readable name, {@code ~}, and at least eight random letters or digits
 * @param attempt the time of the attempt's ticket in microseconds
 * @param round how often the attempt has given a vote at this node back and asked again
 */
public record OwnerId(String client, long attempt, int round) {

    /** What a client part looks like; anything else was not written by Holdfast. */
    public static final Pattern CLIENT = Pattern.compile("[0-9A-Za-z@._:-]{1,100}~[0-9a-z]{8,32}");

    private static final Pattern TEXT = Pattern.compile("(" + CLIENT.pattern() + ")/([0-9]{1,16})/([0-9]{1,9})");

    public OwnerId {
        if (!CLIENT.matcher(client).matches()) {
            throw new IllegalArgumentException("client is '" + client + "', but must look like 'name@host~a1b2c3d4'");
        }
        if (attempt < 0 || attempt > Ticket.LARGEST_TIME || round < 0 || round > 999_999_999) {
            throw new IllegalArgumentException("attempt " + attempt + ", round " + round
                    + ": an attempt is 0 to 2^53 - 1 microseconds, a round 0 to 999999999");
        }
    }

    /** Reads {@code client/attempt/round}; empty if the text is not an owner id, as a foreign client's value is not. */
    public static Optional<OwnerId> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches() || Long.parseLong(matcher.group(2)) > Ticket.LARGEST_TIME) {
            return Optional.empty();
        }
        return Optional.of(
                new OwnerId(matcher.group(1), Long.parseLong(matcher.group(2)), Integer.parseInt(matcher.group(3))));
    }

    /** The place in the queue that this owner asks with. */
    public Ticket ticket() {
        return new Ticket(attempt, client);
    }

    /** The id of the same attempt after it gave its vote back. */
    public OwnerId nextRound() {
        return new OwnerId(client, attempt, round + 1);
    }

    /** The readable part of the client, for people. */
    public String clientName() {
        return client.substring(0, client.indexOf('~'));
    }

    /** The text that is stored at nodes: {@code client/attempt/round}. */
    @Override
    public String toString() {
        return client + "/" + attempt + "/" + round;
    }
}
