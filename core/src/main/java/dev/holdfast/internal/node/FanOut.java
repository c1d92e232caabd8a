package dev.holdfast.internal.node;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.time.Timer;
import java.util.List;
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
    private final List<? extends NodeRequest<?>> requests;
    private final long restNanos;
    private int open;
    private @Nullable Timer timer;

    private FanOut(NodeSet nodes, SerialExecutor executor, List<? extends NodeRequest<?>> requests, long restNanos) {
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
            List<? extends NodeRequest<?>> requests) {
        long firstNanos = timeoutNanos / FIRST_PART;
        FanOut fanOut = new FanOut(nodes, executor, requests, timeoutNanos - firstNanos);
        for (NodeRequest<?> request : requests) {
            request.start(fanOut, operation);
        }
        if (fanOut.open > 0) {
            fanOut.timer = nodes.timing().scheduler().schedule(firstNanos, fanOut);
        }
    }

    NodeSet nodes() {
        return nodes;
    }

    SerialExecutor executor() {
        return executor;
    }

    /** Runs when the first part of the timeout has passed. */
    @Override
    public void run() {
        executor.execute(this::countRest);
    }

    private void countRest() {
        for (NodeRequest<?> request : requests) {
            request.startTimeout(this, restNanos);
        }
    }

    /** Notes that one more request has been answered or has timed out. */
    void ended() {
        if (--open == 0 && timer != null) {
            timer.cancel();
        }
    }
}
