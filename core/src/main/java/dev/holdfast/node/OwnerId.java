package dev.holdfast.node;

import java.util.Optional;

/**
 * The id of one vote or one queue entry at one node, unique for ever: {@code client/attempt/round} (PROTOCOL §1).
 *
 * <p>The time of its ticket, which a client never uses twice, identifies the attempt, so the id contains the ticket. Nodes send pushes to the client
 * that the client part names.
 *
 * @param client the client that sends the request: a readable name, {@code ~}, and at least eight random letters or digits
 * @param attempt the time of the attempt's ticket in microseconds
 * @param round the number of times that the attempt has released a vote at this node and retried, added to a multiple of {@value #ROUNDS}
 */
public record OwnerId(String client, long attempt, int round) {

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

    /** Parses {@code client/attempt/round}. Returns empty if the text is not an owner id, such as the value of a foreign client. */
    public static Optional<OwnerId> parse(String text) {
        int end = text.indexOf('/');
        int second = end < 0 ? -1 : text.indexOf('/', end + 1);
        if (second < 0 || !isClient(text.substring(0, end))) {
            return Optional.empty();
        }
        long attempt = number(text, end + 1, second, Ticket.LARGEST_TIME);
        long round = number(text, second + 1, text.length(), LARGEST_ROUND);
        return attempt < 0 || round < 0
                ? Optional.empty()
                : Optional.of(new OwnerId(text.substring(0, end), attempt, (int) round));
    }

    /** Returns the decimal number between the two positions, at most {@code largest}; -1 if there is none. */
    private static long number(String text, int from, int to, long largest) {
        if (from >= to || to - from > Long.toString(largest).length()) {
            return -1;
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = number * 10 + (c - '0');
        }
        return number <= largest ? number : -1;
    }

    /** Returns the owner's ticket, which is its position in the queue. */
    public Ticket ticket() {
        return new Ticket(attempt, client);
    }

    /** Returns the id of the same attempt after it has released its vote. */
    public OwnerId nextRound() {
        return new OwnerId(client, attempt, round + 1);
    }

    /** Returns the id with which the same attempt began. */
    public OwnerId firstRound() {
        return new OwnerId(client, attempt, round - round % ROUNDS);
    }

    /** Returns the readable part of the client, for people. */
    public String clientName() {
        return client.substring(0, client.indexOf('~'));
    }

    /** Returns the attempt without its round at a node: {@code client/attempt}. */
    public String withoutRound() {
        return client + "/" + attempt;
    }

    /** Returns the text that nodes store: {@code client/attempt/round}. */
    @Override
    public String toString() {
        return client + "/" + attempt + "/" + round;
    }
}
