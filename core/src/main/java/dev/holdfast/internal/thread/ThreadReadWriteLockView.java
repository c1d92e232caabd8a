package dev.holdfast.internal.thread;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.ThreadLock;
import dev.holdfast.lock.ThreadReadWriteLock;

/** A {@link ThreadReadWriteLock} over a lock: two views, of which a thread holds at most one. */
public final class ThreadReadWriteLockView implements ThreadReadWriteLock {

    private final ThreadLockView read;
    private final ThreadLockView write;

    /** Creates a view with a read lock in mode PR and a write lock in mode EX; either both are reentrant or neither is. */
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
