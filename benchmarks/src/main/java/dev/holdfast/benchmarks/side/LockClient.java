package dev.holdfast.benchmarks.side;

/** A client of one side: its connections to the servers. Thread-safe. */
public interface LockClient extends AutoCloseable {

    /** The lock of this name; sends nothing. */
    NamedLock lock(String name);

    @Override
    void close();
}
