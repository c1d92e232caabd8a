package dev.holdfast.cluster;

import dev.holdfast.node.StatePass;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads a snapshot that {@link SnapshotWriter} wrote. */
final class SnapshotReader implements StatePass {

    private static final int CHECKSUM = Long.BYTES;

    private final DataInputStream in;

    /**
     * Checks the snapshot, and begins to read it.
     *
     * @throws UnreadableException if the bytes are damaged, or of a later version
     */
    SnapshotReader(byte[] snapshot) {
        int length = snapshot.length - CHECKSUM;
        if (length < Long.BYTES
                || ByteBuffer.wrap(snapshot).getLong(length) != SnapshotWriter.checksum(snapshot, length)) {
            throw new UnreadableException("a snapshot of " + snapshot.length + " bytes is damaged");
        }
        in = new DataInputStream(new ByteArrayInputStream(snapshot, 0, length));
        long version = number(0);
        if (version != SnapshotWriter.VERSION) {
            throw new UnreadableException("a snapshot has version " + version + "; this release reads version "
                    + SnapshotWriter.VERSION + ": start a later release here");
        }
    }

    @Override
    public long number(long present) {
        try {
            return in.readLong();
        } catch (IOException e) {
            throw new UnreadableException("a snapshot ends early");
        }
    }

    @Override
    public String text(String present) {
        try {
            return in.readUTF();
        } catch (IOException e) {
            throw new UnreadableException("a snapshot ends early");
        }
    }

    /** Checks that nothing is left to read. */
    void requireEnd() {
        try {
            if (in.available() > 0) {
                throw new UnreadableException("a snapshot has " + in.available() + " bytes too many");
            }
        } catch (IOException e) {
            throw new UnreadableException("a snapshot cannot be read: " + e.getMessage());
        }
    }
}
