package dev.holdfast.redis.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** The header of a Linux executable, read only to find out whether a library can be preloaded into the program. */
final class ElfHeader {

    private static final int MAGIC = 0x7f454c46; // 0x7f E L F
    private static final int SIZE = 64;
    private static final byte CLASS_64 = 2;
    private static final byte LITTLE_ENDIAN = 1;
    private static final int INTERPRETER = 3;

    private ElfHeader() {}

    /**
     * Returns whether the program uses the dynamic linker, which does the preloading; {@code false} for anything but a
     * 64-bit ELF file.
     */
    static boolean isDynamic(Path executable) {
        try (FileChannel file = FileChannel.open(executable)) {
            ByteBuffer head = read(file, 0, SIZE);
            if (head.remaining() < SIZE || head.getInt(0) != MAGIC || head.get(4) != CLASS_64) {
                return false;
            }
            head.order(head.get(5) == LITTLE_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
            return hasInterpreter(file, head.order(), head.getLong(0x20), head.getShort(0x36), head.getShort(0x38));
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean hasInterpreter(FileChannel file, ByteOrder order, long offset, int entrySize, int entries)
            throws IOException {
        for (int i = 0; i < entries; i++) {
            ByteBuffer entry =
                    read(file, offset + (long) i * entrySize, Integer.BYTES).order(order);
            if (entry.remaining() == Integer.BYTES && entry.getInt(0) == INTERPRETER) {
                return true;
            }
        }
        return false;
    }

    private static ByteBuffer read(FileChannel file, long from, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        int read = 0;
        while (read >= 0 && bytes.hasRemaining()) {
            read = file.read(bytes, from + bytes.position());
        }
        return bytes.flip();
    }
}
