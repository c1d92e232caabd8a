package dev.holdfast.redis.script;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader of a script's answer: an integer, or lists of texts, integers and lists. An integer is the most frequent answer and costs
 * nothing to read.
 */
public final class ScriptOutput extends CommandOutput<String, String, Object> {

    private static final int MOST_AT_FIRST = 16; // places in a list, regardless of the length that the server announces

    private boolean isNumber;
    private long number;
    private @Nullable List<Object> parts;
    private @Nullable Deque<List<Object>> outer;

    @SuppressWarnings("NullAway") // Lettuce's own outputs also begin with null
    public ScriptOutput() {
        super(StringCodec.UTF8, null);
    }

    @Override
    public Reply get() {
        if (isNumber) {
            return new Reply(number);
        }
        return new Reply(parts == null ? List.of() : parts);
    }

    @Override
    public void set(long integer) {
        if (parts == null) {
            isNumber = true;
            number = integer;
        } else {
            add(integer);
        }
    }

    @Override
    public void set(double part) {
        add(part);
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        add(bytes == null ? null : StringCodec.UTF8.decodeValue(bytes));
    }

    @SuppressWarnings("NullAway") // a Java list may hold null
    private void add(@Nullable Object part) {
        List<Object> list = parts;
        if (list == null) {
            list = new ArrayList<>();
            parts = list;
        }
        list.add(part);
    }

    @Override
    public void multi(int count) {
        List<Object> list = new ArrayList<>(Math.min(Math.max(count, 1), MOST_AT_FIRST));
        List<Object> around = parts;
        if (around != null) {
            around.add(list);
            if (outer == null) {
                outer = new ArrayDeque<>();
            }
            outer.push(around);
        }
        parts = list;
    }

    /** Completes an element that lies within this many lists. */
    @Override
    public void complete(int depth) {
        Deque<List<Object>> open = outer;
        while (open != null && !open.isEmpty() && depth > 0 && depth <= open.size()) {
            parts = open.pop();
        }
    }
}
