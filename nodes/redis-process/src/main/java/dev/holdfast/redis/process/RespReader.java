package dev.holdfast.redis.process;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader of RESP2 replies: {@code String}, {@code Long}, {@code List}, {@link RedisErrorReply} as a value, or
 * {@code null}.
 */
final class RespReader {

    private static final int LONGEST_LINE_BYTES = 64 * 1024;
    private static final int LONGEST_BULK_BYTES = 512 * 1024 * 1024;
    private static final int DEEPEST = 32;

    private final InputStream in;

    RespReader(InputStream in) {
        this.in = in;
    }

    @Nullable
    Object read() throws IOException {
        return read(0);
    }

    private @Nullable Object read(int depth) throws IOException {
        int type = next();
        String line = line();
        return switch (type) {
            case '+' -> line;
            case '-' -> new RedisErrorReply(line);
            case ':' -> number(line);
            case '$' -> bulk(number(line));
            case '*' -> array(number(line), depth + 1);
            default -> throw new IOException("not a RESP2 reply: " + (char) type + line);
        };
    }

    private @Nullable String bulk(long length) throws IOException {
        if (length == -1) {
            return null;
        }
        if (length < 0 || length > LONGEST_BULK_BYTES) {
            throw new IOException("a bulk string of " + length + " bytes");
        }
        byte[] bytes = in.readNBytes((int) length);
        if (bytes.length < length || next() != '\r' || next() != '\n') {
            throw new EOFException("a bulk string of " + length + " bytes ended otherwise, after " + bytes.length);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private @Nullable List<@Nullable Object> array(long length, int depth) throws IOException {
        if (length == -1) {
            return null;
        }
        if (length < 0 || depth > DEEPEST) {
            throw new IOException("an array of " + length + " at depth " + depth);
        }
        List<@Nullable Object> values = new ArrayList<>();
        for (long i = 0; i < length; i++) {
            values.add(read(depth));
        }
        return values;
    }

    private String line() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int b = next(); b != '\r'; b = next()) {
            if (bytes.size() == LONGEST_LINE_BYTES) {
                throw new IOException("a line of more than " + LONGEST_LINE_BYTES + " bytes");
            }
            bytes.write(b);
        }
        if (next() != '\n') {
            throw new IOException("CR without LF");
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static long number(String line) throws IOException {
        try {
            return Long.parseLong(line);
        } catch (NumberFormatException e) {
            throw new IOException("not a number: " + line, e);
        }
    }

    private int next() throws IOException {
        int b = in.read();
        if (b < 0) {
            throw new EOFException("the server closed the connection");
        }
        return b;
    }
}
