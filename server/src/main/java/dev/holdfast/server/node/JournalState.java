package dev.holdfast.server.node;

import dev.holdfast.lock.HoldfastException;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.ServerLogger;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The content of the file of a {@link PromiseJournal}. The first line names the format. Each further line has a checksum and a JSON object.
 *
 * <pre>
 * holdfast promises 1
 * 6f3a01c2 {"votesUntilMillis":1763770000000,"fence":1882512513040385,"incarnation":"5c1e…","asked":true,"newSinceMillis":1763700000000}
 * 90b1d277 {"sealed":"lock:orders:42","by":"billing@h~a1b2c3d4/17/0","sinceMillis":1763760000000,"untilMillis":1763846400000}
 * </pre>
 *
 * @param untilMillis the time until which votes may last, in ms of the wall clock
 * @param fence the upper bound of all fences
 * @param folder what is known of the folder itself
 * @param seals by resource
 */
record JournalState(long untilMillis, long fence, Folder folder, Map<String, PromiseJournal.Sealed> seals) {

    static final String HEAD = "holdfast promises 1\n";

    private static final int CHECKSUM_DIGITS = 8;
    private static final Pattern RECORD_START = Pattern.compile("(?=[0-9a-f]{8} \\{\"(sealed|votesUntilMillis)\")");
    private static final System.Logger LOG = ServerLogger.get();

    /**
     * The facts about the folder itself.
     *
     * @param incarnation a random name that the folder got when a server found no file in it; empty in a file of a version that gave none
     * @param newSinceMillis the time at which a server found no file here, in ms of the wall clock; that server knew no earlier votes. It is 0 if the
     *     folder lacks no votes, or a version wrote it that did not record the time
     * @param asked whether a client has ever asked this node for a vote
     */
    record Folder(String incarnation, long newSinceMillis, boolean asked) {

        /** Returns whether the folder certainly lacks no promise, at any age. */
        boolean isComplete() {
            return newSinceMillis == 0;
        }
    }

    JournalState {
        seals = Map.copyOf(seals);
    }

    /** Returns the line of these facts. The line begins with the votes, by which a reader finds it. */
    static String line(long untilMillis, long fence, Folder folder) {
        ObjectNode object = Json.object()
                .put("votesUntilMillis", untilMillis)
                .put("fence", fence)
                .put("incarnation", folder.incarnation())
                .put("asked", folder.asked());
        if (!folder.isComplete()) {
            object.put("newSinceMillis", folder.newSinceMillis());
        }
        return line(object.toString());
    }

    static String line(PromiseJournal.Sealed one) {
        return line(Json.object()
                .put("sealed", one.resource())
                .put("by", one.by())
                .put("sinceMillis", one.sinceMillis())
                .put("untilMillis", one.untilMillis())
                .toString());
    }

    private static String line(String json) {
        return checksum(json) + " " + json + "\n";
    }

    private static String checksum(String json) {
        CRC32 crc = new CRC32();
        crc.update(json.getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", crc.getValue());
    }

    /** Returns the first seal with the expiry of the one that lasts longer. */
    static PromiseJournal.Sealed later(PromiseJournal.Sealed one, PromiseJournal.Sealed other) {
        return new PromiseJournal.Sealed(
                one.resource(), one.by(), one.sinceMillis(), Math.max(one.untilMillis(), other.untilMillis()));
    }

    /**
     * Reads a file. Its last line may be incomplete, since the server may have ended during the write; no promise depended on it. The same holds for a partial
     * line with the next record appended to it; that record is read.
     *
     * @throws HoldfastException if the file is damaged elsewhere, since a server that ignored that might grant a held lock
     */
    static JournalState read(Path path) throws IOException {
        String text = Files.readString(path, StandardCharsets.ISO_8859_1);
        if (!text.startsWith(HEAD)) {
            throw new HoldfastException(path + " is not a journal of promises that this version can read");
        }
        long until = 0;
        long fence = 0;
        Folder folder = new Folder("", 0, true);
        Map<String, PromiseJournal.Sealed> seals = new LinkedHashMap<>();
        int number = 1;
        int start = HEAD.length();
        for (int end = text.indexOf('\n', start); end >= 0; start = end + 1, end = text.indexOf('\n', start)) {
            number++;
            JsonNode line = parsed(text.substring(start, end));
            if (line == null && (line = gluedOn(text.substring(start, end))) != null) {
                LOG.log(
                        Level.WARNING,
                        path + ", line " + number
                                + ": a write of an earlier run was cut short. The record after it is intact, so no"
                                + " promise is lost");
            }
            if (line == null) {
                if (text.indexOf('\n', end + 1) < 0 && end + 1 == text.length()) {
                    break;
                }
                throw new HoldfastException(path + " is damaged in line " + number
                        + ". Delete that line only: the others stay valid. The line may have held a seal,"
                        + " which is then lost, or the expiry of votes: start no server on this folder before"
                        + " the longest ttl in use has passed");
            }
            if (line.has("sealed")) {
                PromiseJournal.Sealed one = new PromiseJournal.Sealed(
                        line.get("sealed").asString(),
                        line.get("by").asString(),
                        line.get("sinceMillis").asLong(),
                        line.get("untilMillis").asLong());
                seals.merge(one.resource(), one, JournalState::later);
            } else {
                until = line.get("votesUntilMillis").asLong();
                fence = line.get("fence").asLong();
                folder = new Folder(
                        line.path("incarnation").asString(""),
                        line.path("newSinceMillis").asLong(0),
                        line.path("asked").asBoolean(true));
            }
        }
        return new JournalState(until, fence, folder, seals);
    }

    /**
     * Returns the record at the end of a line that begins with a part of another record; null if there is none. Earlier versions continued after a write that
     * had failed half way. The part was never promised, but the record was.
     */
    private static @Nullable JsonNode gluedOn(String latin) {
        Matcher start = RECORD_START.matcher(latin);
        while (start.find()) {
            JsonNode record = start.start() == 0 ? null : parsed(latin.substring(start.start()));
            if (record != null) {
                return record;
            }
        }
        return null;
    }

    /** Returns the record of a line; null if the line does not match its checksum. */
    private static @Nullable JsonNode parsed(String latin) {
        String line = new String(latin.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        if (line.length() <= CHECKSUM_DIGITS + 1) {
            return null;
        }
        String json = line.substring(CHECKSUM_DIGITS + 1);
        if (!line.startsWith(checksum(json) + " ")) {
            return null;
        }
        try {
            return Json.MAPPER.readTree(json);
        } catch (JacksonException e) {
            return null;
        }
    }
}
