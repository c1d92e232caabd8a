package dev.holdfast.cluster;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A generator of operations on a few locks by a few owners, so that operations often meet the state of others. */
final class RandomOperations {

    private static final LockMode[] MODES = LockMode.values();

    private final RandomGenerator random;
    private long millis = 1_700_000_000_000L;
    private long values;

    RandomOperations(RandomGenerator random) {
        this.random = random;
    }

    /** Returns the next entry of the log, up to a few seconds after the one before. */
    Batch batch() {
        millis += random.nextInt(10) == 0 ? random.nextInt(3_000) : random.nextInt(20);
        List<Operation<?>> operations = new ArrayList<>();
        int count = random.nextInt(8);
        for (int i = 0; i < count; i++) {
            operations.add(operation());
        }
        return new Batch(millis, operations);
    }

    private Operation<?> operation() {
        int kind = random.nextInt(100);
        if (kind < 60) {
            return new Operation.Acquire(acquire());
        } else if (kind < 90) {
            return new Operation.Release(release());
        } else if (kind < 95) {
            return new Operation.Inspect(resource());
        } else if (kind < 98) {
            return new Operation.Names("lock:", 1 + random.nextInt(5));
        }
        return new Operation.Sweep();
    }

    private AcquireRequest acquire() {
        AcquireRequest.Terms terms =
                new AcquireRequest.Terms(1 + random.nextInt(5_000), 1 + random.nextInt(3_000), 1 + random.nextInt(3));
        long floor = random.nextInt(4) == 0 ? Math.max(millis / 1000 << 20, 1) + random.nextInt(100) : 0;
        LockValue value = floor > 0 && random.nextBoolean() ? value() : null;
        return new AcquireRequest(
                resource(),
                owner(),
                MODES[random.nextInt(MODES.length)],
                terms,
                floor == 0 && random.nextInt(4) > 0,
                new AcquireRequest.Update(floor, floor > 0 && random.nextBoolean(), value));
    }

    private ReleaseRequest release() {
        Seal seal = random.nextInt(60) == 0
                ? new Seal(owner().toString(), random.nextInt(99), 1 + random.nextInt(999))
                : null;
        return new ReleaseRequest(
                resource(),
                owner(),
                random.nextInt(5) == 0 ? random.nextInt(2_000) : 0,
                seal,
                random.nextInt(5) == 0 ? value() : null);
    }

    private LockValue value() {
        return new LockValue(1 + values++ / 3, 1 + random.nextInt(5), "väl" + values);
    }

    String resource() {
        return "lock:" + random.nextInt(6) + "ü";
    }

    private OwnerId owner() {
        int owner = random.nextInt(9);
        return new OwnerId(
                "client@host~0000000" + owner % 3,
                1_000 + owner,
                random.nextInt(2),
                owner == 4 ? "the fourth ü/%" : "");
    }
}
