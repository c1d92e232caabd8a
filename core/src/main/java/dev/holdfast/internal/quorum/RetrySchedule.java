package dev.holdfast.internal.quorum;

import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import org.jspecify.annotations.Nullable;

/**
 * The times at which an attempt re-sends its requests: to a node that has not granted its vote, and to all nodes after several attempts have split the votes.
 * One timer covers all nodes. Accessed only on the attempt's serial executor.
 */
final class RetrySchedule {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long JITTER_NANOS = 3 * NANOS_PER_MILLI;
    private static final long FIRST_POLL_NANOS = 10 * NANOS_PER_MILLI;
    private static final long LONGEST_POLL_NANOS = 500 * NANOS_PER_MILLI;
    private static final long SPLIT_NANOS = 5 * NANOS_PER_MILLI;

    /** The number of times that an attempt that does not wait retries after a split. */
    static final int MOST_SPLITS = 5;

    private final VoteSet votes;
    private final Timing timing;
    private final Runnable due;
    private boolean stopped;
    private @Nullable Timer timer;
    private long timerNanos; // when the timer fires, on the monotonic clock
    int splits; // how often several attempts have split the votes

    /**
     * Creates an empty schedule.
     *
     * @param due runs on the serial executor when requests are due
     */
    RetrySchedule(VoteSet votes, Runnable due) {
        this.votes = votes;
        this.timing = votes.quorum.timing();
        this.due = due;
        this.stopped = !votes.settings.waits();
    }

    /** Plans the next request to this node: a short random time after the delay, and within a third of the queue entry's ttl. */
    void retry(NodeVote vote, Moment now, long delayNanos) {
        long jitter = timing.random().nextLong(JITTER_NANOS / 6, JITTER_NANOS);
        long delay = Math.min(Math.max(delayNanos, 0) + jitter, longestNanos());
        if (!stopped) {
            vote.retryAtNanos = now.nanos() + delay;
            arm();
        }
    }

    /** Notes that a request was sent to this node: an entry in its queue must be confirmed before it expires. */
    void sent(NodeVote vote, Moment now) {
        vote.retryAtNanos = now.nanos() + longestNanos();
    }

    private long longestNanos() {
        return votes.settings.waiterTtlNanos() / 3;
    }

    /** Returns the next delay where polling is the only way: exponential from 10 ms to 500 ms with full jitter, bounded by the holder's remaining time. */
    long nextPoll(NodeVote vote, long remainingMillis) {
        long longest = Math.min(FIRST_POLL_NANOS << Math.min(vote.polls++, 10), LONGEST_POLL_NANOS);
        long delay = timing.random().nextLong(FIRST_POLL_NANOS / 2, longest);
        return remainingMillis > 0 ? Math.min(delay, remainingMillis * NANOS_PER_MILLI) : delay;
    }

    /** Sets the timer to the node that is due first. */
    void arm() {
        if (stopped) {
            return;
        }
        long now = timing.ticker().nanos();
        long soonest = Long.MAX_VALUE;
        for (NodeVote vote : votes.all) {
            soonest = Math.min(soonest, vote.retryAtNanos - now);
        }
        if (timer != null && timerNanos - now <= soonest && timerNanos - now > 0) {
            return; // the timer fires early enough, and is then set again
        }
        if (timer != null) {
            timer.cancel();
        }
        timerNanos = now + Math.max(soonest, 0);
        timer = timing.scheduler().schedule(Math.max(soonest, 0), () -> votes.executor.execute(this::fire));
    }

    private void fire() {
        if (timer != null) {
            timer = null;
            due.run();
            arm();
        }
    }

    void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    // ---- split votes

    boolean isSplitPending() {
        return stopped && timer != null;
    }

    /** Plans the next request to all nodes, for an attempt that does not wait, after a random delay that doubles from split to split. */
    void retryAfterSplit() {
        for (NodeVote vote : votes.all) {
            vote.retryAtNanos = timing.ticker().nanos();
        }
        long delay = timing.random().nextLong(SPLIT_NANOS << splits++) + 1;
        timer = timing.scheduler().schedule(delay, () -> votes.executor.execute(this::fire));
    }
}
