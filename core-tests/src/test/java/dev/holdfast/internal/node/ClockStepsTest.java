package dev.holdfast.internal.node;

import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.testkit.ManualTiming;
import dev.holdfast.time.Moment;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The question which clock stepped, asked by a client whose event loop reads the other nodes' answers late. */
class ClockStepsTest {

    private static final long STEP_MICROS = 10_000_000;

    private final ManualTiming time = new ManualTiming(1);
    private final List<NodeListener> listeners = new ArrayList<>();
    private final List<CompletableFuture<OptionalLong>> gains = new ArrayList<>();
    private final Deque<Runnable> unread = new ArrayDeque<>();
    private final NodeSet nodes = new NodeSet(3, time.timing(), new ClientObserver() {}, new DeafListener());

    ClockStepsTest() {
        Function<NodeListener, LockNode> opener = this::node;
        nodes.open(List.of(opener, opener, opener));
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    /** Returns a node that answers only questions about its clock. */
    private LockNode node(NodeListener listener) {
        listeners.add(listener);
        return (LockNode) Proxy.newProxyInstance(
                LockNode.class.getClassLoader(),
                new Class<?>[] {LockNode.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "clockGainMicros" -> {
                        CompletableFuture<OptionalLong> gain = new CompletableFuture<>();
                        gains.add(gain);
                        yield gain;
                    }
                    case "afterReading" -> {
                        unread.add((Runnable) arguments[0]);
                        yield null;
                    }
                    case "close" -> null;
                    default -> throw new AssertionError(method);
                });
    }

    private CompletableFuture<Boolean> isOwnStep() {
        Moment now = nodes.timing().now();
        CompletionStage<Boolean> own = listeners.get(0).clockStepped(STEP_MICROS, now);
        return own.toCompletableFuture();
    }

    @Test
    void c14_answersThatCameInTimeCountThoughTheClientReadsThemLate() {
        CompletableFuture<Boolean> own = isOwnStep();
        time.advance(seconds(1));
        assertThat(own).isNotDone();

        gains.forEach(gain -> gain.complete(OptionalLong.of(0)));

        assertThat(own).isCompletedWithValue(true);
    }

    @Test
    void aStepIsTheClientsOwnIfNoOtherNodeAnswers() {
        CompletableFuture<Boolean> own = isOwnStep();
        time.advance(seconds(3));

        assertThat(own).isCompletedWithValue(false);
    }
}
