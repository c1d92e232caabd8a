package dev.holdfast.redis;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value of the epoch key: since when a server has had its memory (PROTOCOL §5).
 *
 * @param runId the run of the server that this is about; a value of another run, from a file that was loaded, says nothing
 * @param nonce tells one writing of the key from another
 * @param sinceMillis by the server's clock; -1 if an operator or a test kit declared this run clean, however young it is
 */
record Epoch(String runId, String nonce, long sinceMillis) {

    /** One key for all locks of a database. */
    static final String KEY = "holdfast:epoch";

    static final long DECLARED_CLEAN = -1;

    private static final Pattern TEXT = Pattern.compile("([0-9a-zA-Z_.:-]+)/([0-9a-zA-Z_.:-]+)(?:/([0-9]{1,16}))?");

    static Optional<Epoch> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String since = matcher.group(3);
        return Optional.of(
                new Epoch(matcher.group(1), matcher.group(2), since == null ? DECLARED_CLEAN : Long.parseLong(since)));
    }

    boolean isDeclaredClean() {
        return sinceMillis == DECLARED_CLEAN;
    }

    @Override
    public String toString() {
        return runId + "/" + nonce + (isDeclaredClean() ? "" : "/" + sinceMillis);
    }
}
