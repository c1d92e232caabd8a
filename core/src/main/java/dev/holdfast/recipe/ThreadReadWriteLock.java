package dev.holdfast.recipe;

import dev.holdfast.DistributedLock;
import dev.holdfast.LockMode;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A distributed lock for code that takes a {@link ReadWriteLock}: readers hold it in mode PR, many at the same time, the writer in mode EX. In the
 * order of the queue, so a writer is not starved. Thread-safe; for both parts holds what {@link ThreadLock} says.
 *
 * <p>A thread that reads can't write as well, nor the other way round: it would wait for itself, so the attempt is refused with an
 * {@link IllegalMonitorStateException}. {@link java.util.concurrent.locks.ReentrantReadWriteLock} lets a writer read too; here the two are two
 * leases.
 */
public final class ThreadReadWriteLock implements ReadWriteLock {

    private final Part read;
    private final Part write;

    /** Made by {@link DistributedLock#asReadWriteLock} and {@link DistributedLock#asReentrantReadWriteLock}. */
    public ThreadReadWriteLock(DistributedLock lock, boolean reentrant) {
        ThreadLock reading = new ThreadLock(lock.mode(LockMode.PR), reentrant);
        ThreadLock writing = new ThreadLock(lock.mode(LockMode.EX), reentrant);
        this.read = new Part(reading, writing);
        this.write = new Part(writing, reading);
    }

    /** The readers' part. */
    @Override
    public Part readLock() {
        return read;
    }

    /** The writer's part. */
    @Override
    public Part writeLock() {
        return write;
    }

    /** One of the two. */
    public static final class Part implements Lock {

        private final ThreadLock part;
        private final ThreadLock other;

        private Part(ThreadLock part, ThreadLock other) {
            this.part = part;
            this.other = other;
        }

        /** This part alone, with its {@link ThreadLock#lease}. */
        public ThreadLock threadLock() {
            return part;
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
