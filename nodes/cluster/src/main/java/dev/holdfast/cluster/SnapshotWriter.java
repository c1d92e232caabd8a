package dev.holdfast.cluster;

import dev.holdfast.node.StatePass;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Writes a snapshot: its version, all fields, and a checksum of both. */
final class SnapshotWriter implements StatePass {

    static final int VERSION = 1;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    SnapshotWriter() {
        number(VERSION);
    }

    @Override
    public long number(long present) {
        try {
            out.writeLong(present);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // no write to memory fails
        }
        return present;
    }

    @Override
    public String text(String present) {
        try {
            out.writeUTF(present);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // no text of a table is longer than 64 KiB
        }
        return present;
    }

    /** Returns the snapshot. Nothing may be written after that. */
    byte[] bytes() {
        number(checksum(bytes.toByteArray()));
        return bytes.toByteArray();
    }

    static long checksum(byte[] content) {
        return checksum(content, content.length);
    }

    static long checksum(byte[] content, int length) {
        CRC32 sum = new CRC32();
        sum.update(ByteBuffer.wrap(content, 0, length));
        return sum.getValue();
    }
}
