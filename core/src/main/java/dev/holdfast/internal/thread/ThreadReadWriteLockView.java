package dev.holdfast.internal.thread;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.ThreadLock;
import dev.holdfast.lock.ThreadReadWriteLock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** A {@link ThreadReadWriteLock} over a lock: two views, of which a thread holds at most one. */
public final class ThreadReadWriteLockView implements ThreadReadWriteLock {

    private final ThreadLock read;
    private final ThreadLock write;

    /** Creates the views for {@link DistributedLock#asReadWriteLock} and {@link DistributedLock#asReentrantReadWriteLock}. */
    public ThreadReadWriteLockView(DistributedLock lock, boolean reentrant) {
        ThreadLockView reading = new ThreadLockView(lock.mode(LockMode.PR), reentrant);
        ThreadLockView writing = new ThreadLockView(lock.mode(LockMode.EX), reentrant);
        this.read = new Part(reading, writing);
        this.write = new Part(writing, reading);
    }

    @Override
    public ThreadLock readLock() {
        return read;
    }

    @Override
    public ThreadLock writeLock() {
        return write;
    }

    /** One of the two views, which refuses a thread that holds the other one. */
    private static final class Part implements ThreadLock {

        private final ThreadLockView part;
        private final ThreadLockView other;

        Part(ThreadLockView part, ThreadLockView other) {
            this.part = part;
            this.other = other;
        }

        @Override
        public Optional<Lease> lease() {
            return part.lease();
        }

        private void requireNotTheOther() {
            if (other.isLockedByThisThread()) {
                throw new IllegalMonitorStateException(
                        "this thread holds " + other + ", and would wait for itself if it asked for " + part);
            }
        }

        @Override
        public void lock() {
            requireNotTheOther();
            part.lock();
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            requireNotTheOther();
            part.lockInterruptibly();
        }

        @Override
        public boolean tryLock() {
            return !other.isLockedByThisThread() && part.tryLock();
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            requireNotTheOther();
            return part.tryLock(time, unit);
        }

        @Override
        public void unlock() {
            part.unlock();
        }

        @Override
        public Condition newCondition() {
            return part.newCondition();
        }
    }
}
