package dev.holdfast.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.Http;
import dev.holdfast.server.Limits;
import dev.holdfast.server.LockServer;
import dev.holdfast.testkit.Effort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The queue of one lock at a server, with waiters of several clients. */
class QueueOrderTest {

    private static final int WAITERS = Effort.of(200, 2_000);
    private static final int CLIENTS = 20;

    @Test
    void manyWaitersOfOneLockAreServedInTheOrderInWhichTheyQueued() {
        List<SessionClient> clients = new ArrayList<>();
        try (LockServer server = LockServer.builder()
                .port(0)
                .sessionGrace(Duration.ofMinutes(2))
                .limits(Limits.defaults().withQueuePerLock(WAITERS).withRequestsPerSecond(1_000_000))
                .start()) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(SessionClient.open(server));
            }
            SessionClient holder = SessionClient.open(server);
            clients.add(holder);
            String held = lease(holder.acquire("'lock':'one','ttl':'1m'"));
            ConcurrentLinkedQueue<Integer> served = new ConcurrentLinkedQueue<>();
            List<CompletableFuture<Void>> turns = new ArrayList<>();
            for (int i = 0; i < WAITERS; i++) {
                int place = i;
                SessionClient client = clients.get(i % CLIENTS);
                CompletableFuture<JsonNode> granted = client.askAsync("acquire", "'lock':'one','ttl':'1m','wait':'5m'");
                turns.add(granted.thenAccept(answer -> {
                    served.add(place);
                    client.askAsync("release", "'lease':'" + lease(SessionClient.granted(answer)) + "'");
                }));
                client.ask("alive", ""); // answered after the acquire has been queued
            }

            holder.ask("release", "'lease':'" + held + "'");

            SessionClient.in(Http.PATIENCE, CompletableFuture.allOf(turns.toArray(CompletableFuture[]::new)));
            assertThat(List.copyOf(served)).hasSize(WAITERS).isSorted();
        } finally {
            clients.forEach(SessionClient::close);
        }
    }

    private static String lease(JsonNode granted) {
        return granted.get("id").asString();
    }
}
