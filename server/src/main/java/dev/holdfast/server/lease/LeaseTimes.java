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

    /** Records an acquire that was decided this many ns after its request. */
    void acquired(boolean granted, long nanos);

    /** Records a lease that ended this many ns after its grant. */
    void held(long nanos);
}
