package dev.holdfast.cluster;

import dev.holdfast.time.Scheduler;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One connection between two servers, which carries frames in both directions. Thread-safe.
 *
 * <p>A thread that sends a small frame writes it to the socket itself, and a frame that arrives is handled by the thread that reads the socket. So no frame has
 * to wake a second thread on its way. A write by the sender must not block, since the sender may hold locks of the engine. So it happens only if the sender
 * says that the buffers of the socket have room. All other frames take the way through a thread that only writes. The thread that reads never writes: if
 * both ends waited for room, neither would make any.
 *
 * <p>The thread that reads also connects. So the caller of {@link #start} does not wait for the network. Until the other server has accepted it, frames wait.
 */
final class PeerConnection implements AutoCloseable {

    private static final int BUFFER_BYTES = 64 * 1024;

    /** The longest frame that its sender writes. */
    private static final int MOST_WRITTEN_BYTES = 16 * 1024;

    /** The longest frame that a server reads. The state of a cluster, in a backup, is one frame. */
    private static final int LONGEST_FRAME_BYTES = 1 << 30;

    /** The bytes that wait for the thread that writes, beyond which the other server counts as stuck. */
    private static final long MOST_WAITING_BYTES = 64L << 20;

    private final Socket transport;
    private final Opening opening;
    private final Receiver receiver;
    private final ReentrantLock writing = new ReentrantLock();
    private final Queue<byte[]> waiting = new ConcurrentLinkedQueue<>();
    private final Semaphore work = new Semaphore(0); // of the thread that writes
    private final AtomicLong waitingBytes = new AtomicLong();
    private volatile @Nullable Thread reader;
    private volatile @Nullable BufferedOutputStream out; // null until the other server has accepted the connection
    private volatile boolean closed;

    /** The steps that make a connection ready for frames. They run on the thread that reads, and may wait. */
    interface Opening {

        /**
         * Connects the transport if it is not connected yet, and does the handshake of TLS if there is TLS.
         *
         * @return the socket of the frames: the transport, or the TLS over it
         */
        Socket open() throws IOException;
    }

    /** The receiver of a connection's frames. Each call comes on the thread that reads, and must not wait for a later frame. */
    interface Receiver {

        void received(Frame frame);

        /** Handles the end of the connection, which is the last call. */
        void ended(IOException why);
    }

    /** A request or its answer. */
    static final class Frame {

        private static final int REQUEST = 0xA1;
        private static final int ANSWER = 0xA2;

        private final long id;
        private final boolean isAnswer;
        private final String type;
        private final byte[] content;

        /**
         * Creates a frame.
         *
         * @param id the number of the request at its sender; the answer has the same
         * @param type the kind of message in the content
         */
        Frame(long id, boolean isAnswer, String type, byte[] content) {
            this.id = id;
            this.isAnswer = isAnswer;
            this.type = type;
            this.content = content;
        }

        long id() {
            return id;
        }

        boolean isAnswer() {
            return isAnswer;
        }

        String type() {
            return type;
        }

        byte[] content() {
            return content;
        }

        /** Returns the bytes on the connection. */
        byte[] bytes() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(content.length + 128);
            try {
                DataOutputStream data = new DataOutputStream(bytes);
                data.writeInt(0);
                data.writeByte(isAnswer ? ANSWER : REQUEST);
                data.writeLong(id);
                data.writeUTF(type);
                data.write(content);
            } catch (IOException e) {
                throw new UncheckedIOException(e); // no write to memory fails
            }
            byte[] all = bytes.toByteArray();
            ByteBuffer.wrap(all).putInt(0, all.length - Integer.BYTES);
            return all;
        }

        static Frame read(DataInputStream in) throws IOException {
            int length = in.readInt();
            if (length < 0 || length > LONGEST_FRAME_BYTES) {
                throw new IOException("no server of a cluster sends a frame of " + length + " bytes");
            }
            byte[] all = in.readNBytes(length);
            if (all.length < length) {
                throw new EOFException();
            }
            DataInputStream data = new DataInputStream(new ByteArrayInputStream(all));
            int kind = data.readUnsignedByte();
            if (kind != REQUEST && kind != ANSWER) {
                throw new IOException("no server of this release sends frames of kind " + kind);
            }
            return new Frame(data.readLong(), kind == ANSWER, data.readUTF(), data.readAllBytes());
        }
    }

    /** Takes over a socket, and closes it at the end. */
    PeerConnection(Socket transport, Opening opening, Receiver receiver) {
        this.transport = transport;
        this.opening = opening;
        this.receiver = receiver;
    }

    /**
     * Starts to connect, and then to read and to write. Returns at once.
     *
     * @param name the beginning of the names of the two threads
     */
    void start(Scheduler scheduler, String name) {
        scheduler.start(name + "-in", () -> read(scheduler, name));
    }

    private DataInputStream open(Scheduler scheduler, String name) throws IOException {
        Socket socket = opening.open();
        DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
        BufferedOutputStream opened = new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES);
        out = opened;
        scheduler.start(name + "-out", () -> writeWaiting(opened));
        return in;
    }

    /** Returns whether frames can be sent: the connection has not ended, though the other server may not have accepted it yet. */
    boolean isOpen() {
        return !closed;
    }

    /** Returns whether the other server has accepted the connection. It may have ended since. */
    boolean isAccepted() {
        return out != null;
    }

    /**
     * Sends a frame.
     *
     * @param fits whether the buffers of the socket have room for the frame
     * @throws IOException if the connection has ended
     */
    void send(byte[] frame, boolean fits) throws IOException {
        BufferedOutputStream opened = out;
        boolean own = fits && frame.length <= MOST_WRITTEN_BYTES && Thread.currentThread() != reader;
        if (opened != null && own && writing.tryLock()) {
            try {
                if (waiting.isEmpty()) {
                    opened.write(frame);
                    opened.flush();
                    return;
                }
            } catch (IOException e) {
                close();
                throw e;
            } finally {
                writing.unlock();
            }
        }
        if (closed) {
            throw new SocketException("the connection is closed");
        }
        if (waitingBytes.getAndAdd(frame.length) > MOST_WAITING_BYTES) {
            close();
            throw new SocketException("the other server does not read");
        }
        waiting.add(frame);
        work.release();
    }

    private void writeWaiting(BufferedOutputStream opened) {
        try {
            while (!closed) {
                work.acquire();
                work.drainPermits();
                writing.lock();
                try {
                    for (byte[] frame = waiting.poll(); frame != null; frame = waiting.poll()) {
                        waitingBytes.addAndGet(-frame.length);
                        opened.write(frame);
                    }
                    opened.flush();
                } finally {
                    writing.unlock();
                }
            }
        } catch (IOException e) {
            close(); // the thread that reads reports the end
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
        }
    }

    private void read(Scheduler scheduler, String name) {
        reader = Thread.currentThread();
        IOException why = new EOFException("the other server closed the connection");
        try {
            DataInputStream in = open(scheduler, name);
            while (true) {
                receiver.received(Frame.read(in));
            }
        } catch (EOFException e) {
            // that is why
        } catch (IOException e) {
            why = e;
        } catch (RuntimeException e) {
            why = new IOException("a message of the other server cannot be read: " + e, e);
        } finally {
            close();
            receiver.ended(why);
        }
    }

    /** Ends the connection. A second call has no effect. */
    @Override
    public void close() {
        closed = true;
        work.release(); // so that the thread that writes ends
        try {
            transport.close(); // without the farewell of TLS, which would wait for a write under way
        } catch (IOException e) {
            return; // it is closed all the same
        }
    }
}
