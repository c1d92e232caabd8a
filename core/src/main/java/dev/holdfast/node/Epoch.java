package dev.holdfast.node;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value of the epoch key: whether a server has kept its state since it started (PROTOCOL §5).
 *
 * <p>A client writes the key only where it is missing, or belongs to another run: by {@link #first} where no client of this run knew it
 * before, by {@link #lost} where it is missing before its time. The version before 0.2 wrote values without either mark, also after what
 * it took for a step of the server's clock; they count as a loss at the time that they name.
 *
 * @param runId the run of the server that this is about; a value of another run shows that this run's state came from that one
 * @param nonce tells one writing of the key from another
 * @param sinceMillis by the server's clock; -1 if an operator or a test kit declared this run clean, however young it is
 */
public record Epoch(String runId, String nonce, long sinceMillis) {

    /** One key for all locks of a database. */
    public static final String KEY = "holdfast:epoch";

    static final long DECLARED_CLEAN = -1;

    private static final String FIRST = "first.";
    private static final String LOST = "lost.";
    private static final Pattern TEXT = Pattern.compile("([0-9a-zA-Z_.:-]+)/([0-9a-zA-Z_.:-]+)(?:/([0-9]{1,16}))?");

    public static Optional<Epoch> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String since = matcher.group(3);
        return Optional.of(
                new Epoch(matcher.group(1), matcher.group(2), since == null ? DECLARED_CLEAN : Long.parseLong(since)));
    }

    /** Nothing is known to be lost since the start of the run. */
    static Epoch first(String runId, String nonce, long startedMillis) {
        return new Epoch(runId, FIRST + nonce, startedMillis);
    }

    /** The server lost state at that time. */
    static Epoch lost(String runId, String nonce, long lostMillis) {
        return new Epoch(runId, LOST + nonce, lostMillis);
    }

    public boolean isDeclaredClean() {
        return sinceMillis == DECLARED_CLEAN;
    }

    /** Whether it says only that its writer found no key; the age of the run is what the server reports. */
    boolean isFirst() {
        return !isDeclaredClean() && nonce.startsWith(FIRST);
    }

    @Override
    public String toString() {
        return runId + "/" + nonce + (isDeclaredClean() ? "" : "/" + sinceMillis);
    }
}
