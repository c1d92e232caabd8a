package dev.holdfast.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Push;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The notices of a cluster of three servers, as its client receives them. */
class ClusterNodeTest {

    private final List<String> notices = new ArrayList<>();
    private final List<NodeListener> servers = new ArrayList<>();

    @BeforeEach
    void open() {
        Function<NodeListener, LockNode> server = listener -> {
            servers.add(listener);
            return (LockNode) Proxy.newProxyInstance(
                    LockNode.class.getClassLoader(),
                    new Class<?>[] {LockNode.class},
                    (proxy, method, arguments) -> null);
        };
        ClusterNode.open("a,b,c", new Noting(), Collections.nCopies(3, server));
    }

    @Test
    void aLeaderThatStepsDownDoesNotHideWhyTheOtherServersDoNotLead() {
        servers.get(0).available("shop");
        servers.get(1).unavailable("b: connection refused");
        servers.get(2).unavailable("c: connection refused");

        servers.get(0).unavailable("no leader that server a knows");

        assertThat(notices)
                .containsExactly(
                        "available", "no leader that server a knows; b: connection refused; c: connection refused");
    }

    @Test
    void aClientLearnsAtOnceThatItsLeaderIsGone() {
        servers.get(0).available("shop");

        servers.get(0).unavailable("a: connection lost");

        assertThat(notices).containsExactly("available", "a: connection lost");
    }

    /** Notes what the client learns, in order. */
    private final class Noting implements NodeListener {

        @Override
        public void pushed(Push push) {
            notices.add(push.toString());
        }

        @Override
        public void available(String serverId) {
            notices.add("available");
        }

        @Override
        public void unavailable(String reason) {
            notices.add(reason);
        }

        @Override
        public void refused(String reason) {
            notices.add("refused: " + reason);
        }
    }
}
