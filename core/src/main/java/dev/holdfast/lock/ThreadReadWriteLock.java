package dev.holdfast.lock;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A distributed lock for code that takes a {@link ReadWriteLock}: readers hold it in mode PR, many at the same time, the writer in mode EX. In the
 * order of the queue, so a writer is not starved. Thread-safe; for both parts holds what {@link ThreadLock} says.
 *
 * <p>A thread that reads can't write as well, nor the other way round: it would wait for itself, so the attempt is refused with an
 * {@link IllegalMonitorStateException}. {@link java.util.concurrent.locks.ReentrantReadWriteLock} lets a writer read too; here the two are two
 * leases.
 */
public interface ThreadReadWriteLock extends ReadWriteLock {

    /** The readers' part. */
    @Override
    ThreadLock readLock();

    /** The writer's part. */
    @Override
    ThreadLock writeLock();
}
