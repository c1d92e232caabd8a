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
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/**
 * An observer that creates the events of Java Flight Recorder, from the first recording on. Before, each call costs a few instructions, and the classes of
 * the events are not loaded: that takes 40 ms, which a short command would notice. The recorder measures with a clock of its own, that of the machine.
 */
final class RecorderObserver implements ClientObserver {

    @Override
    public LeaseObserver attempt(String lock, LockMode mode) {
        if (!FlightRecorder.isInitialized()) {
            return LeaseObserver.NONE;
        }
        LockWaitEvent wait = new LockWaitEvent();
        wait.lock = lock;
        wait.mode = mode.name();
        wait.begin();
        return new Recording(wait, new LockHoldEvent());
    }

    /** The events of one attempt. */
    private record Recording(LockWaitEvent waiting, LockHoldEvent hold) implements LeaseObserver {

        @Override
        public void granted(Lease lease, Duration waited) {
            hold.begin();
            hold.lock = waiting.lock;
            hold.mode = waiting.mode;
            hold.token = lease.fencingToken();
            waiting.token = lease.fencingToken();
            endWait("ACQUIRED", "");
        }

        @Override
        public void refused(Refusal refusal) {
            endWait(refusal.reason().name(), refusal.message());
        }

        private void endWait(String outcome, String detail) {
            waiting.end();
            waiting.outcome = outcome;
            waiting.detail = detail;
            waiting.commit();
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
        if (FlightRecorder.isInitialized()) {
            LockLossEvent event = new LockLossEvent();
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
        if (!FlightRecorder.isInitialized()) {
            return ExtensionObserver.NONE;
        }
        LockExtensionEvent event = new LockExtensionEvent();
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
        if (!FlightRecorder.isInitialized()) {
            return RequestObserver.NONE;
        }
        NodeRequestEvent event = new NodeRequestEvent();
        event.node = node;
        event.operation = operation.name();
        event.begin();
        return (RequestOutcome outcome, Duration took) -> {
            event.end();
            event.outcome = outcome.name();
            event.commit();
        };
    }

    // ---- the events

    /** An event with the category and the settings of all. */
    @Category("Holdfast")
    @StackTrace(false)
    abstract static class HoldfastEvent extends Event {}

    /** An event of a lock. */
    abstract static class LockEvent extends HoldfastEvent {

        @Label("Lock")
        String lock = "";

        @Label("Mode")
        String mode = "";
    }

    /** One attempt to acquire a lock. Only attempts of 20 ms or more are recorded, unless the recording sets another threshold. */
    @Name("dev.holdfast.LockWait")
    @Label("Lock Wait")
    @Description("From asking for a lock until it was acquired or refused")
    @Threshold("20 ms")
    static final class LockWaitEvent extends LockEvent {

        @Label("Outcome")
        @Description("ACQUIRED, or why not")
        String outcome = "";

        @Label("Detail")
        @Description("The answer of every node, if the attempt was refused")
        String detail = "";

        @Label("Fencing Token")
        @Description("0 if it was refused")
        long token;

        @Label("Asking Thread")
        Thread asker = Thread.currentThread();
    }

    /** One time that a lock was held. Only holds of 20 ms or more are recorded, unless the recording sets another threshold. */
    @Name("dev.holdfast.LockHold")
    @Label("Lock Hold")
    @Description("From acquiring a lock until it was released or lost")
    @Threshold("20 ms")
    static final class LockHoldEvent extends LockEvent {

        @Label("Fencing Token")
        long token;

        @Label("Outcome")
        @Description("RELEASED, SEALED, LOST or KEPT")
        String outcome = "";

        @Label("Remaining")
        @Description("How much longer the lease would have been valid")
        @Timespan
        long remaining;
    }

    /** One extension of a lease. Only extensions of 20 ms or more are recorded, unless the recording sets another threshold. */
    @Name("dev.holdfast.LockExtension")
    @Label("Lock Extension")
    @Description("A request to the nodes to extend a lease")
    @Threshold("20 ms")
    static final class LockExtensionEvent extends LockEvent {

        @Label("Outcome")
        @Description("EXTENDED, UNCONFIRMED (the client retries) or LOST")
        String outcome = "";
    }

    /** A lease that was lost. */
    @Name("dev.holdfast.LockLoss")
    @Label("Lock Loss")
    @Description("A lease was lost while it was held, or had expired when its holder released it")
    static final class LockLossEvent extends LockEvent {

        @Label("Fencing Token")
        long token;

        @Label("Reason")
        @Description("EXPIRED, RELEASED, TAKEN or MAX_HOLD")
        String reason = "";

        @Label("Detail")
        String detail = "";
    }

    /** One request to a node. Only requests of 20 ms or more are recorded, unless the recording sets another threshold. */
    @Name("dev.holdfast.NodeRequest")
    @Label("Node Request")
    @Description(
            "From sending a request to a node until the client has handled its answer, or the request has timed out")
    @Threshold("20 ms")
    static final class NodeRequestEvent extends HoldfastEvent {

        @Label("Node")
        String node = "";

        @Label("Operation")
        @Description("ACQUIRE, EXTEND or RELEASE")
        String operation = "";

        @Label("Outcome")
        @Description("The answer of the node, UNAVAILABLE, or TIMEOUT")
        String outcome = "";
    }
}
