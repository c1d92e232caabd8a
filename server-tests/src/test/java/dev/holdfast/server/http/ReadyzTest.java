package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.FlickeringNode;
import dev.holdfast.server.Http;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Socket;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Readiness needs no token, so its requests must not stop other requests. */
@Tag("slow")
class ReadyzTest {

    private static final int MANY = 150;

    /** A node that gives its status only when the test lets it. */
    private static final class HeldNode {

        private final AtomicInteger asked = new AtomicInteger();
        private volatile CompletableFuture<Void> held = CompletableFuture.completedFuture(null);

        LockNode open(NodeContext context) {
            LockNode node = new MemoryNode(
                            "held", context.timing(), context.times().fenceRetentionMillis())
                    .connect(context.client(), context.listener());
            return (LockNode) Proxy.newProxyInstance(
                    LockNode.class.getClassLoader(), new Class<?>[] {LockNode.class}, (proxy, method, arguments) -> {
                        if (!method.getName().equals("status")) {
                            return method.invoke(node, arguments);
                        }
                        asked.incrementAndGet();
                        CompletionStage<?> status = (CompletionStage<?>) method.invoke(node, arguments);
                        return held.thenCompose(done -> status);
                    });
        }
    }

    @Test
    void manyRequestsShareACheckAndLeaveWorkersToOthers() throws Exception {
        HeldNode node = new HeldNode();
        List<Socket> sockets = new ArrayList<>();
        try (LockServer server = LockServer.builder()
                .port(0)
                .client(Holdfast.builder()
                        .nodeOptions(NodeOptions.defaults().timeout(Duration.ofSeconds(9)))
                        .node(node::open))
                .start()) {
            Http http = new Http(server);
            http.get("/readyz").is(200);
            node.held = new CompletableFuture<>();
            int before = node.asked.get();
            Awaitility.await("the kept answer is too old").atMost(Http.PATIENCE).until(() -> {
                try (Socket socket = new Socket(server)) {
                    socket.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n");
                    return socket.isOpenAfter(200) && node.asked.get() > before;
                }
            });
            for (int i = 0; i < MANY; i++) {
                Socket socket = new Socket(server);
                sockets.add(socket);
                socket.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n");
            }
            http.get("/healthz").is(200);

            http.get("/v1/status?lock=a").is(200);
            http.post("/v1/break", "{'lock':'a','token':1,'reason':'a test'}");
            assertThat(http.get("/v1/status?lock=a").status()).isEqualTo(200);
            assertThat(node.asked.get() - before).isLessThan(MANY / 2);

            node.held.complete(null);
            for (Socket socket : sockets) {
                assertThat(socket.readSome()).startsWith("HTTP/1.1 200");
            }
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void anAnswerIsKeptForAMomentOnly() {
        FlickeringNode node = new FlickeringNode();
        try (LockServer server = LockServer.builder()
                .port(0)
                .client(Holdfast.builder().nodeOptions(NodeOptions.defaults()).node(node::open))
                .start()) {
            Http http = new Http(server);
            http.get("/readyz").is(200);
            node.up(false);

            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .until(() -> http.get("/readyz").status() == 503);
        }
    }
}
