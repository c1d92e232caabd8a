package dev.holdfast.cluster;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the log: the operations that arrived while the entry before was being committed, and their time.
 *
 * <p>In bytes, a batch is its version, the time, the number of operations, and each operation with its kind. A server reads the versions of all
 * releases before it, and stops at a later one: to skip an operation would make its table differ from that of the others.
 *
 * @param millis the log time of all operations in the batch
 * @param operations the operations, in the order of their arrival
 */
record Batch(long millis, List<Operation<?>> operations) {

    private static final int VERSION = 1;

    private static final int ACQUIRE = 1;
    private static final int RELEASE = 2;
    private static final int INSPECT = 3;
    private static final int NAMES = 4;
    private static final int SWEEP = 5;

    private static final LockMode[] MODES = {
        LockMode.NL, LockMode.CR, LockMode.CW, LockMode.PR, LockMode.PW, LockMode.EX
    };

    Batch {
        operations = List.copyOf(operations);
    }

    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(VERSION);
            out.writeLong(millis);
            out.writeInt(operations.size());
            for (Operation<?> operation : operations) {
                write(out, operation);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // no write to memory fails
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a batch.
     *
     * @throws UnreadableException if the bytes are no batch, or one of a later version
     */
    static Batch read(byte[] bytes) {
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            int version = in.readUnsignedByte();
            if (version != VERSION) {
                throw new UnreadableException("an entry of the log has version " + version
                        + "; this release reads version " + VERSION + ": start a later release here");
            }
            long millis = in.readLong();
            int count = in.readInt();
            List<Operation<?>> operations = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                operations.add(operation(in));
            }
            if (in.available() > 0) {
                throw new UnreadableException("an entry of the log has " + in.available() + " bytes too many");
            }
            return new Batch(millis, operations);
        } catch (IOException | IllegalArgumentException e) {
            throw new UnreadableException("an entry of the log cannot be read: " + e.getMessage());
        }
    }

    private static void write(DataOutputStream out, Operation<?> operation) throws IOException {
        if (operation instanceof Operation.Acquire acquire) {
            out.writeByte(ACQUIRE);
            write(out, acquire.request());
        } else if (operation instanceof Operation.Release release) {
            out.writeByte(RELEASE);
            write(out, release.request());
        } else if (operation instanceof Operation.Inspect inspect) {
            out.writeByte(INSPECT);
            out.writeUTF(inspect.resource());
        } else if (operation instanceof Operation.Names names) {
            out.writeByte(NAMES);
            out.writeUTF(names.prefix());
            out.writeInt(names.limit());
        } else {
            out.writeByte(SWEEP);
        }
    }

    private static Operation<?> operation(DataInputStream in) throws IOException {
        int kind = in.readUnsignedByte();
        return switch (kind) {
            case ACQUIRE -> new Operation.Acquire(acquire(in));
            case RELEASE -> new Operation.Release(release(in));
            case INSPECT -> new Operation.Inspect(in.readUTF());
            case NAMES -> new Operation.Names(in.readUTF(), in.readInt());
            case SWEEP -> new Operation.Sweep();
            default ->
                throw new UnreadableException("an entry of the log has an operation of the unknown kind " + kind);
        };
    }

    private static void write(DataOutputStream out, AcquireRequest request) throws IOException {
        out.writeUTF(request.resource());
        out.writeUTF(request.owner().toString());
        out.writeByte(List.of(MODES).indexOf(request.mode()));
        out.writeLong(request.ttlMillis());
        out.writeLong(request.waiterTtlMillis());
        out.writeInt(request.tokens());
        out.writeBoolean(request.queue());
        out.writeLong(request.floor());
        out.writeBoolean(request.heal());
        write(out, request.value());
    }

    private static AcquireRequest acquire(DataInputStream in) throws IOException {
        return new AcquireRequest(
                in.readUTF(),
                owner(in),
                MODES[in.readUnsignedByte()],
                new AcquireRequest.Terms(in.readLong(), in.readLong(), in.readInt()),
                in.readBoolean(),
                new AcquireRequest.Update(in.readLong(), in.readBoolean(), value(in)));
    }

    private static void write(DataOutputStream out, ReleaseRequest request) throws IOException {
        out.writeUTF(request.resource());
        out.writeUTF(request.owner().toString());
        out.writeLong(request.buryMillis());
        Seal seal = request.seal();
        out.writeBoolean(seal != null);
        if (seal != null) {
            out.writeUTF(seal.by());
            out.writeLong(seal.agoMillis());
            out.writeLong(seal.remainingMillis().orElseThrow());
        }
        write(out, request.value());
    }

    private static ReleaseRequest release(DataInputStream in) throws IOException {
        return new ReleaseRequest(
                in.readUTF(),
                owner(in),
                in.readLong(),
                in.readBoolean() ? new Seal(in.readUTF(), in.readLong(), in.readLong()) : null,
                value(in));
    }

    private static void write(DataOutputStream out, @Nullable LockValue value) throws IOException {
        out.writeBoolean(value != null);
        if (value != null) {
            out.writeLong(value.token());
            out.writeLong(value.number());
            out.writeUTF(value.text());
        }
    }

    private static @Nullable LockValue value(DataInputStream in) throws IOException {
        return in.readBoolean() ? new LockValue(in.readLong(), in.readLong(), in.readUTF()) : null;
    }

    private static OwnerId owner(DataInputStream in) throws IOException {
        String text = in.readUTF();
        return OwnerId.parse(text).orElseThrow(() -> new IOException("'" + text + "' is not an owner id"));
    }
}
