package dev.holdfast.torture.world;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The log that a server of a cluster prints in all its runs, and what the torture knows from it. Reads each line once. Thread-safe. */
final class ServerLog {

    private static final String SERVING = "Serving locks at ";
    private static final Pattern LEADS =
            Pattern.compile("Node <[^/-]+(?:-(\\d+))?/\\S+ become leader of group, term=(\\d+)");
    private static final Pattern AT_ONCE = Pattern.compile("received TimeoutNowRequest from \\S+, term=");
    private static final Pattern DAMAGED = Pattern.compile("Corrupted entry at index=\\d+, term=\\d+");

    private final Path file;
    private final Map<Integer, Long> terms = new HashMap<>(); // the last one as leader, by group
    private long position;
    private long serving;
    private long leader;
    private long electedAtOnce;
    private long damaged;

    ServerLog(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    /** Returns how often the server has begun to serve. */
    synchronized long timesServing() {
        read();
        return serving;
    }

    /** Returns how often it has begun to lead a group. */
    synchronized long timesLeader() {
        read();
        return leader;
    }

    /** Returns how often it has begun an election without waiting for the election timeout. */
    synchronized long timesElectedAtOnce() {
        read();
        return electedAtOnce;
    }

    /** Returns how often it has found an entry of its own log that is not as it was made. No fault of the torture damages entries. */
    synchronized long timesDamaged() {
        read();
        return damaged;
    }

    /** Returns the last term in which it began to lead a group; 0 if it never did. Each group counts its own terms. */
    synchronized long lastTermAsLeader(int group) {
        read();
        return terms.getOrDefault(group, 0L);
    }

    /** Reads the lines that are complete since the last time. */
    private void read() {
        if (!Files.exists(file)) {
            return;
        }
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
            byte[] fresh = new byte[Math.toIntExact(open.length() - position)];
            open.seek(position);
            open.readFully(fresh);
            String text = new String(fresh, StandardCharsets.ISO_8859_1); // one character for each byte
            String lines = text.substring(0, text.lastIndexOf('\n') + 1);
            position += lines.length();
            lines.lines().forEach(this::read);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(String line) {
        if (line.contains(SERVING)) {
            serving++;
        }
        if (AT_ONCE.matcher(line).find()) {
            electedAtOnce++;
        }
        if (DAMAGED.matcher(line).find()) {
            damaged++;
        }
        Matcher leads = LEADS.matcher(line);
        if (leads.find()) {
            leader++;
            int group = leads.group(1) == null ? 0 : Integer.parseInt(leads.group(1)); // the only group has no index
            terms.put(group, Long.parseLong(leads.group(2)));
        }
    }
}
