package dev.holdfast.lock;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A view of a distributed lock for code that takes a {@link ReadWriteLock}: many readers hold it at the same time in mode {@link LockMode#PR}, or one
 * writer holds it in mode {@link LockMode#EX}. Readers and writers wait in the same queue, so readers do not starve a writer. A view is thread-safe.
 * {@link ThreadLock} describes both parts.
 *
 * <p>A thread cannot hold both parts: it would wait for itself, so the attempt throws an {@link IllegalMonitorStateException}. A writer of a
 * {@link java.util.concurrent.locks.ReentrantReadWriteLock} may read too; here, reading and writing need two leases.
 */
public interface ThreadReadWriteLock extends ReadWriteLock {

    /** Returns the part for readers. */
    @Override
    ThreadLock readLock();

    /** Returns the part for the writer. */
    @Override
    ThreadLock writeLock();
}
