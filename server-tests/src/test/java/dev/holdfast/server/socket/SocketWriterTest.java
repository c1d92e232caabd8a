package dev.holdfast.server.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.junit.jupiter.api.Test;

class SocketWriterTest {

    private final List<String> calls = new ArrayList<>();
    private final Deque<Callback> underWay = new ArrayDeque<>();
    private final Session session = (Session) Proxy.newProxyInstance(
            Session.class.getClassLoader(), new Class<?>[] {Session.class}, (proxy, method, arguments) -> {
                switch (method.getName()) {
                    case "sendText" -> {
                        calls.add("text " + arguments[0]);
                        underWay.add((Callback) arguments[1]);
                    }
                    case "close" -> calls.add("close " + arguments[1]);
                    case "disconnect" -> calls.add("disconnect");
                    default -> throw new IllegalStateException("unexpected: " + method);
                }
                return null;
            });
    private final SocketBudget budget = new SocketBudget(1_000_000);
    private final SocketWriter writer = new SocketWriter(session, 100, budget.open("a"));

    @Test
    void linesThatWaitAreWrittenBeforeTheEnd() {
        writer.send("one");
        writer.send("two");
        writer.send("three");
        writer.close(SocketWriter.NORMAL, "bye");
        writer.send("too late");
        assertThat(calls).containsExactly("text one");

        underWay.remove().succeed();
        assertThat(calls).containsExactly("text one", "text two\nthree");

        underWay.remove().succeed();
        assertThat(calls).containsExactly("text one", "text two\nthree", "close bye");
    }

    @Test
    void withoutPendingLinesTheEndComesAtOnce() {
        writer.send("one");
        underWay.remove().succeed();

        writer.close(SocketWriter.NORMAL, "bye");
        writer.close(SocketWriter.POLICY, "again");

        assertThat(calls).containsExactly("text one", "close bye");
    }

    @Test
    void aConnectionThatFailsBeforeTheEndIsDropped() {
        writer.send("one");
        writer.send("two");
        writer.close(SocketWriter.NORMAL, "bye");

        underWay.remove().fail(new IOException("a test"));

        assertThat(calls).containsExactly("text one", "disconnect");
    }

    @Test
    void aReaderThatIsFarBehindIsDropped() {
        writer.send("one");
        writer.send("x".repeat(101));
        writer.send("two");
        underWay.remove().succeed();

        assertThat(calls).contains("disconnect").doesNotContain("text " + "x".repeat(101));
    }

    /** A session with many leases could not be resumed otherwise: the answer has all of them. */
    @Test
    void aLineMayBeLongerThanAllThatMayWait() {
        writer.send("x".repeat(101));
        underWay.remove().succeed();
        writer.send("two");

        assertThat(calls).containsExactly("text " + "x".repeat(101), "text two");
    }
}
