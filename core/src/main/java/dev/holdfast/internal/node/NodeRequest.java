package dev.holdfast.internal.node;

import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.observe.RequestObserver;
import dev.holdfast.observe.RequestOutcome;
import dev.holdfast.time.RunningTimeout;
import dev.holdfast.time.Timer;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One request to one node, sent once by a {@link FanOut}: {@link #answered} runs when the node answers, and {@link #timedOut} when it does not answer
 * in time. The answer may still come after the timeout. Both run on the serial executor of the fan-out.
 *
 * @param <A> the answer
 */
public abstract class NodeRequest<A>
        implements NodeSet.Call<A>, BiConsumer<@Nullable A, @Nullable Throwable>, Runnable {

    private final int node;
    private @Nullable FanOut fanOut;
    private RequestObserver observer = RequestObserver.NONE;
    private long sentNanos; // 0 if there is no observer
    private boolean answered;
    private boolean timedOut;
    private @Nullable A answer;
    private @Nullable Timer timeout;

    protected NodeRequest(int node) {
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

    final void start(FanOut of, NodeOperation operation) {
        NodeSet nodes = of.nodes();
        fanOut = of;
        observer = nodes.observer().request(nodes.name(node), operation);
        if (observer != RequestObserver.NONE) {
            sentNanos = nodes.timing().ticker().nanos();
        }
        nodes.ask(node, this).whenComplete(this);
    }

    /** Counts the rest of the timeout, if the node has not answered yet. */
    final void startTimeout(FanOut of, long nanos) {
        if (!answered) {
            timeout = RunningTimeout.startBrief(
                    of.nodes().timing(),
                    nanos,
                    of.nodes().node(node)::afterReading,
                    () -> of.executor().execute(() -> timeOut(of)));
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
            of.executor().execute(this);
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
            long nanos = of.nodes().timing().ticker().nanos() - sentNanos;
            observer.ended(outcome, Duration.ofNanos(nanos));
        }
    }
}
