package dev.holdfast.internal.lease;

import dev.holdfast.node.LockValue;
import dev.holdfast.time.Ticker;
import org.jspecify.annotations.Nullable;

/** The lock's value as one lease knows it, and the order of this lease's writes. Accessed only on the lease's serial executor. */
final class LeaseValue {

    private @Nullable LockValue latest;
    private long number; // of the last write

    /** Creates the value from the one that came with the grant; null for none. */
    LeaseValue(@Nullable LockValue granted) {
        this.latest = granted;
        this.number = granted == null ? 0 : granted.number();
    }

    @Nullable
    LockValue latest() {
        return latest;
    }

    /** Returns the text for a new holder; empty if there is no value. */
    String text() {
        return latest == null ? "" : latest.text();
    }

    /**
     * Numbers the next write of this holder. The numbers follow the order of the calls, because writes that wait for the end of an extension may be sent in any
     * order. They also follow the clock, so that they are above those of writes by a client that has held the lease before, which this client may not see.
     */
    LockValue next(long token, String text, Ticker clock) {
        number = Math.max(number + 1, clock.wallMillis() * 1_000);
        return new LockValue(token, number, text);
    }

    /** Confirms a value that a majority has; returns whether it is the latest one. */
    boolean confirm(LockValue written) {
        if (written.isLaterThan(latest)) {
            latest = written;
        }
        return written.equals(latest);
    }
}
