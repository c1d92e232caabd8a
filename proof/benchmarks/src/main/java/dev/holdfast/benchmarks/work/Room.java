package dev.holdfast.benchmarks.work;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a lock protects: one at a time may be in it, or many who share it. It lies in a file that all processes map into their memory, so that
 * they see each other, and it counts those who come in when they must not. Thread-safe.
 */
final class Room {

    /** Of those who share it with their like. */
    static final int SHARED = 1;

    /** Of those who must be alone. */
    static final int ALONE = 1 << 16;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final ByteBuffer memory;
    private final AtomicLong intruders = new AtomicLong();

    private Room(ByteBuffer memory) {
        this.memory = memory;
    }

    static Room open(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new Room(channel.map(FileChannel.MapMode.READ_WRITE, 0, Integer.BYTES));
        }
    }

    /** Comes in, as {@link #SHARED} or {@link #ALONE}. */
    void enter(int weight) {
        int inside = (int) INT.getAndAdd(memory, 0, weight);
        if (weight == ALONE ? inside != 0 : inside >= ALONE) {
            intruders.incrementAndGet();
        }
    }

    /** Goes out again. */
    void leave(int weight) {
        int inside = (int) INT.getAndAdd(memory, 0, -weight);
        if (inside < weight) {
            throw new IllegalStateException("nobody was in");
        }
    }

    /** Returns how often somebody of this process came in who must not. */
    long intruders() {
        return intruders.get();
    }
}
