package dev.holdfast.spring.actuate;

import dev.holdfast.Holdfast;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * A health indicator that reports whether this application can acquire locks: UP while a majority of its nodes votes, else DOWN. The details show the
 * state of each node, the number of leases lost since the start, and the last lost lease. A lost lease does not make the application DOWN, because
 * the application can acquire the next one.
 *
 * <p>It asks the nodes, and waits at most one node timeout. Do not use it for liveness: restarting an application does not bring its nodes back.
 */
public final class HoldfastHealthIndicator extends AbstractHealthIndicator {

    private final Holdfast holdfast;
    private final LockBook book;

    public HoldfastHealthIndicator(Holdfast holdfast, LockBook book) {
        super(LockHealth.FAILED);
        this.holdfast = holdfast;
        this.book = book;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) throws InterruptedException {
        LockHealth health = LockHealth.of(holdfast, book);
        builder.status(health.isUp() ? Status.UP : Status.DOWN).withDetails(health.details());
    }
}
