package dev.holdfast.benchmarks.side;

/** A client of one side, with its connections to the servers. Thread-safe. Some sides lack some of the locks. */
public interface LockClient extends AutoCloseable {

    /** Returns the lock of this name; sends nothing. */
    NamedLock lock(String name);

    /** Returns the lock of this name for readers, of which many may hold it. */
    default NamedLock readLock(String name) {
        throw new UnsupportedOperationException("no lock for readers");
    }

    /** Returns the lock of this name for writers, which exclude readers. */
    default NamedLock writeLock(String name) {
        throw new UnsupportedOperationException("no lock for writers");
    }

    /** Returns the lock of this name for waiters without a thread; sends nothing. */
    default AsyncLock asyncLock(String name) {
        throw new UnsupportedOperationException("no lock without a thread");
    }

    @Override
    void close();
}
