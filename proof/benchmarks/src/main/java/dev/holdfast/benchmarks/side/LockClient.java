package dev.holdfast.benchmarks.side;

/** A client of one side: its connections to the servers. Thread-safe. Not every side has everything. */
public interface LockClient extends AutoCloseable {

    /** Returns the lock of this name; sends nothing. */
    NamedLock lock(String name);

    /** Returns the same for readers, of whom many may hold it. */
    default NamedLock readLock(String name) {
        throw new UnsupportedOperationException("no lock for readers");
    }

    /** Returns the same for writers, where there are readers. */
    default NamedLock writeLock(String name) {
        throw new UnsupportedOperationException("no lock for writers");
    }

    /** Returns the lock of this name, without a thread that waits; sends nothing. */
    default AsyncLock asyncLock(String name) {
        throw new UnsupportedOperationException("no lock without a thread");
    }

    @Override
    void close();
}
