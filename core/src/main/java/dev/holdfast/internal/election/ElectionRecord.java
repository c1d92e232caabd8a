package dev.holdfast.internal.election;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The record that a leader writes into the lock's value, for observers and for later leaders. It is text, in lines that end with a line feed:
 *
 * <pre>
 * holdfast-election 1                    the kind and the version of the record
 * TERM SINCE OWNER                       the leader's token; its election, in milliseconds since 1970; its owner id without the round
 * NAME                                   the candidate's name
 * SUCCESSOR                              the name of the next leader; an empty line if any candidate may lead
 * STATE                                  the leader's state, as it is, to the end
 * </pre>
 *
 * <p>A record has at most 20 + 184 + 101 + 101 + 512 bytes of UTF-8, so it fits into a value. Any other text is not a record.
 *
 * @param term the leader's fencing token
 * @param sinceMillis when it was elected, by its wall clock
 * @param owner {@code client/attempt} of its lease, which tells whether the record is that of the present holder
 * @param candidateName the leader's name
 * @param successor the name of the candidate that is to lead next; empty if any candidate may
 * @param state the state that the leader passes on to the next leader
 */
record ElectionRecord(long term, long sinceMillis, String owner, String candidateName, String successor, String state) {

    static final int LONGEST_STATE_BYTES = 512;

    private static final String MARK = "holdfast-election 1\n";
    private static final Pattern TEXT = Pattern.compile(
            Pattern.quote(MARK) + "(\\d{1,16}) (\\d{1,15}) (\\S{1,150})\n([^\n]{1,100})\n([^\n]{0,100})\n(.*)",
            Pattern.DOTALL);

    /** Parses a record; empty if the text is not a record. */
    static Optional<ElectionRecord> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String name = matcher.group(4);
        String successor = matcher.group(5);
        if (!CandidateName.isValid(name) || (!successor.isEmpty() && !CandidateName.isValid(successor))) {
            return Optional.empty();
        }
        return Optional.of(new ElectionRecord(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                matcher.group(3),
                name,
                successor,
                matcher.group(6)));
    }

    /** Returns an owner id as a record contains it: without the round, which may differ from node to node, and without the label. */
    static String ownerOf(String ownerId) {
        return ownerId.substring(0, ownerId.indexOf('/', ownerId.indexOf('/') + 1));
    }

    /**
     * Returns the state if it is valid.
     *
     * @throws IllegalArgumentException if it is too long, or not valid UTF-16
     */
    static String requireState(String state) {
        int bytes;
        try {
            bytes = StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(state))
                    .remaining();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("state holds half a surrogate pair, which has no UTF-8 form");
        }
        if (bytes > LONGEST_STATE_BYTES) {
            throw new IllegalArgumentException(
                    "state has " + bytes + " bytes of UTF-8, but may have " + LONGEST_STATE_BYTES);
        }
        return state;
    }

    ElectionRecord withState(String changed) {
        return new ElectionRecord(term, sinceMillis, owner, candidateName, successor, changed);
    }

    ElectionRecord withSuccessor(String changed) {
        return new ElectionRecord(term, sinceMillis, owner, candidateName, changed, state);
    }

    /** Returns the text that {@link #parse} reads. */
    String text() {
        return MARK + term + " " + sinceMillis + " " + owner + "\n" + candidateName + "\n" + successor + "\n" + state;
    }
}
