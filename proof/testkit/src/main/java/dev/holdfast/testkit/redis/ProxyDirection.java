package dev.holdfast.testkit.redis;

import org.jspecify.annotations.Nullable;

/** One direction over all connections: the fault, the number of bytes, and when enough have passed. Thread-safe. */
final class ProxyDirection {

    private Traffic traffic = Traffic.PASS;
    private long accepted;
    private long passed;
    private long left = Long.MAX_VALUE;
    private @Nullable Disconnect then;

    /** The bytes that a connection may forward now, and the kind of cut that follows, if any. */
    record Claim(int bytes, @Nullable Disconnect then) {}

    synchronized Traffic traffic() {
        return traffic;
    }

    synchronized void traffic(Traffic now) {
        traffic = now;
    }

    synchronized void accepted(int bytes) {
        accepted += bytes;
    }

    synchronized void passed(int bytes) {
        passed += bytes;
    }

    synchronized long accepted() {
        return accepted;
    }

    synchronized long passed() {
        return passed;
    }

    /** Cuts once: the connection that forwards the last of these bytes; {@code null} for never. */
    synchronized void cutAfter(long bytes, @Nullable Disconnect how) {
        left = how == null ? Long.MAX_VALUE : bytes;
        then = how;
    }

    synchronized Claim claim(int bytes) {
        if (then == null || bytes < left) {
            left -= then == null ? 0 : bytes;
            return new Claim(bytes, null);
        }
        Claim last = new Claim((int) left, then);
        cutAfter(0, null);
        return last;
    }
}
