package dev.holdfast.internal.node;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.observe.RequestObserver;
import dev.holdfast.observe.RequestOutcome;
import dev.holdfast.time.RunningTimeout;
import dev.holdfast.time.Timer;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are sent to several nodes at once, each with a timeout of its own. Accessed only on one serial executor.
 *
 * <p>A timeout counts only time in which this client ran ({@link dev.holdfast.time.RunningTimeout}). Nearly all nodes answer within the first quarter
 * of it, so one timer covers that quarter for all nodes.
 */
public final class FanOut implements Runnable {

    private static final int FIRST_PART = 4;

    private final NodeSet nodes;
    private final SerialExecutor executor;
    private final List<? extends Request<?>> requests;
    private final long restNanos;
    private int open;
    private @Nullable Timer timer;

    private FanOut(NodeSet nodes, SerialExecutor executor, List<? extends Request<?>> requests, long restNanos) {
        this.nodes = nodes;
        this.executor = executor;
        this.requests = requests;
        this.restNanos = restNanos;
        this.open = requests.size();
    }

    /**
     * Sends these requests. Runs on the serial executor; the answers are handled later.
     *
     * @param timeoutNanos how long each node has to answer
     * @param requests one for each node that is asked
     */
    public static void send(
            NodeSet nodes,
            SerialExecutor executor,
            long timeoutNanos,
            NodeOperation operation,
            List<? extends Request<?>> requests) {
        long firstNanos = timeoutNanos / FIRST_PART;
        FanOut fanOut = new FanOut(nodes, executor, requests, timeoutNanos - firstNanos);
        for (Request<?> request : requests) {
            request.start(fanOut, operation);
        }
        if (fanOut.open > 0) {
            fanOut.timer = nodes.timing().scheduler().schedule(firstNanos, fanOut);
        }
    }

    /** Runs when the first part of the timeout has passed. */
    @Override
    public void run() {
        executor.execute(this::countRest);
    }

    private void countRest() {
        for (Request<?> request : requests) {
            request.startTimeout(this, restNanos);
        }
    }

    /** Notes that one more request has been answered or has timed out. */
    private void ended() {
        if (--open == 0 && timer != null) {
            timer.cancel();
        }
    }

    /**
     * One request to one node, sent once by a fan-out: {@link #answered} runs when the node answers, and {@link #timedOut} when it does not answer
     * in time. The answer may still come after the timeout. Both run on the serial executor of the fan-out.
     *
     * @param <A> the answer
     */
    public abstract static class Request<A>
            implements NodeSet.Call<A>, BiConsumer<@Nullable A, @Nullable Throwable>, Runnable {

        private final int node;
        private @Nullable FanOut fanOut;
        private RequestObserver observer = RequestObserver.NONE;
        private long sentNanos; // 0 if there is no observer
        private boolean answered;
        private boolean timedOut;
        private @Nullable A answer;
        private @Nullable Timer timeout;

        protected Request(int node) {
            this.node = node;
        }

        /** Returns the index of the node. */
        public final int node() {
            return node;
        }

        /**
         * Handles the node's answer.
         *
         * @param late whether {@link #timedOut} has run before
         */
        protected abstract void answered(A received, boolean late);

        /** Handles a timeout: the node may have carried out the request, or may still do so. */
        protected abstract void timedOut();

        private void start(FanOut of, NodeOperation operation) {
            NodeSet nodes = of.nodes;
            fanOut = of;
            observer = nodes.observer().request(nodes.name(node), operation);
            if (observer != RequestObserver.NONE) {
                sentNanos = nodes.timing().ticker().nanos();
            }
            nodes.ask(node, this).whenComplete(this);
        }

        /** Counts the rest of the timeout, if the node has not answered yet. */
        private void startTimeout(FanOut of, long nanos) {
            if (!answered) {
                timeout = RunningTimeout.startBrief(
                        of.nodes.timing(),
                        nanos,
                        of.nodes.node(node)::afterReading,
                        () -> of.executor.execute(() -> timeOut(of)));
            }
        }

        private void timeOut(FanOut of) {
            if (!answered) {
                timedOut = true;
                of.ended();
                notifyObserver(of, RequestOutcome.TIMEOUT);
                timedOut();
            }
        }

        /** Receives the node's answer. A node promises to answer with values; one that throws an exception instead counts as silent. */
        @Override
        @SuppressWarnings("unchecked") // Unavailable belongs to every type of answer
        public final void accept(@Nullable A received, @Nullable Throwable failure) {
            answer = received != null ? received : (A) new Unavailable("the node failed: " + failure, true);
            FanOut of = fanOut;
            if (of != null) {
                of.executor.execute(this);
            }
        }

        /** Hands the answer over, on the serial executor. */
        @Override
        public final void run() {
            A received = answer;
            FanOut of = fanOut;
            if (received == null || of == null || answered) {
                return;
            }
            answered = true;
            if (timeout != null) {
                timeout.cancel();
            }
            if (!timedOut) {
                if (observer != RequestObserver.NONE) {
                    notifyObserver(of, RequestOutcomes.of(received));
                }
                of.ended();
            }
            answered(received, timedOut);
        }

        private void notifyObserver(FanOut of, RequestOutcome outcome) {
            if (observer != RequestObserver.NONE) {
                observer.ended(
                        outcome, Duration.ofNanos(of.nodes.timing().ticker().nanos() - sentNanos));
            }
        }
    }
}
