package dev.holdfast.internal.lease;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Scheduler;

/**
 * The tokens for the second and later holders of a lease. It decides when to request more from the nodes, so that a token is available when the lease is free.
 * Accessed only on the lease's serial executor.
 */
final class TokenSupply {

    /** The lease that needs the tokens. */
    interface Lease {

        /** Raises the lease to this fence, unless an extension is under way. */
        void raise(long fence, Moment now);

        /** Notifies the lease that it may now request tokens that were not due before. */
        void tokensDue();
    }

    private final Scheduler scheduler;
    private final SerialExecutor executor;
    private final TokenBlock block;
    private final Lease lease;
    private boolean scheduled;

    TokenSupply(Scheduler scheduler, SerialExecutor executor, TokenBlock block, Lease lease) {
        this.scheduler = scheduler;
        this.executor = executor;
        this.block = block;
        this.lease = lease;
    }

    TokenBlock block() {
        return block;
    }

    boolean hasToken() {
        return block.left() > 0;
    }

    /** Makes sure that there is a token for the next holder, now or later. Returns false if there will be none. */
    boolean provide(Moment now) {
        if (!block.isLow()) {
            return true;
        }
        if (block.stuck) {
            return hasToken();
        }
        long early = block.earlyNanos(now);
        if (early == 0) {
            lease.raise(block.nextFence(), now);
        } else if (!scheduled) {
            scheduled = true;
            scheduler.schedule(early, () -> executor.execute(this::due));
        }
        return true;
    }

    private void due() {
        scheduled = false;
        lease.tokensDue();
    }
}
