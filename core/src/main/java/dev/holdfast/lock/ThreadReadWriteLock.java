package dev.holdfast.lock;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A view of a distributed lock for code that takes a {@link ReadWriteLock}: many readers hold it at the same time in mode {@link LockMode#PR}, one writer holds it in mode
 * {@link LockMode#EX}. Both wait in the same queue, so readers do not starve a writer. Thread-safe. {@link ThreadLock} says what applies to both parts.
 *
 * <p>A thread that reads cannot write as well, nor the other way round: it would wait for itself, so the attempt throws an
 * {@link IllegalMonitorStateException}. A writer of a {@link java.util.concurrent.locks.ReentrantReadWriteLock} may read too; here reading and writing are two
 * leases.
 */
public interface ThreadReadWriteLock extends ReadWriteLock {

    /** Returns the part for readers. */
    @Override
    ThreadLock readLock();

    /** Returns the part for the writer. */
    @Override
    ThreadLock writeLock();
}
