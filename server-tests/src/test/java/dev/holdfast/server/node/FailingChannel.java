package dev.holdfast.server.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Random;

/** A file on a disk that fails at random: no space, an error, a write that is cut short, a force that fails, a truncation that fails. */
final class FailingChannel extends FileChannel {

    /** The failing operation, and the number of failures. */
    static final class Disk {

        final Random random;
        double failures;
        int failed;

        Disk(long seed) {
            this.random = new Random(seed);
        }

        FileChannel open(Path path, OpenOption... options) throws IOException {
            fail("No space left on device");
            return new FailingChannel(FileChannel.open(path, options), this, Files.isDirectory(path));
        }

        private boolean fails() {
            boolean fails = random.nextDouble() < failures;
            failed += fails ? 1 : 0;
            return fails;
        }

        private void fail(String why) throws IOException {
            if (fails()) {
                throw new IOException(why);
            }
        }
    }

    private final FileChannel file;
    private final Disk disk;
    private final boolean isFolder;

    /** How much is on the disk for certain. */
    private long forced;

    private FailingChannel(FileChannel file, Disk disk, boolean isFolder) {
        this.file = file;
        this.disk = disk;
        this.isFolder = isFolder;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        if (disk.fails()) {
            int some = disk.random.nextInt(source.remaining() + 1);
            ByteBuffer part = source.duplicate();
            part.limit(part.position() + some);
            file.write(part);
            source.position(source.position() + some);
            throw new IOException(disk.random.nextBoolean() ? "No space left on device" : "Input/output error");
        }
        if (source.remaining() > 1 && disk.random.nextInt(4) == 0) { // short, which is no failure
            ByteBuffer part = source.duplicate();
            part.limit(part.position() + 1 + disk.random.nextInt(part.remaining() - 1));
            int written = file.write(part);
            source.position(source.position() + written);
            return written;
        }
        return file.write(source);
    }

    @Override
    public void force(boolean metaData) throws IOException {
        if (disk.fails()) {
            lose();
            throw new IOException("Input/output error");
        }
        file.force(metaData);
        forced = file.size();
    }

    /** The system drops what it could not write: a later force succeeds, and after a crash there are zeros. */
    private void lose() throws IOException {
        if (isFolder) {
            return;
        }
        long lost = file.size() - forced;
        if (lost > 0) {
            file.write(ByteBuffer.allocate((int) lost), forced);
        }
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        disk.fail("Input/output error");
        file.truncate(size);
        forced = Math.min(forced, size);
        return this;
    }

    @Override
    public long position() throws IOException {
        return file.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        file.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    protected void implCloseChannel() throws IOException {
        file.close();
    }

    @Override
    public int read(ByteBuffer target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer target, long position) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer source, long position) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }
}
