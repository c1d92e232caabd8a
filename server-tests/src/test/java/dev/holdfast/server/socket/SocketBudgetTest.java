package dev.holdfast.server.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.junit.jupiter.api.Test;

class SocketBudgetTest {

    private static final int MOST = 100_000;

    private final SocketBudget budget = new SocketBudget(MOST);

    /** A WebSocket whose client reads nothing unless a test says so. */
    private final class Connection {

        private final Deque<Callback> underWay = new ArrayDeque<>();
        private final List<String> texts = new ArrayList<>();
        private boolean disconnected;
        private final SocketBudget.Share share;
        private final SocketWriter writer;

        Connection(String client) {
            Session session = (Session) Proxy.newProxyInstance(
                    Session.class.getClassLoader(), new Class<?>[] {Session.class}, (proxy, method, arguments) -> {
                        switch (method.getName()) {
                            case "sendText" -> {
                                texts.add((String) arguments[0]);
                                underWay.add((Callback) arguments[1]);
                            }
                            case "disconnect" -> disconnected = true;
                            default -> throw new IllegalStateException("unexpected: " + method);
                        }
                        return null;
                    });
            share = budget.open(client);
            writer = new SocketWriter(session, 10 * MOST, share);
        }
    }

    /** Each connection might take all that one connection may have, and a client may have thousands of them. */
    @Test
    void theConnectionsOfAClientHaveOneLimit() {
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Connection connection = new Connection("a");
            connections.add(connection);
            for (int line = 0; line < 10; line++) {
                connection.writer.send("x".repeat(5_000));
            }
        }

        assertThat(budget.kept("a")).isLessThanOrEqualTo(MOST + 5_000);
        assertThat(connections.get(0).disconnected).isFalse();
        assertThat(connections.get(99).disconnected).isTrue();
        assertThat(connections.get(99).writer.isOver()).isTrue();
    }

    @Test
    void otherClientsAndShortAnswersAreNotAffected() {
        Connection deaf = new Connection("a");
        deaf.writer.send("x".repeat(MOST + 1));
        Connection reader = new Connection("a");
        Connection other = new Connection("b");

        reader.writer.send("short");
        other.writer.send("x".repeat(MOST));
        reader.underWay.remove().succeed();
        reader.writer.send("shorter");

        assertThat(reader.texts).containsExactly("short", "shorter");
        assertThat(other.texts).hasSize(1);
    }

    /** A session with many leases could not be resumed otherwise: the answer has all of them. */
    @Test
    void oneAnswerMayBeLongerThanAllThatTheServerKeeps() {
        Connection connection = new Connection("a");

        connection.writer.send("x".repeat(5 * MOST));

        assertThat(connection.disconnected).isFalse();
        assertThat(new Connection("a").share.take(SocketBudget.ALWAYS_CHARS + 1))
                .isFalse();
        connection.underWay.remove().succeed();
        assertThat(new Connection("a").share.take(SocketBudget.ALWAYS_CHARS + 1))
                .isTrue();
    }

    @Test
    void nothingIsKeptForConnectionsThatHaveReadAllOrAreOver() {
        Connection reader = new Connection("a");
        Connection gone = new Connection("a");
        Connection dropped = new Connection("a");
        for (Connection connection : List.of(reader, gone, dropped)) {
            connection.writer.send("one");
            connection.writer.send("two");
        }
        assertThat(budget.kept("a")).isEqualTo(3 * 6);

        reader.underWay.remove().succeed();
        reader.underWay.remove().succeed();
        gone.share.close();
        gone.writer.send("three");
        dropped.underWay.remove().fail(new IllegalStateException("a test"));

        assertThat(budget.kept("a")).isZero();
        assertThat(gone.share.take(1)).isFalse();
    }
}
