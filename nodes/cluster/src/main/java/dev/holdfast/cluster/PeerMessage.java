package dev.holdfast.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A question of one server to another beside the log, or its answer: texts by their names. A server ignores names that it does not know, so releases can
 * add some.
 */
record PeerMessage(Map<String, String> fields) {

    private static final int VERSION = 1;

    /** The most characters in a field of a longer text. The format allows 64 KiB. */
    private static final int MOST_CHARACTERS = 60_000;

    PeerMessage {
        fields = Map.copyOf(fields);
    }

    /** Returns the text; an empty one if there is none. */
    String get(String field) {
        return fields.getOrDefault(field, "");
    }

    /** Returns the number; 0 if there is none. */
    long number(String field) {
        String text = get(field);
        try {
            return text.isEmpty() ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new UnreadableException("a message between servers has " + field + " '" + text + "', not a number");
        }
    }

    /**
     * Returns the fields about one group.
     *
     * @param groups the number of groups. A message of a cluster with one group does not mark its fields, as in releases without groups
     */
    PeerMessage of(int group, int groups) {
        if (groups == 1) {
            return this;
        }
        String mark = group + ".";
        Map<String, String> own = new HashMap<>();
        fields.forEach((name, value) -> {
            if (name.startsWith(mark)) {
                own.put(name.substring(mark.length()), value);
            }
        });
        return new PeerMessage(own);
    }

    /** Returns the name of a field about one group, which {@link #of} finds. */
    static String mark(String field, int group, int groups) {
        return groups == 1 ? field : group + "." + field;
    }

    /** Returns fields with these bytes, which {@link #content} joins. */
    static Map<String, String> contentFields(byte[] content) {
        String text = Base64.getEncoder().encodeToString(content);
        Map<String, String> fields = new HashMap<>();
        for (int begin = 0; begin < text.length() || begin == 0; begin += MOST_CHARACTERS) {
            fields.put(
                    "content." + begin / MOST_CHARACTERS,
                    text.substring(begin, Math.min(begin + MOST_CHARACTERS, text.length())));
        }
        return fields;
    }

    /** Returns the bytes of {@link #contentFields}; none without them. */
    byte[] content() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; fields.containsKey("content." + i); i++) {
            text.append(get("content." + i));
        }
        return Base64.getDecoder().decode(text.toString());
    }

    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(VERSION);
            out.writeInt(fields.size());
            for (Map.Entry<String, String> field : new TreeMap<>(fields).entrySet()) {
                out.writeUTF(field.getKey());
                out.writeUTF(field.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // no write to memory fails
        }
        return bytes.toByteArray();
    }

    static PeerMessage read(byte[] bytes) {
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            int version = in.readUnsignedByte();
            if (version != VERSION) {
                throw new UnreadableException(
                        "a message between servers has version " + version + "; this release reads version " + VERSION);
            }
            int count = in.readInt();
            Map<String, String> fields = new TreeMap<>();
            for (int i = 0; i < count; i++) {
                fields.put(in.readUTF(), in.readUTF());
            }
            return new PeerMessage(fields);
        } catch (IOException e) {
            throw new UnreadableException("a message between servers cannot be read: " + e);
        }
    }
}
