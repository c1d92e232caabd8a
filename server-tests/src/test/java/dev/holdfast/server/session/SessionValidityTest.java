package dev.holdfast.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.server.Http;
import dev.holdfast.server.LockServer;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** For how long a session's client may rely on its leases after it has ended some of them. */
class SessionValidityTest {

    @Test
    void aLeaseThatTheClientReleasesDoesNotShortenTheTimeOfTheOthers() {
        try (LockServer server = LockServer.builder()
                        .port(0)
                        .client(Holdfast.builder().node(SessionValidityTest::open))
                        .start();
                SessionClient client = SessionClient.open(server)) {
            client.acquire("'lock':'kept'");
            String released = client.acquire("'lock':'released'").get("id").stringValue();

            CompletableFuture<?> releasing = client.askAsync("release", "'lease':'" + released + "'");

            assertThat(client.ask("alive", "").get("validMillis").longValue()).isPositive();
            assertThat(releasing).isNotDone();
        }
    }

    @Test
    void aLeaseThatTheClientHasReleasedOverHttpDoesNotCountEither() {
        try (LockServer server = LockServer.builder().port(0).start();
                SessionClient client = SessionClient.connect(server);
                SessionClient later = SessionClient.connect(server)) {
            String session = client.ask("hello", "").get("session").stringValue();
            String kept = client.acquire("'lock':'kept'").get("id").stringValue();
            String released = client.acquire("'lock':'released'").get("id").stringValue();

            new Http(server).post("/v1/leases/" + released + "/release", "").is(200);

            assertThat(client.ask("alive", "").get("validMillis").longValue()).isPositive();
            JsonNode resumed = later.ask("hello", "'session':'" + session + "'");
            assertThat(resumed.get("leases")).hasSize(1);
            assertThat(resumed.get("leases").get(0).get("id").stringValue()).isEqualTo(kept);
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
