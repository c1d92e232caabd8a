package dev.holdfast.torture.world;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The log that a server of a cluster has printed in all its runs.
 *
 * @param file the file
 */
record ServerLog(Path file) {

    private static final Pattern SERVING = Pattern.compile("Serving locks at ");
    private static final Pattern LEADS = Pattern.compile("become leader of group, term=(\\d+)");
    private static final Pattern AT_ONCE = Pattern.compile("received TimeoutNowRequest from \\S+, term=");
    private static final Pattern DAMAGED = Pattern.compile("Corrupted entry at index=\\d+, term=\\d+");

    private String text() {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long count(Pattern pattern) {
        return pattern.matcher(text()).results().count();
    }

    /** Returns how often it has begun to serve. */
    long timesServing() {
        return count(SERVING);
    }

    /** Returns how often it has begun to lead. */
    long timesLeader() {
        return count(LEADS);
    }

    /** Returns how often it has begun an election without waiting for the election timeout. */
    long timesElectedAtOnce() {
        return count(AT_ONCE);
    }

    /** Returns how often it has found an entry of its own log that is not as it was made. No fault of the torture damages entries. */
    long timesDamaged() {
        return count(DAMAGED);
    }

    /** Returns the last term in which it began to lead; 0 if it never did. */
    long lastTermAsLeader() {
        Matcher matcher = LEADS.matcher(text());
        long term = 0;
        while (matcher.find()) {
            term = Long.parseLong(matcher.group(1));
        }
        return term;
    }
}
