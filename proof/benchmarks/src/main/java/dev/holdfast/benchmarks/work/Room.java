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
 * The resource that a lock protects: a room for one holder at a time, or for many that share it. It is in a file that
 * all processes map into their memory, so they see each other. It counts entries that violate the rule. Thread-safe.
 */
final class Room {

    /** The weight of a holder that shares the room. */
    static final int SHARED = 1;

    /** The weight of a holder that must be alone. */
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

    /** Enters the room, as {@link #SHARED} or {@link #ALONE}. */
    void enter(int weight) {
        int inside = (int) INT.getAndAdd(memory, 0, weight);
        if (weight == ALONE ? inside != 0 : inside >= ALONE) {
            intruders.incrementAndGet();
        }
    }

    /** Leaves the room. */
    void leave(int weight) {
        int inside = (int) INT.getAndAdd(memory, 0, -weight);
        if (inside < weight) {
            throw new IllegalStateException("the room was empty");
        }
    }

    /** Returns how often a thread of this process entered in violation of the rule. */
    long intruders() {
        return intruders.get();
    }
}
