package dev.holdfast.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.server.LockServer;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A session with a lease whose release the node has not answered yet. */
class PendingReleaseTest {

    @Test
    void aLeaseThatTheClientReleasesDoesNotShortenTheTimeOfTheOthers() {
        try (LockServer server = LockServer.builder()
                        .port(0)
                        .client(Holdfast.builder().node(PendingReleaseTest::open))
                        .start();
                SessionClient client = SessionClient.open(server)) {
            client.acquire("'lock':'kept'");
            String released = client.acquire("'lock':'released'").get("id").stringValue();

            CompletableFuture<?> releasing = client.askAsync("release", "'lease':'" + released + "'");

            assertThat(client.ask("alive", "").get("validMillis").longValue()).isPositive();
            assertThat(releasing).isNotDone();
        }
    }

    /** A node in memory that answers no release. */
    private static LockNode open(NodeContext context) {
        LockNode node = new MemoryNode("slow", context.timing(), context.times().fenceRetentionMillis())
                .connect(context.client(), context.listener());
        return (LockNode) Proxy.newProxyInstance(
                LockNode.class.getClassLoader(),
                new Class<?>[] {LockNode.class},
                (proxy, method, arguments) -> method.getName().equals("release")
                        ? new CompletableFuture<>()
                        : method.invoke(node, arguments));
    }
}
