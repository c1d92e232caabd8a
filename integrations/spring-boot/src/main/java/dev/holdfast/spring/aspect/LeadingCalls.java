package dev.holdfast.spring.aspect;

import dev.holdfast.election.Candidate;
import dev.holdfast.election.Leadership;
import dev.holdfast.internal.thread.LossInterrupt;
import dev.holdfast.lock.Loss;
import dev.holdfast.observe.ClientObserver;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A candidate for this application. Its work as a leader consists of the calls that arrive while it leads, and ends with the last of them. Thread-safe.
 */
final class LeadingCalls implements Candidate {

    private static final Log LOG = LogFactory.getLog(LeadingCalls.class);

    private final String election;
    private final ReadWriteLock calls =
            new ReentrantReadWriteLock(); // calls share it; a change of leadership needs it exclusively
    private final Supplier<Stream<ClientObserver>> observers;
    private final SkippedCalls skipped;
    private volatile @Nullable Leadership leadership;
    private @Nullable Loss revoked; // guarded by this
    private boolean ended; // whether the calls of the leadership have ended, guarded by this
    private final Set<Thread> callers = new HashSet<>(); // guarded by this

    LeadingCalls(String election, Supplier<Stream<ClientObserver>> observers, SkippedCalls skipped) {
        this.election = election;
        this.observers = observers;
        this.skipped = skipped;
    }

    @Override
    public void onElected(Leadership elected) throws InterruptedException {
        synchronized (this) {
            revoked = null;
            ended = false;
        }
        leadership = elected;
        LOG.info("Became leader of '" + election + "', term " + elected.term());
        try {
            new CountDownLatch(1).await(); // the end of the leadership interrupts this wait
        } finally {
            leadership = null;
            awaitCalls();
            Loss loss;
            synchronized (this) {
                ended = true;
                loss = revoked;
            }
            if (loss != null) {
                reportLoss(elected, loss);
            }
            LOG.info("Ended the leadership of '" + election + "', term " + elected.term());
        }
    }

    @Override
    public void onRevoked(Leadership over, Loss loss) {
        boolean last;
        synchronized (this) {
            revoked = loss;
            last = ended;
        }
        LOG.warn("Lost the leadership of '" + election + "', term " + over.term() + ": " + loss);
        if (last) {
            reportLoss(over, loss);
        }
    }

    /**
     * Reports a leadership that was revoked, unless the client has reported the loss of its lease. A candidate steps down before its lease expires, so
     * the lease itself is often released in time. Two events lead here, the notice of the loss and the end of the calls; the later one reports the loss.
     */
    private void reportLoss(Leadership over, Loss loss) {
        if (!over.lease().lost().isDone()) {
            observers.get().forEach(observer -> observer.lost(loss, over.lease().mode(), over.term()));
        }
    }

    /** Waits until the running calls have ended. The next leader's calls then begin after that, or when this leader's lease expires. */
    private void awaitCalls() {
        calls.writeLock().lock();
        try {
            LOG.debug("All calls of '" + election + "' have ended");
        } finally {
            calls.writeLock().unlock();
        }
    }

    /** Runs the method if this candidate leads now; otherwise returns the result of a skipped call. */
    @Nullable
    Object call(MethodInvocation invocation, ResultKind result) throws Throwable {
        if (!calls.readLock().tryLock()) { // a leadership is ending
            return skip(result);
        }
        try {
            Leadership now = leadership;
            return now != null && now.isLeader() ? leadOnThisThread(now, invocation) : skip(result);
        } finally {
            calls.readLock().unlock();
        }
    }

    private @Nullable Object skip(ResultKind result) {
        skipped.count("LeaderOnly", election);
        return result.skipped();
    }

    private @Nullable Object leadOnThisThread(Leadership now, MethodInvocation invocation) throws Throwable {
        boolean isOutermost;
        synchronized (this) {
            isOutermost = callers.add(Thread.currentThread());
        }
        try {
            return lead(now, invocation);
        } finally {
            if (isOutermost) {
                synchronized (this) {
                    callers.remove(Thread.currentThread());
                }
            }
        }
    }

    /** Interrupts the calls that still run, except one that stops the application itself. */
    synchronized void interruptOthers() {
        callers.stream().filter(caller -> caller != Thread.currentThread()).forEach(Thread::interrupt);
    }

    private static @Nullable Object lead(Leadership now, MethodInvocation invocation) throws Throwable {
        try (LossInterrupt interrupt = LossInterrupt.ofCurrentThread(now.lease().lost())) {
            Object result;
            try {
                result = LockedCall.underLease(now.lease(), invocation);
            } catch (Exception e) {
                interrupt.throwIfCauseOf(e);
                if (e instanceof InterruptedException) {
                    requireLed(now);
                }
                throw e;
            }
            interrupt.throwIfLost();
            requireLed(now);
            return result;
        }
    }

    /** Throws an exception if the lock of the leadership is free: the call outlived it, or this process was paused. */
    private static void requireLed(Leadership leadership) {
        if (!leadership.lease().isHeld()) {
            leadership.ensureLeader();
        }
    }
}
