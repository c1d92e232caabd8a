package dev.holdfast.server.node;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.FenceFromTime;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.time.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of the numbers that clients of the node protocol send. A node remembers the highest fence and the last expiry for all of its locks, across restarts,
 * so a number that is far too large would affect all other clients.
 */
final class NodeLimits {

    /** The maximum number of tokens of one request. Holdfast's clients ask for 64 at most. */
    static final int MOST_TOKENS = 1_024;

    private static final long LONGEST_TTL_MILLIS = DistributedLock.MAX_TTL.toMillis();

    /** How far fences may be ahead of the server's time: further than any clock, and below 2^53 until the year 2142. */
    private static final long AHEAD_MILLIS = Duration.ofDays(36_525).toMillis();

    private final Ticker ticker;

    NodeLimits(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Returns why a request is out of range; null if it is not. */
    @Nullable
    String problem(AcquireRequest request) {
        long longest = Math.max(request.ttlMillis(), request.waiterTtlMillis());
        if (longest > LONGEST_TTL_MILLIS) {
            return "ttl or waiterTtl is " + longest + " ms; both must be between 1 and " + LONGEST_TTL_MILLIS
                    + " ms, the longest ttl that nodes allow for after a restart";
        }
        if (request.tokens() > MOST_TOKENS) {
            return "tokens is " + request.tokens() + "; it must be between 1 and " + MOST_TOKENS
                    + ", because fences follow the time";
        }
        long largest = largestFence();
        if (request.floor() > largest) {
            return "floor is " + request.floor() + "; it must be between 0 and " + largest
                    + ", the fence of the time in 100 years, because later fences must be larger";
        }
        return problem(request.value());
    }

    /** Returns why a release is out of range; null if it is not. */
    @Nullable
    String problem(ReleaseRequest request) {
        return request.buryMillis() > LONGEST_TTL_MILLIS
                ? "buryMillis is " + request.buryMillis() + "; it must be between 0 and " + LONGEST_TTL_MILLIS
                        + ", the longest ttl, because the node keeps each tombstone so long"
                : problem(request.value());
    }

    /** Returns why a value is out of range; null if it is not, or if there is none. */
    private @Nullable String problem(@Nullable LockValue value) {
        long largest = largestFence();
        return value == null || value.token() <= largest
                ? null
                : "the value's token is " + value.token() + "; it must be between 1 and " + largest
                        + ", the fence of the time in 100 years, because later values need larger ones";
    }

    private long largestFence() {
        return FenceFromTime.ofAbsent(ticker.wallMillis() + AHEAD_MILLIS);
    }
}
