package dev.holdfast.internal.thread;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.ThreadLock;
import dev.holdfast.lock.ThreadReadWriteLock;

/** A {@link ThreadReadWriteLock} over a lock: two views, of which a thread holds at most one. */
public final class ThreadReadWriteLockView implements ThreadReadWriteLock {

    private final ThreadLockView read;
    private final ThreadLockView write;

    /** Makes a view whose read lock is in mode PR and whose write lock is in mode EX, both reentrant or neither. */
    public ThreadReadWriteLockView(DistributedLock lock, boolean reentrant) {
        this.read = new ThreadLockView(lock.mode(LockMode.PR), reentrant);
        this.write = new ThreadLockView(lock.mode(LockMode.EX), reentrant);
        ThreadLockView.pair(read, write);
    }

    @Override
    public ThreadLock readLock() {
        return read;
    }

    @Override
    public ThreadLock writeLock() {
        return write;
    }
}
