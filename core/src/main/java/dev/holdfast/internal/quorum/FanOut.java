package dev.holdfast.internal.quorum;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.observe.RequestObserver;
import dev.holdfast.observe.RequestOutcome;
import dev.holdfast.time.RunningTimeout;
import dev.holdfast.time.Timer;
import java.time.Duration;
import java.util.BitSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One request to several nodes at once, with one timeout for each; shared by every operation. Accessed only on one serial executor, in which the
 * receiver is told.
 *
 * <p>The timeout counts time in which this client ran ({@link RunningTimeout}). Nearly all nodes answer within the first part of it, which
 * is one timer for all of them.
 */
final class FanOut<A> implements Runnable {

    private static final int FIRST_PART = 4;

    private final Quorum quorum;
    private final SerialExecutor executor;
    private final Receiver<A> receiver;
    private final @Nullable Call[] calls;
    private final long restNanos;
    private int missing;
    private @Nullable Timer timer;

    private FanOut(
            Quorum quorum, SerialExecutor executor, Receiver<A> receiver, @Nullable Call[] calls, long restNanos) {
        this.quorum = quorum;
        this.executor = executor;
        this.receiver = receiver;
        this.calls = calls;
        this.restNanos = restNanos;
    }

    /** Asks these nodes, on the serial executor; the receiver hears later. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of an inner class of this one
    static <A> void send(
            Quorum quorum,
            SerialExecutor executor,
            BitSet nodes,
            long timeoutNanos,
            NodeOperation operation,
            Survey.Call<A> request,
            Receiver<A> receiver) {
        long firstNanos = timeoutNanos / FIRST_PART;
        FanOut<A> fanOut =
                new FanOut<>(quorum, executor, receiver, new FanOut.Call[quorum.size()], timeoutNanos - firstNanos);
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            FanOut<A>.Call call = fanOut.new Call(node, quorum.observer().request(quorum.name(node), operation));
            fanOut.calls[node] = call;
            fanOut.missing++;
            quorum.ask(node, request).whenComplete(call);
        }
        if (fanOut.missing > 0) {
            fanOut.timer = quorum.timing().scheduler().schedule(firstNanos, fanOut);
        }
    }

    /** The first part of the timeout has passed. */
    @Override
    public void run() {
        executor.execute(this::countOn);
    }

    private void countOn() {
        for (Call call : calls) {
            if (call != null && !call.heard) {
                call.timeout = RunningTimeout.startBrief(
                        quorum.timing(),
                        restNanos,
                        quorum.node(call.node)::afterReading,
                        () -> executor.execute(call::timeOut));
            }
        }
    }

    /** One node's part. */
    private final class Call implements BiConsumer<A, Throwable>, Runnable {

        final int node;
        private final RequestObserver observer;
        private final long sentNanos; // 0 if nobody is told
        boolean heard;
        boolean timedOut;
        private @Nullable A answer;
        private @Nullable Timer timeout;

        Call(int node, RequestObserver observer) {
            this.node = node;
            this.observer = observer;
            this.sentNanos = observer == RequestObserver.NONE ? 0 : nanos();
        }

        private long nanos() {
            return quorum.timing().ticker().nanos();
        }

        void observe(RequestOutcome outcome) {
            if (observer != RequestObserver.NONE) {
                observer.ended(outcome, Duration.ofNanos(nanos() - sentNanos));
            }
        }

        private void timeOut() {
            if (!heard) {
                timedOut = true;
                missing--;
                observe(RequestOutcome.TIMEOUT);
                receiver.timedOut(node);
            }
        }

        /** A node promises to answer with values; one that breaks its word counts as silent. */
        @Override
        @SuppressWarnings("unchecked") // Unavailable is an answer of every kind
        public void accept(@Nullable A said, @Nullable Throwable failure) {
            answer = said != null ? said : (A) new Unavailable("the node failed: " + failure, true);
            executor.execute(this);
        }

        @Override
        public void run() {
            A said = answer;
            if (said == null || heard) {
                return;
            }
            heard = true;
            if (timeout != null) {
                timeout.cancel();
            }
            if (!timedOut && observer != RequestObserver.NONE) {
                observe(RequestOutcomes.of(said));
            }
            if (!timedOut && --missing == 0 && timer != null) {
                timer.cancel();
            }
            receiver.answered(node, said, timedOut);
        }
    }
}
