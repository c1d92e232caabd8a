package dev.holdfast.internal.lease;

import dev.holdfast.node.LockValue;
import org.jspecify.annotations.Nullable;

/** The lock's value as one lease knows it, and the order of this lease's writes. Accessed only on the lease's serial executor. */
final class LeaseValue {

    private @Nullable LockValue latest;
    private long writes;

    /** The value that the grant came with; null for none. */
    LeaseValue(@Nullable LockValue granted) {
        this.latest = granted;
    }

    @Nullable
    LockValue latest() {
        return latest;
    }

    /** The text for a new holder; empty if there is no value. */
    String text() {
        return latest == null ? "" : latest.text();
    }

    /** Numbers the next write of this holder, in the order of the calls: writes that wait for an extension to end may go out in any order. */
    LockValue next(long token, String text) {
        return new LockValue(token, ++writes, text);
    }

    /** A majority has confirmed this value; returns whether it is the latest one. */
    boolean confirm(LockValue written) {
        if (written.isLaterThan(latest)) {
            latest = written;
        }
        return written.equals(latest);
    }
}
