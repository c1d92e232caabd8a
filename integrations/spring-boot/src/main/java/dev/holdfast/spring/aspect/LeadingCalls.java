package dev.holdfast.spring.aspect;

import dev.holdfast.election.Candidate;
import dev.holdfast.election.Leadership;
import dev.holdfast.internal.thread.LossInterrupt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * This application as a candidate: its work as a leader are the calls that come while it leads, and it ends when the last of them has. Thread-safe.
 */
final class LeadingCalls implements Candidate {

    private static final Log LOG = LogFactory.getLog(LeadingCalls.class);

    private final String election;
    private final ReadWriteLock calls =
            new ReentrantReadWriteLock(); // shared by calls, whole for a change of leadership
    private volatile @Nullable Leadership leadership;

    LeadingCalls(String election) {
        this.election = election;
    }

    @Override
    public void onElected(Leadership elected) throws InterruptedException {
        leadership = elected;
        LOG.info("Leads '" + election + "', term " + elected.term());
        try {
            new CountDownLatch(1).await(); // until the leadership is over
        } finally {
            leadership = null;
            awaitCalls();
            LOG.info("Leads '" + election + "' no more, term " + elected.term());
        }
    }

    /** So that the next leader's calls do not begin before these have ended, or the lock's time is up. */
    private void awaitCalls() {
        calls.writeLock().lock();
        try {
            LOG.debug("No call of '" + election + "' runs any more");
        } finally {
            calls.writeLock().unlock();
        }
    }

    /** Runs the method if this leads now; else gives the result of a call that is left out. */
    @Nullable
    Object call(MethodInvocation invocation, ResultKind result) throws Throwable {
        if (!calls.readLock().tryLock()) { // a leadership is just ending
            return result.skipped();
        }
        try {
            Leadership now = leadership;
            return now != null && now.isLeader() ? lead(now, invocation) : result.skipped();
        } finally {
            calls.readLock().unlock();
        }
    }

    private static @Nullable Object lead(Leadership now, MethodInvocation invocation) throws Throwable {
        try (LossInterrupt interrupt = LossInterrupt.ofCurrentThread(now.lease().lost())) {
            Object result;
            try {
                result = LockedCall.underLease(now.lease(), invocation);
            } catch (Exception e) {
                interrupt.throwIfCauseOf(e);
                throw e;
            }
            interrupt.throwIfLost();
            return result;
        }
    }
}
