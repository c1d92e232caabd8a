package dev.holdfast.server.caller;

import dev.holdfast.server.message.Problem;
import dev.holdfast.time.Ticker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A limit on the requests of each client per second; a burst may be twice as large. Thread-safe. */
public final class RateLimit {

    private static final double NANOS = 1_000_000_000;
    private static final long SWEEP_NANOS = 100_000_000;
    static final int MOST_CLIENTS = 10_000;

    private final int perSecond;
    private final double most;
    private final Ticker ticker;
    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

    /** The bucket that clients share once {@value #MOST_CLIENTS} others are busy, so that a flood from many addresses takes no more memory. */
    private final Bucket others;

    private long sweptNanos;

    public RateLimit(int perSecond, Ticker ticker) {
        this.perSecond = perSecond;
        this.most = 2.0 * perSecond;
        this.ticker = ticker;
        this.others = new Bucket();
        this.sweptNanos = ticker.nanos() - SWEEP_NANOS;
    }

    /** The remaining share of a client. */
    private final class Bucket {

        private double left = most;
        private long atNanos = ticker.nanos();

        synchronized boolean take() {
            refill();
            if (left < 1) {
                return false;
            }
            left--;
            return true;
        }

        synchronized boolean isFull() {
            refill();
            return left >= most;
        }

        private void refill() {
            long now = ticker.nanos();
            left = Math.min(left + Math.max(now - atNanos, 0) * perSecond / NANOS, most);
            atNanos = now;
        }
    }

    /** Takes one request from the client's share, or throws a {@link Problem}. */
    public void take(String client) {
        if (!bucket(client).take()) {
            throw new Problem(
                            Problem.Kind.TOO_MANY,
                            "The client '" + client + "' makes more than " + perSecond + " requests a second.")
                    .header("Retry-After", "1");
        }
    }

    private Bucket bucket(String client) {
        Bucket known = buckets.get(client);
        if (known != null) {
            return known;
        }
        if (buckets.size() >= MOST_CLIENTS) {
            sweep();
        }
        return buckets.size() >= MOST_CLIENTS ? others : buckets.computeIfAbsent(client, name -> new Bucket());
    }

    /** Removes the full buckets. The method visits all buckets, so it must not run for each request of a flood. */
    private synchronized void sweep() {
        long now = ticker.nanos();
        if (now - sweptNanos >= SWEEP_NANOS) {
            sweptNanos = now;
            buckets.values().removeIf(Bucket::isFull);
        }
    }

    /** Returns how many clients have a share of their own. */
    int clients() {
        return buckets.size();
    }
}
