package dev.holdfast.cluster;

import dev.holdfast.node.Push;
import dev.holdfast.node.Unavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * The operations that wait for the log at a leader (group commit). While an entry is under way, all operations that arrive go into the next one, and share
 * its cost. As an exception, a second entry may leave while the first one carries few operations. So on a leader with little to do, the release of a lock
 * does not wait for an entry that has just left. Entries reach the log in the order in which they got their times.
 *
 * <p>A request that will probably just wait in its lock's queue needs no entry of its own. It waits for another operation, such as the release of the lock, for
 * {@link #PATIENCE_NANOS} at most.
 *
 * <p>Thread-safe. It completes answers on the thread that applies the entry.
 */
final class Proposals {

    /** The most operations in an entry. More would make one message between servers large. */
    private static final int MOST = 1_000;

    /** The most operations of an entry beside which a second one may leave. Beside a larger one, operations wait, so that few large entries leave. */
    private static final int FEW = 8;

    /** How long a request that will probably just wait in its lock's queue may wait here for another operation, in nanoseconds. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /**
     * Hands an entry to the consensus. It must call {@link Proposal#answered} or {@link Proposal#failed} exactly once, and later, not within this call:
     * the caller holds a lock, which keeps the entries in order.
     */
    interface Log {
        void append(Proposal proposal, long term);
    }

    private final LogTime time;
    private final Timers timers;
    private final Log log;
    private final ContendedLocks contended = new ContendedLocks();
    private List<Waiting<?>> waiting = new ArrayList<>();
    private boolean urgent; // whether one of the waiting operations needs the next entry; the others just go with it
    private long sinceNanos; // when the first of the waiting operations arrived
    private boolean timed; // whether a timer runs
    private int entriesUnderWay;
    private int operationsUnderWay;
    private long term;
    private volatile LongConsumer observer = nanos -> {};
    private boolean leads;
    private String refusal = "no leader is known yet";

    /** Starts timers, whose tasks do not block. */
    interface Timers {
        void schedule(long delayNanos, Runnable task);
    }

    private record Waiting<A>(Operation<A> operation, CompletableFuture<Object> answer) {}

    Proposals(LogTime time, Timers timers, Log log) {
        this.time = time;
        this.timers = timers;
        this.log = log;
    }

    /** Begins to accept operations: this server leads, and has applied all entries up to this time. */
    void open(long newTerm, long appliedMillis) {
        synchronized (this) {
            time.takeOffice(appliedMillis);
            term = newTerm;
            leads = true;
        }
    }

    /**
     * Refuses all further operations, and those that are not under way.
     *
     * @param reason why the server refuses them, for people
     */
    void close(String reason) {
        List<Waiting<?>> refused;
        synchronized (this) {
            leads = false;
            refusal = reason;
            refused = waiting;
            waiting = new ArrayList<>();
            urgent = false;
        }
        refused.forEach(one -> one.answer.complete(new Unavailable(reason, false)));
    }

    synchronized boolean leads() {
        return leads;
    }

    /** Returns the present log time of this server's last time in office. */
    synchronized long millis() {
        return time.millis();
    }

    /**
     * Observes how long each entry takes from its proposal until it is committed and applied, in nanoseconds. A later observer replaces an earlier one.
     */
    void onCommitted(LongConsumer newObserver) {
        observer = newObserver;
    }

    /** Proposes an operation. The answer is {@link Unavailable} if this server does not lead, or stops to do so. */
    CompletionStage<Object> propose(Operation<?> operation) {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        synchronized (this) {
            if (!leads) {
                return CompletableFuture.completedFuture(new Unavailable(refusal, false));
            }
            urgent |= !contended.queues(operation);
            if (waiting.isEmpty()) {
                sinceNanos = time.nanos();
            }
            waiting.add(new Waiting<>(operation, answer));
            if (urgent) {
                appendNext();
            } else if (!timed) {
                timed = true;
                timers.schedule(PATIENCE_NANOS, this::timeIsUp);
            }
        }
        return answer;
    }

    /** Appends the requests with which no other operation has come. */
    private synchronized void timeIsUp() {
        long left = sinceNanos + PATIENCE_NANOS - time.nanos();
        timed = !waiting.isEmpty() && left > 0;
        if (timed) {
            timers.schedule(left, this::timeIsUp);
        } else {
            urgent = !waiting.isEmpty();
            appendNext();
        }
    }

    /** Appends the next entry, if an operation needs one and it may leave now. */
    private void appendNext() {
        boolean mayLeave = entriesUnderWay == 0 || (entriesUnderWay == 1 && operationsUnderWay <= FEW);
        if (!mayLeave || !urgent) {
            return;
        }
        int count = Math.min(waiting.size(), MOST);
        List<Waiting<?>> taken = new ArrayList<>(waiting.subList(0, count));
        waiting = new ArrayList<>(waiting.subList(count, waiting.size()));
        List<Operation<?>> operations = new ArrayList<>(count);
        taken.forEach(one -> operations.add(one.operation));
        urgent = !waiting.isEmpty();
        entriesUnderWay++;
        operationsUnderWay += count;
        time.proposed();
        log.append(new Proposal(new Batch(time.millis(), operations), taken), term);
    }

    private synchronized void ended(int operations, boolean committed) {
        entriesUnderWay--;
        operationsUnderWay -= operations;
        if (committed) {
            time.committed(entriesUnderWay > 0);
        }
        if (leads) {
            appendNext();
        }
    }

    /** One entry under way. */
    final class Proposal {

        private final Batch batch;
        private final List<Waiting<?>> waiters;
        private final long startNanos;

        Proposal(Batch batch, List<Waiting<?>> waiters) {
            this.batch = batch;
            this.waiters = waiters;
            this.startNanos = time.nanos();
        }

        Batch batch() {
            return batch;
        }

        /**
         * Completes the answers of an entry that is committed and applied.
         *
         * @param pushes the notifications that follow from the entry
         */
        void answered(List<Object> answers, List<Push> pushes) {
            learn(answers, pushes);
            ended(waiters.size(), true); // first, so that the next entry is under way while clients read their answers
            observer.accept(time.nanos() - startNanos);
            for (int i = 0; i < waiters.size(); i++) {
                waiters.get(i).answer.complete(answers.get(i));
            }
        }

        private void learn(List<Object> answers, List<Push> pushes) {
            synchronized (Proposals.this) {
                contended.learn(batch.operations(), answers, pushes);
                urgent = urgent || !waiting.stream().allMatch(one -> contended.queues(one.operation));
            }
        }

        /** Gives up an entry that another leader may still commit. */
        void failed(String reason) {
            ended(waiters.size(), false);
            waiters.forEach(one -> one.answer.complete(new Unavailable(reason, true)));
        }
    }
}
