package dev.holdfast.internal.observe;

import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.Refusal;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.observe.ExtensionObserver;
import dev.holdfast.observe.LeaseEnd;
import dev.holdfast.observe.LeaseObserver;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.observe.RequestObserver;
import dev.holdfast.observe.RequestOutcome;
import java.time.Duration;

/**
 * An observer that creates the events of Java Flight Recorder. Without a recording, each call costs a few instructions. The recorder measures with a clock of
 * its own, that of the machine.
 */
final class RecorderObserver implements ClientObserver {

    @Override
    public LeaseObserver attempt(String lock, LockMode mode) {
        LockWaitEvent wait = new LockWaitEvent();
        if (!wait.isEnabled() && !new LockHoldEvent().isEnabled()) {
            return LeaseObserver.NONE;
        }
        wait.lock = lock;
        wait.mode = mode.name();
        wait.asker = Thread.currentThread();
        wait.begin();
        return new Recording(wait);
    }

    /** The events of one attempt. */
    private static final class Recording implements LeaseObserver {

        private final LockWaitEvent wait;
        private final LockHoldEvent hold = new LockHoldEvent();

        Recording(LockWaitEvent wait) {
            this.wait = wait;
        }

        @Override
        public void granted(Lease lease, Duration waited) {
            hold.begin();
            hold.lock = wait.lock;
            hold.mode = wait.mode;
            hold.token = lease.fencingToken();
            wait.token = lease.fencingToken();
            endWait("ACQUIRED", "");
        }

        @Override
        public void refused(Refusal refusal) {
            endWait(refusal.reason().name(), refusal.message());
        }

        private void endWait(String outcome, String detail) {
            wait.end();
            wait.outcome = outcome;
            wait.detail = detail;
            wait.commit();
        }

        @Override
        public void ended(LeaseEnd end) {
            hold.end();
            hold.outcome = end.how().name();
            hold.remaining = end.remaining().toNanos();
            hold.commit();
        }
    }

    @Override
    public void lost(Loss loss, LockMode mode, long token) {
        LockLossEvent event = new LockLossEvent();
        if (event.isEnabled()) {
            event.lock = loss.lock();
            event.mode = mode.name();
            event.token = token;
            event.reason = loss.reason().name();
            event.detail = loss.detail();
            event.commit();
        }
    }

    @Override
    public ExtensionObserver extension(String lock, LockMode mode) {
        LockExtensionEvent event = new LockExtensionEvent();
        if (!event.isEnabled()) {
            return ExtensionObserver.NONE;
        }
        event.lock = lock;
        event.mode = mode.name();
        event.begin();
        return (ExtendOutcome outcome, Duration took) -> {
            event.end();
            event.outcome = outcome.name();
            event.commit();
        };
    }

    @Override
    public RequestObserver request(String node, NodeOperation operation) {
        NodeRequestEvent event = new NodeRequestEvent();
        if (!event.isEnabled()) {
            return RequestObserver.NONE;
        }
        event.node = node;
        event.operation = operation.name();
        event.begin();
        return (RequestOutcome outcome, Duration took) -> {
            event.end();
            event.outcome = outcome.name();
            event.commit();
        };
    }
}
