package dev.holdfast.node;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The id of one vote or one queue entry at one node, unique for ever: {@code client/attempt/round}, with a label {@code client/attempt/round/label}
 * (PROTOCOL §1).
 *
 * <p>The time of its ticket, which a client never uses twice, identifies the attempt, so the id contains the ticket. Nodes send pushes to the client
 * that the client part names. The label is part of the id, so that all clients of the nodes can show it.
 *
 * @param client the client that sends the request: a readable name, {@code ~}, and at least eight random letters or digits
 * @param attempt the time of the attempt's ticket in microseconds
 * @param round the number of times that the attempt has released a vote at this node and retried, added to a multiple of {@value #ROUNDS}
 * @param label the attempt's name for people, at most {@value #LONGEST_LABEL} characters; empty for none. The text has it in the encoding of URLs
 */
public record OwnerId(String client, long attempt, int round, String label) {

    /** The maximum number of characters of a label. */
    public static final int LONGEST_LABEL = 200;

    /** The rounds of an attempt begin with a multiple of this number. The multiple distinguishes copies of one process (docs/decisions/0038). */
    public static final int ROUNDS = 1_000;

    private static final int LONGEST_NAME = 100;
    private static final int SHORTEST_RANDOM = 8;
    private static final int LONGEST_RANDOM = 32;
    private static final int LARGEST_ROUND = 999_999_999;

    public OwnerId {
        if (!isClient(client)) {
            throw new IllegalArgumentException("client is '" + client + "', but must look like 'name@host~a1b2c3d4'");
        }
        if (attempt < 0 || attempt > Ticket.LARGEST_TIME || round < 0 || round > LARGEST_ROUND) {
            throw new IllegalArgumentException("attempt " + attempt + ", round " + round
                    + ": an attempt is 0 to 2^53 - 1 microseconds, a round 0 to 999999999");
        }
        if (label.length() > LONGEST_LABEL) {
            throw new IllegalArgumentException(
                    "label has " + label.length() + " characters, but may have " + LONGEST_LABEL);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OwnerId id
                && attempt == id.attempt
                && round == id.round
                && client.equals(id.client)
                && label.equals(id.label);
    }

    @Override
    public int hashCode() { // a record's own would generate code at the first use
        return Long.hashCode(attempt) + round;
    }

    /** Creates an id without a label. */
    public OwnerId(String client, long attempt, int round) {
        this(client, attempt, round, "");
    }

    /**
     * Returns whether this text has the form of the client part of an owner id: 1 to 100 letters, digits and {@code @._:-}, then {@code ~} and 8 to
     * 32 digits and small letters. Holdfast writes no other form.
     */
    public static boolean isClient(String text) {
        int tilde = text.lastIndexOf('~');
        int random = text.length() - tilde - 1;
        if (tilde < 1 || tilde > LONGEST_NAME || random < SHORTEST_RANDOM || random > LONGEST_RANDOM) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean fits = (c >= 'a' && c <= 'z')
                    || (c >= '0' && c <= '9')
                    || (i < tilde && ((c >= 'A' && c <= 'Z') || "@._:-".indexOf(c) >= 0));
            if (!fits && i != tilde) {
                return false;
            }
        }
        return true;
    }

    /** Parses an id. Returns empty if the text is not an owner id, such as the value of a foreign client. */
    public static Optional<OwnerId> parse(String text) {
        int end = text.indexOf('/');
        int second = end < 0 ? -1 : text.indexOf('/', end + 1);
        if (second < 0) {
            return Optional.empty();
        }
        int third = text.indexOf('/', second + 1);
        try {
            OwnerId id = new OwnerId(
                    text.substring(0, end),
                    Long.parseLong(text, end + 1, second, 10),
                    Integer.parseInt(text, second + 1, third < 0 ? text.length() : third, 10),
                    third < 0 ? "" : URLDecoder.decode(text.substring(third + 1), StandardCharsets.UTF_8));
            return id.toString().equals(text) ? Optional.of(id) : Optional.empty();
        } catch (IllegalArgumentException e) { // a part has another form
            return Optional.empty();
        }
    }

    /** Returns the owner's ticket, which is its position in the queue. */
    public Ticket ticket() {
        return new Ticket(attempt, client);
    }

    /** Returns the id of the same attempt in another round. */
    public OwnerId inRound(int other) {
        return new OwnerId(client, attempt, other, label);
    }

    /** Returns the id with which the same attempt began. */
    public OwnerId firstRound() {
        return inRound(round - round % ROUNDS);
    }

    /** Returns the name for people: the label, or the readable part of the client. */
    public String displayName() {
        return label.isEmpty() ? client.substring(0, client.indexOf('~')) : label;
    }

    /** Returns the name for people of the owner with this id; all of the text if it is not an owner id. */
    public static String displayName(String text) {
        return parse(text).map(OwnerId::displayName).orElse(text);
    }

    /** Returns the attempt without its round at a node and without its label: {@code client/attempt}. */
    public String withoutRound() {
        return client + "/" + attempt;
    }

    /** Returns the text that nodes store. */
    @Override
    public String toString() {
        String id = client + "/" + attempt + "/" + round;
        return label.isEmpty() ? id : id + "/" + URLEncoder.encode(label, StandardCharsets.UTF_8);
    }
}
