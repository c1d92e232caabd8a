package dev.holdfast.testkit.history;

import dev.holdfast.testkit.history.Finding.Kind;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The checks of the writes to the protected resource, in the order in which it accepted them. */
final class ResourceChecks {

    private ResourceChecks() {}

    /** Runs checks 2 and 7: finds a write by a lease after one by a later lease. */
    static void stale(LockHistory lock, ResourceCopy row, Consumer<Finding> found) {
        Event.Wrote newest = null;
        for (Event.Wrote wrote : lock.writes(row)) {
            if (newest != null && rank(lock, wrote) < rank(lock, newest)) {
                Kind kind = row == ResourceCopy.GUARDED ? Kind.STALE_AT_GUARD : Kind.STALE_WRITE;
                found.accept(new Finding(
                        kind, wrote.nanos(), 1, wrote.who() + " after " + newest.who(), List.of(newest, wrote)));
            } else {
                newest = wrote;
            }
        }
    }

    private static long rank(LockHistory lock, Event.Wrote wrote) {
        return lock.course(wrote).rank();
    }

    /**
     * Runs checks 2 and 7. Every write adds one to the value that it read, so the number of writes that a row has
     * accepted, less its value, is the number of lost updates. An accepted write that a killed client did not record
     * does not change that.
     */
    static void lost(LockHistory lock, ResourceCopy row, Consumer<Finding> found) {
        long lost = 0;
        Event.@Nullable Wrote before = null;
        for (Event.Wrote wrote : lock.writes(row)) {
            long now = wrote.version() - wrote.value();
            if (now != lost) {
                Kind kind = row == ResourceCopy.GUARDED ? Kind.LOST_AT_GUARD : Kind.LOST_UPDATE;
                List<Event> events = before == null ? List.of(wrote) : List.of(before, wrote);
                String text = wrote.who() + " wrote " + wrote.value() + " as write number " + wrote.version();
                found.accept(new Finding(kind, wrote.nanos(), now - lost, text, events));
            }
            lost = now;
            before = wrote;
        }
    }
}
