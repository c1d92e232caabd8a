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
 * What a lock protects: one at a time may be in it. It lies in a file that all processes map into their memory, so that they see each other, and
 * it counts those who come in while somebody else is there. Thread-safe.
 */
final class Room {

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();

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

    void enter() {
        if ((int) INT.getAndAdd(memory, 0, 1) != 0) {
            intruders.incrementAndGet();
        }
    }

    void leave() {
        int before = (int) INT.getAndAdd(memory, 0, -1);
        assert before > 0;
    }

    /** How often this process came in while somebody was there. */
    long intruders() {
        return intruders.get();
    }
}
