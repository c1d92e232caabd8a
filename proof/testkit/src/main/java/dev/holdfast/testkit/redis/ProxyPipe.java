package dev.holdfast.testkit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One direction of one connection. One thread reads all bytes, and another forwards them when they are due. A delay
 * therefore delays every byte equally, however many are under way, and held bytes have been accepted.
 */
final class ProxyPipe {

    private static final int CHUNK_BYTES = 16 * 1024;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long STEPS_PER_SECOND = 50;

    private final Socket from;
    private final Socket to;
    private final ProxyDirection way;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    private Traffic traffic;
    private long freeNanos = System.nanoTime(); // when a throttled pipe may forward more
    private boolean closed;

    ProxyPipe(Socket from, Socket to, ProxyDirection way) {
        this.from = from;
        this.to = to;
        this.way = way;
        traffic = way.traffic();
    }

    /** Bytes and the time of their arrival; no bytes mark the end of the stream. */
    private static final class Chunk {

        private final byte[] bytes;
        private final long atNanos;

        private Chunk(byte[] bytes, long atNanos) {
            this.bytes = bytes;
            this.atNanos = atNanos;
        }

        private Chunk part(int begin, int end) {
            return new Chunk(Arrays.copyOfRange(bytes, begin, end), atNanos);
        }
    }

    void set(Traffic now) {
        locked(() -> traffic = now);
    }

    void close() {
        locked(() -> closed = true);
    }

    /** Reads until the end of the stream, and never asks for a cut. */
    @Nullable
    Disconnect readAll() throws IOException {
        InputStream in = from.getInputStream();
        byte[] buffer = new byte[CHUNK_BYTES];
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
            awaitEndOfStall();
            way.accepted(length);
            add(Arrays.copyOf(buffer, length));
        }
        add(new byte[0]);
        return null;
    }

    /**
     * Writes until the end of the stream has been forwarded, or the connection must be cut.
     *
     * @return how to cut it
     */
    @Nullable
    Disconnect writeAll() throws IOException {
        for (Chunk chunk = next(); chunk != null; chunk = next()) {
            if (chunk.bytes.length == 0) {
                to.shutdownOutput();
                return null;
            }
            ProxyDirection.Claim claim = way.claim(chunk.bytes.length);
            to.getOutputStream().write(chunk.bytes, 0, claim.bytes());
            way.passed(claim.bytes());
            if (claim.then() != null) {
                return claim.then();
            }
        }
        return null;
    }

    private void awaitEndOfStall() {
        lock.lock();
        try {
            while (!closed && traffic.kind() == Traffic.Kind.STALL) {
                await(Long.MAX_VALUE);
            }
        } finally {
            lock.unlock();
        }
    }

    private void add(byte[] bytes) {
        locked(() -> chunks.add(new Chunk(bytes, System.nanoTime())));
    }

    /** Returns the next chunk to forward, once it is due; {@code null} when the pipe was closed. */
    private @Nullable Chunk next() {
        lock.lock();
        try {
            while (!closed) {
                Chunk first = chunks.peek();
                long wait = first == null || traffic.kind() == Traffic.Kind.HOLD || traffic.kind() == Traffic.Kind.STALL
                        ? Long.MAX_VALUE
                        : Math.max(first.atNanos + traffic.delayNanos(), throttledUntil()) - System.nanoTime();
                if (wait > 0) {
                    await(wait);
                } else if (traffic.kind() == Traffic.Kind.LOSE) {
                    chunks.remove();
                } else {
                    return throttled(chunks.remove());
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private long throttledUntil() {
        return traffic.bytesPerSecond() == Long.MAX_VALUE ? Long.MIN_VALUE : freeNanos;
    }

    /** Returns the part that a throttled pipe may forward now; the rest goes back to the front. */
    private Chunk throttled(Chunk first) {
        if (traffic.bytesPerSecond() == Long.MAX_VALUE) {
            return first;
        }
        int bytes = (int) Math.min(first.bytes.length, Math.max(traffic.bytesPerSecond() / STEPS_PER_SECOND, 1));
        freeNanos = System.nanoTime() + bytes * NANOS_PER_SECOND / traffic.bytesPerSecond();
        if (bytes < first.bytes.length) {
            chunks.addFirst(first.part(bytes, first.bytes.length));
        }
        return first.part(0, bytes);
    }

    @SuppressWarnings("WaitNotInLoop") // the caller checks again, however early it wakes
    private void await(long nanos) {
        try {
            changed.awaitNanos(nanos);
        } catch (InterruptedException e) {
            closed = true; // only the end of these threads interrupts them
        }
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
