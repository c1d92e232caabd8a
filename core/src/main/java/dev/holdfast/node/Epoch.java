package dev.holdfast.node;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value of the epoch key, which shows whether a server has kept its state since it started (PROTOCOL §5).
 *
 * <p>A client writes the key only if it is missing or belongs to another run. It uses {@link #first} if no client of this run knew the key before,
 * and {@link #lost} if the key is missing although it cannot have expired. Earlier versions wrote values with neither mark, even after an apparent
 * step of the server's clock. Such values count as a loss of state at the time that they name.
 *
 * @param runId the run of the server that the value describes; a value of another run shows that this run's state came from that run
 * @param nonce a text that distinguishes one write of the key from another
 * @param sinceMillis the time since which the server has kept its state, in milliseconds by its clock; empty if an operator or a test kit declared
 *     this run clean, however young it is.
 */
public record Epoch(String runId, String nonce, OptionalLong sinceMillis) {

    /** The key, which all locks of a database share. */
    public static final String KEY = "holdfast:epoch";

    private static final String FIRST = "first.";
    private static final String LOST = "lost.";
    private static final Pattern TEXT = Pattern.compile("([0-9a-zA-Z_.:-]+)/([0-9a-zA-Z_.:-]+)(?:/([0-9]{1,16}))?");

    public static Optional<Epoch> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String since = matcher.group(3);
        OptionalLong sinceMillis = since == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(since));
        return Optional.of(new Epoch(matcher.group(1), matcher.group(2), sinceMillis));
    }

    /** Returns the value of a run that has lost no state since its start, as far as the client knows. */
    static Epoch first(String runId, String nonce, long startedMillis) {
        return new Epoch(runId, FIRST + nonce, OptionalLong.of(startedMillis));
    }

    /** Returns the value of a run that lost state at that time. */
    static Epoch lost(String runId, String nonce, long lostMillis) {
        return new Epoch(runId, LOST + nonce, OptionalLong.of(lostMillis));
    }

    public boolean isDeclaredClean() {
        return sinceMillis.isEmpty();
    }

    /** Returns whether the value says only that its writer found no key. The age of the run is then the one that the server reports. */
    boolean isFirst() {
        return !isDeclaredClean() && nonce.startsWith(FIRST);
    }

    @Override
    public String toString() {
        return runId + "/" + nonce + (isDeclaredClean() ? "" : "/" + sinceMillis.getAsLong());
    }
}
