package dev.holdfast.server.lease;

/** A listener for how long clients wait for locks and hold them. It must not block. */
public interface LeaseTimes {

    /** The listener that does nothing. */
    LeaseTimes IGNORED = new LeaseTimes() {
        @Override
        public void acquired(boolean granted, long nanos) {}

        @Override
        public void held(long nanos) {}
    };

    /** An acquire has been decided so long after its request. */
    void acquired(boolean granted, long nanos);

    /** A lease has ended so long after its grant. */
    void held(long nanos);
}
