package dev.holdfast.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogRecorder;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.testkit.ManualTiming;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeSeatTest {

    private final LogRecorder log = LogRecorder.of(NodeSeat.class);
    private final NodeSet nodes =
            new NodeSet(1, new ManualTiming(1).timing(), new ClientObserver() {}, new DeafListener());
    private NodeListener seat;

    @BeforeEach
    void open() {
        nodes.open(List.of(listener -> {
            seat = listener;
            return (LockNode) Proxy.newProxyInstance(
                    LockNode.class.getClassLoader(),
                    new Class<?>[] {LockNode.class},
                    (proxy, method, arguments) -> method.getName().equals("name") ? "n" : null);
        }));
    }

    @AfterEach
    void close() {
        nodes.close();
        log.close();
    }

    private List<String> errors() {
        return log.messages(Level.SEVERE);
    }

    @Test
    void aReasonIsLoggedOnceHoweverOftenTheNodeTries() {
        for (int i = 0; i < 3; i++) {
            seat.refused("too old");
            seat.unavailable("too old");
        }
        assertThat(errors()).containsExactly("Node n is not used: too old");
        assertThat(nodes.refusals()).containsExactly("n: too old");
    }

    @Test
    void aReasonIsLoggedAgainAfterAnotherOneAndAfterTheNodeWasUsed() {
        seat.refused("too old");
        seat.refused("no rights");
        seat.refused("too old");
        assertThat(errors()).hasSize(3);

        seat.available("server");
        assertThat(nodes.refusals()).isEmpty();
        seat.refused("too old");
        assertThat(errors()).hasSize(4);
    }
}
