package dev.holdfast.node;

import dev.holdfast.lock.LockMode;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.function.Supplier;

/**
 * The processor time of requests at a {@link LockTable} where clients share a lock. Code that searches all readers costs more with more of them, which no
 * comparison of states notices.
 */
public final class LockTableCosts implements Supplier<String> {

    private static final String LOCK = "lock:shared";
    private static final long TTL_MILLIS = 600_000;
    private static final long NOW_MILLIS = 1_000_000;
    private static final int FEW = 50;
    private static final int MANY = 2_000;

    /**
     * Forty times as many readers may cost this much more: more levels of each index, and memory that is not in the processor's cache. A search of all readers
     * costs more than that.
     */
    private static final double MOST = 5;

    private static final int BATCHES = 15;
    private static final int OF_A_BATCH = 10;
    private static final OwnerId READER = reader(7);
    private static final OwnerId WRITER = reader(1L << 40);

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    /** For a loader of mutants. */
    public LockTableCosts() {}

    /** Compares the costs with few and with many readers; returns what was noticed, or an empty text. */
    @Override
    public String get() {
        LockTable few = withReaders(FEW);
        LockTable many = withReaders(MANY);
        double factor = Double.MAX_VALUE;
        long nanosOfFew = Long.MAX_VALUE;
        long nanosOfMany = Long.MAX_VALUE;
        for (int batch = 0; batch < BATCHES; batch++) { // by turns, since the compiler is at work at first
            nanosOfFew = Math.min(nanosOfFew, nanosOfABatch(few));
            nanosOfMany = Math.min(nanosOfMany, nanosOfABatch(many));
            factor = (double) nanosOfMany / nanosOfFew;
        }
        return factor <= MOST
                ? ""
                : "%.1f times the processor time with %d readers, compared with %d".formatted(factor, MANY, FEW);
    }

    private static OwnerId reader(long ticket) {
        return new OwnerId("reader~00000000", ticket, 0);
    }

    private static LockTable withReaders(int count) {
        LockTable table = new LockTable(10 * TTL_MILLIS, 0);
        for (int i = 1; i <= count; i++) {
            ask(table, request(reader(1_000L * i), LockMode.PR, false));
        }
        return table;
    }

    private static AcquireRequest request(OwnerId owner, LockMode mode, boolean queue) {
        return queue
                ? AcquireRequest.forQueuedVote(LOCK, owner, mode, TTL_MILLIS, TTL_MILLIS, 1)
                : AcquireRequest.forVote(LOCK, owner, mode, TTL_MILLIS, TTL_MILLIS, 1);
    }

    private static AcquireAnswer ask(LockTable table, AcquireRequest request) {
        return table.acquire(request, NOW_MILLIS, push -> {});
    }

    private long nanosOfABatch(LockTable table) {
        long before = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < OF_A_BATCH; i++) {
            oneOfEach(table);
        }
        return threads.getCurrentThreadCpuTime() - before;
    }

    /** One of each: a reader acquires, extends, and fails to write; a writer queues and cancels; the reader releases. */
    private static void oneOfEach(LockTable table) {
        AcquireAnswer.Granted granted = (AcquireAnswer.Granted) ask(table, request(READER, LockMode.PR, false));
        List<AcquireAnswer> answers = List.of(
                ask(table, request(READER, LockMode.PR, false).extending(granted.fence(), null)),
                ask(table, request(WRITER, LockMode.EX, false)),
                ask(table, request(WRITER, LockMode.EX, true)));
        table.release(new ReleaseRequest(LOCK, WRITER, 0), NOW_MILLIS, push -> {});
        table.release(new ReleaseRequest(LOCK, READER, 0), NOW_MILLIS, push -> {});
        if (!(answers.get(0) instanceof AcquireAnswer.Granted)
                || !(answers.get(1) instanceof AcquireAnswer.Denied)
                || !(answers.get(2) instanceof AcquireAnswer.Queued)) {
            throw new IllegalStateException(answers.toString());
        }
    }
}
