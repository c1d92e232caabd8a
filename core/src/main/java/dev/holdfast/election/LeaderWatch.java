package dev.holdfast.election;

/** An observation of who leads, until it is closed. {@link Election#observe} makes it. Thread-safe. */
public interface LeaderWatch extends AutoCloseable {

    /**
     * Ends the observation. A call of the observer that is under way continues, and no other call follows. Does not block; a second call has no effect. The
     * observer itself may call this method.
     */
    @Override
    void close();
}
