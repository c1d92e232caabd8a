package dev.holdfast.cli.process;

import dev.holdfast.cli.output.Messages;
import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.AtRisk;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Loss;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A watch that stops the command before its lock expires. It plans all steps from the moment when the lease is at risk, so that the command has ended
 * by the lease's deadline. A successful extension in the meantime cancels the plan. Thread-safe.
 */
public final class LossWatch {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long SHORTEST_MARGIN_NANOS = 20 * NANOS_PER_MILLI;
    private static final long LONGEST_MARGIN_NANOS = 500 * NANOS_PER_MILLI;

    /** The losses after which another client may hold the lock already. */
    private static final Set<Loss.Reason> TOLD_BY_NODES = Set.of(Loss.Reason.RELEASED, Loss.Reason.TAKEN);

    private static final String SENT_TERM = "sent TERM to the command, because ";

    private final Lease lease;
    private final Child child;
    private final OnLost onLost;
    private final Duration grace;
    private final Duration ttl;
    private final Timing timing;
    private final long marginNanos;
    private final CompletableFuture<Void> killed = new CompletableFuture<>();
    private CompletableFuture<Void> said = CompletableFuture.completedFuture(null); // until all messages are printed
    private boolean ending;
    private boolean stopping;

    private LossWatch(Lease lease, Child child, OnLost onLost, Duration grace, Duration ttl, Timing timing) {
        this.lease = lease;
        this.child = child;
        this.onLost = onLost;
        this.grace = grace;
        this.ttl = ttl;
        this.timing = timing;
        this.marginNanos = Math.min(Math.max(ttl.toNanos() / 20, SHORTEST_MARGIN_NANOS), LONGEST_MARGIN_NANOS);
    }

    public static LossWatch begin(
            Lease lease, Child child, OnLost onLost, Duration grace, Duration ttl, Timing timing) {
        LossWatch watch = new LossWatch(lease, child, onLost, grace, ttl, timing);
        watch.setGraceIfWeDie();
        lease.onAtRisk(watch::atRisk).onLost(watch::lost);
        return watch;
    }

    /** Sets the command's grace in case this process dies: at most a third of the ttl, because at least two thirds of the ttl are left then. */
    private void setGraceIfWeDie() {
        Duration third = ttl.dividedBy(3);
        child.graceIfWeDie(grace.compareTo(third) < 0 ? grace : third);
    }

    private void atRisk(AtRisk risk) {
        Duration left = lease.remaining();
        Deadline deadline = new Deadline(timing.now(), left.toNanos() - marginNanos);
        if (onLost != OnLost.WARN) {
            child.graceIfWeDie(Duration.ZERO);
            long lead = onLost == OnLost.TERM ? grace.toNanos() : 0;
            later(deadline.remainingNanos(timing.now()) - lead, () -> endUnlessRecovered(deadline));
        }
        tell("lock '" + risk.lock() + "' is at risk; it remains valid for " + DurationText.of(left) + ": "
                + risk.detail());
    }

    private void endUnlessRecovered(Deadline deadline) {
        long planned = deadline.remainingNanos(timing.now());
        if (lease.remaining().toNanos() - marginNanos > planned + NANOS_PER_MILLI) {
            setGraceIfWeDie();
        } else if (onLost == OnLost.TERM) {
            terminate(Math.min(grace.toNanos(), planned), List.of(SENT_TERM + "its lock is about to expire"));
        } else {
            kill();
        }
    }

    private void lost(Loss loss) {
        if (onLost == OnLost.TERM) {
            long leftNanos = TOLD_BY_NODES.contains(loss.reason()) ? Math.min(grace.toNanos(), ttl.toNanos()) : 0;
            if (terminate(leftNanos, List.of(loss.toString(), SENT_TERM + why(loss.reason())))) {
                return;
            }
        }
        tell(loss.toString());
        if (onLost == OnLost.KILL) {
            kill();
        }
    }

    private static String why(Loss.Reason reason) {
        return switch (reason) {
            case RELEASED -> "its lock was broken";
            case TAKEN -> "the nodes have lost its lock";
            case EXPIRED -> "its lock has expired";
            case MAX_HOLD -> "the longest time to hold its lock has passed";
        };
    }

    /** Stops the command although the lease is not lost: sends TERM, and KILL after the grace or just before the lease's deadline. */
    public void end() {
        long left = Math.max(lease.remaining().toNanos() - marginNanos, 0);
        if (!begun()) {
            child.terminate();
            later(Math.min(grace.toNanos(), left), this::kill);
        }
    }

    /** Stops the command while its lease is still extended: sends TERM, and KILL after the grace. A loss in the meantime may bring KILL sooner. */
    public void stop() {
        synchronized (this) {
            if (ending || stopping) {
                return;
            }
            stopping = true;
        }
        child.terminate();
        later(grace.toNanos(), this::kill);
    }

    /**
     * Sends TERM with these messages, and KILL after the grace, unless the watch has begun to stop the command before; returns whether it sent TERM. The
     * messages come first, since the command may end at once.
     */
    private boolean terminate(long graceNanos, List<String> messages) {
        if (begun()) {
            return false;
        }
        tell(messages);
        child.terminate();
        later(graceNanos, this::kill);
        return true;
    }

    private synchronized boolean begun() {
        boolean already = ending;
        ending = true;
        return already;
    }

    private void kill() {
        begun();
        child.kill();
        killed.complete(null);
    }

    /**
     * Ends the watch after the command has ended. If the watch has stopped the command, processes that the command has started get the rest of the grace, and
     * are then killed. All messages of the watch are printed when this method returns.
     *
     * @return whether the lock was lost, or the command was stopped because that was likely
     */
    public boolean finish() {
        boolean lost = isEnding();
        if (lost || isStopping()) {
            CompletableFuture.anyOf(child.familyEnd(), killed).join();
            child.kill();
        }
        said().join();
        return lost || !lease.isHeld();
    }

    private synchronized CompletableFuture<Void> said() {
        return said;
    }

    private synchronized boolean isEnding() {
        return ending;
    }

    private synchronized boolean isStopping() {
        return stopping;
    }

    /** Runs a step later, on a thread that may block: sending a signal can block, a timer must not. */
    private void later(long delayNanos, Runnable step) {
        timing.scheduler().schedule(delayNanos, () -> timing.scheduler().execute(step));
    }

    private void tell(String message) {
        tell(List.of(message));
    }

    /** Prints messages in their order on another thread, so that a blocked terminal does not delay the watch. */
    private synchronized void tell(List<String> messages) {
        said = said.thenRunAsync(() -> messages.forEach(Messages::say), timing.scheduler()::execute);
    }
}
