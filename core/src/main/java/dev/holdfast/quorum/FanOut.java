package dev.holdfast.quorum;

import dev.holdfast.node.Unavailable;
import dev.holdfast.time.Timer;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/** One request to several nodes at once, with one timeout for each; shared by every operation. */
final class FanOut<A> {

    private static final int WAITING = 0;
    private static final int HEARD = 1;
    private static final int TIMED_OUT = 2;

    private final BitSet nodes;
    private final Receiver<A> receiver;
    private final AtomicIntegerArray states;
    private final AtomicInteger missing;
    private volatile @Nullable Timer timer;

    private FanOut(BitSet nodes, int size, Receiver<A> receiver) {
        this.nodes = nodes;
        this.receiver = receiver;
        this.states = new AtomicIntegerArray(size);
        this.missing = new AtomicInteger(nodes.cardinality());
    }

    /** Asks all the nodes, then returns; the receiver may hear before that. */
    static <A> void send(Quorum quorum, BitSet nodes, long timeoutNanos, Survey.Call<A> call, Receiver<A> receiver) {
        FanOut<A> fanOut = new FanOut<>(nodes, quorum.size(), receiver);
        nodes.stream()
                .forEach(index -> quorum.ask(index, call).whenComplete((answer, failure) -> {
                    fanOut.heard(index, answer, failure);
                }));
        if (fanOut.missing.get() > 0) {
            Timer timer = quorum.timing().scheduler().schedule(timeoutNanos, fanOut::timeOut);
            fanOut.timer = timer;
            if (fanOut.missing.get() == 0) {
                timer.cancel();
            }
        }
    }

    /** A node promises to answer with values; one that breaks its word counts as silent. */
    @SuppressWarnings("unchecked") // Unavailable is an answer of every kind
    private void heard(int index, @Nullable A answer, @Nullable Throwable failure) {
        A said = answer != null ? answer : (A) new Unavailable("the node failed: " + failure, true);
        boolean late = states.getAndSet(index, HEARD) == TIMED_OUT;
        if (!late && missing.decrementAndGet() == 0) {
            Timer running = timer;
            if (running != null) {
                running.cancel();
            }
        }
        receiver.answered(index, said, late);
    }

    private void timeOut() {
        nodes.stream()
                .filter(index -> states.compareAndSet(index, WAITING, TIMED_OUT))
                .forEach(index -> {
                    missing.decrementAndGet();
                    receiver.timedOut(index);
                });
    }
}
