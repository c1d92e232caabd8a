package dev.holdfast.node;

import dev.holdfast.lock.LockMode;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The processor time of requests at a {@link LockTable} where many clients share a lock, and where many wait for another one or have cancelled. Code that searches
 * all of them costs more with more of them, which no comparison of states notices.
 */
public final class LockTableCosts implements Supplier<String> {

    private static final String SHARED = "lock:shared";
    private static final String WANTED = "lock:wanted";
    private static final long TTL_MILLIS = 600_000;
    private static final long NOW_MILLIS = 1_000_000;
    private static final int FEW = 50;
    private static final int MANY = 6_000;

    /**
     * With 120 times as many clients a request may cost this much more: more levels of each index, and memory that is not in the processor's cache (1.4 times
     * was measured). A search of all clients costs at least 12 times as much, although its loop is compiled long before the rest of the request.
     */
    private static final double MOST = 4;

    private static final int BATCHES = 15;
    private static final int OF_A_BATCH = 10;
    private static final OwnerId HOLDER = client(6);
    private static final OwnerId READER = client(7);
    private static final OwnerId WRITER = client(1L << 40);

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    /** For a loader of mutants. */
    public LockTableCosts() {}

    /** Compares the costs with few and with many clients; returns what was noticed, or an empty text. */
    @Override
    public String get() {
        String shared = compare(withReaders(FEW), withReaders(MANY), LockTableCosts::readAndWrite);
        return shared.isEmpty() ? compare(withWaiters(FEW), withWaiters(MANY), LockTableCosts::waitAndCancel) : shared;
    }

    private String compare(LockTable few, LockTable many, Consumer<LockTable> work) {
        double factor = Double.MAX_VALUE;
        long nanosOfFew = Long.MAX_VALUE;
        long nanosOfMany = Long.MAX_VALUE;
        for (int batch = 0; batch < BATCHES; batch++) { // by turns, since the compiler is at work at first
            nanosOfFew = Math.min(nanosOfFew, nanosOfABatch(few, work));
            nanosOfMany = Math.min(nanosOfMany, nanosOfABatch(many, work));
            factor = (double) nanosOfMany / nanosOfFew;
        }
        return factor <= MOST
                ? ""
                : "%.1f times the processor time with %d clients, compared with %d".formatted(factor, MANY, FEW);
    }

    private static OwnerId client(long ticket) {
        return new OwnerId("client~00000000", ticket, 0);
    }

    private static LockTable withReaders(int count) {
        LockTable table = new LockTable(10 * TTL_MILLIS, 0);
        for (int i = 1; i <= count; i++) {
            ask(table, request(SHARED, client(1_000L * i), LockMode.PR, false));
        }
        return table;
    }

    private static LockTable withWaiters(int count) {
        LockTable table = new LockTable(10 * TTL_MILLIS, 0);
        ask(table, request(WANTED, HOLDER, LockMode.EX, false));
        for (int i = 1; i <= count; i++) {
            ask(table, request(WANTED, client(1_000L * i), LockMode.EX, true));
            table.release(new ReleaseRequest(WANTED, client(1_000L * i + 1), TTL_MILLIS), NOW_MILLIS, push -> {});
        }
        return table;
    }

    private static AcquireRequest request(String lock, OwnerId owner, LockMode mode, boolean queue) {
        return queue
                ? AcquireRequest.forQueuedVote(lock, owner, mode, TTL_MILLIS, TTL_MILLIS, 1)
                : AcquireRequest.forVote(lock, owner, mode, TTL_MILLIS, TTL_MILLIS, 1);
    }

    private static AcquireAnswer ask(LockTable table, AcquireRequest request) {
        return table.acquire(request, NOW_MILLIS, push -> {});
    }

    private long nanosOfABatch(LockTable table, Consumer<LockTable> work) {
        long before = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < OF_A_BATCH; i++) {
            work.accept(table);
        }
        return threads.getCurrentThreadCpuTime() - before;
    }

    /** A reader acquires, extends, and fails to write; a writer queues and cancels; the reader releases. */
    private static void readAndWrite(LockTable table) {
        AcquireAnswer.Granted granted = granted(ask(table, request(SHARED, READER, LockMode.PR, false)));
        granted(ask(table, request(SHARED, READER, LockMode.PR, false).extending(granted.fence(), null)));
        require(ask(table, request(SHARED, WRITER, LockMode.EX, false)) instanceof AcquireAnswer.Denied);
        require(ask(table, request(SHARED, WRITER, LockMode.EX, true)) instanceof AcquireAnswer.Queued);
        release(table, SHARED, WRITER);
        release(table, SHARED, READER);
    }

    /** The holder asks for its vote again; the last waiter re-sends its request; another client queues and cancels. */
    private static void waitAndCancel(LockTable table) {
        granted(ask(table, request(WANTED, HOLDER, LockMode.EX, false)));
        int place =
                queued(ask(table, request(WANTED, WRITER, LockMode.EX, true))).place();
        require(queued(ask(table, request(WANTED, WRITER, LockMode.EX, true))).place() == place);
        release(table, WANTED, WRITER);
    }

    private static void release(LockTable table, String lock, OwnerId owner) {
        table.release(new ReleaseRequest(lock, owner, 0), NOW_MILLIS, push -> {});
    }

    private static AcquireAnswer.Granted granted(AcquireAnswer answer) {
        require(answer instanceof AcquireAnswer.Granted);
        return (AcquireAnswer.Granted) answer;
    }

    private static AcquireAnswer.Queued queued(AcquireAnswer answer) {
        require(answer instanceof AcquireAnswer.Queued);
        return (AcquireAnswer.Queued) answer;
    }

    private static void require(boolean asExpected) {
        if (!asExpected) {
            throw new IllegalStateException("another answer was expected");
        }
    }
}
