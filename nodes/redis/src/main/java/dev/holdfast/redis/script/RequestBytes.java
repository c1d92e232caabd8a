package dev.holdfast.redis.script;

import dev.holdfast.node.OwnerId;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * A request as Redis reads it: an array of byte strings, each after its length. Written by the thread that asks, so that the event loop has
 * only to copy it. Not thread-safe until it is complete.
 */
public final class RequestBytes {

    /** Of a request about one lock, without its keys. What does not fit is copied, which costs more than the request. */
    private static final int USUAL_SIZE = 290;

    private static final int USUAL_KEY = 30; // without the lock's name

    private static final int MOST_DIGITS = 20;
    private static final int FRAME = MOST_DIGITS + 5; // of one part: its mark, its length and the two ends of lines

    private static final byte[][] BY_NAME =
            Stream.of(LuaScript.values()).map(RequestBytes::byName).toArray(byte[][]::new);

    private byte[] bytes;
    private int size;
    private boolean grown;

    /**
     * Begins one.
     *
     * @param parts how many will be added, the name of the command among them
     * @param locks how many locks it is about
     * @param keys how many keys of theirs there will be
     * @param names how long the names of the locks are in all keys, about
     */
    RequestBytes(int parts, int locks, int keys, int names) {
        bytes = new byte[USUAL_SIZE * locks + USUAL_KEY * keys + names];
        line('*', parts);
    }

    private static byte[] byName(LuaScript script) {
        RequestBytes request = new RequestBytes(0, 1, 0, 0).add("EVALSHA").add(script.sha1());
        return Arrays.copyOfRange(request.bytes, new RequestBytes(0, 1, 0, 0).size, request.size);
    }

    /** EVALSHA of a script. */
    RequestBytes addName(LuaScript script) {
        byte[] encoded = BY_NAME[script.ordinal()];
        ensure(encoded.length);
        put(encoded, 0, encoded.length);
        return this;
    }

    /** EVAL of a script. */
    RequestBytes addText(LuaScript script) {
        return add("EVAL").add(script.text());
    }

    RequestBytes add(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        ensure(utf8.length + FRAME);
        line('$', utf8.length);
        put(utf8, 0, utf8.length);
        endLine();
        return this;
    }

    RequestBytes add(long number) {
        ensure(MOST_DIGITS + FRAME);
        line('$', digits(number));
        putNumber(number);
        endLine();
        return this;
    }

    /** As its text is. */
    RequestBytes add(OwnerId owner) {
        String client = owner.client();
        int length = client.length() + 1 + digits(owner.attempt()) + 1 + digits(owner.round());
        ensure(length + FRAME);
        line('$', length);
        for (int i = 0; i < client.length(); i++) { // ASCII: OwnerId sees to it
            bytes[size++] = (byte) client.charAt(i);
        }
        bytes[size++] = '/';
        putNumber(owner.attempt());
        bytes[size++] = '/';
        putNumber(owner.round());
        endLine();
        return this;
    }

    /** One part, put together from pieces of others. */
    RequestBytes add(byte[] before, byte[] from, int begin, int end, byte[] middle, byte[] after) {
        int length = before.length + end - begin + middle.length + after.length;
        ensure(length + FRAME);
        line('$', length);
        put(before, 0, before.length);
        put(from, begin, end - begin);
        put(middle, 0, middle.length);
        put(after, 0, after.length);
        endLine();
        return this;
    }

    /** Whether it was larger than expected. */
    boolean hasGrown() {
        return grown;
    }

    public void writeTo(ByteBuf buffer) {
        buffer.writeBytes(bytes, 0, size);
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
            grown = true;
        }
    }

    private void line(char mark, int number) {
        bytes[size++] = (byte) mark;
        putNumber(number);
        endLine();
    }

    private void endLine() {
        bytes[size++] = '\r';
        bytes[size++] = '\n';
    }

    private void put(byte[] source, int from, int length) {
        System.arraycopy(source, from, bytes, size, length);
        size += length;
    }

    /** Not negative. */
    private void putNumber(long number) {
        int end = size + digits(number);
        long rest = number;
        for (int i = end - 1; i >= size; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        size = end;
    }

    private static int digits(long number) {
        int digits = 1;
        for (long rest = number; rest >= 10; rest /= 10) {
            digits++;
        }
        return digits;
    }
}
