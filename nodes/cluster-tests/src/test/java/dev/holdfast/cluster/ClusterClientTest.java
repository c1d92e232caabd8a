package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real clients, for which the cluster is one node. */
@Tag("slow")
class ClusterClientTest extends OnCluster {

    @BeforeEach
    void startServers() {
        cluster = new TrialCluster(folder, timing, Duration.ofSeconds(1), null);
        cluster.leader();
    }

    private Holdfast client(String name) {
        return Holdfast.builder()
                .clientName(name)
                .node(context -> cluster.connect(context.client(), context.listener()))
                .ttl(Duration.ofMinutes(5))
                .noQuorumTimeout(Duration.ofMinutes(2))
                .build();
    }

    @Test
    void aLeaseOutlivesTheLeaderAndGoesToTheWaiter() throws Exception {
        try (Holdfast one = client("one");
                Holdfast other = client("other")) {
            Lease held = one.lock("order").acquire();
            CompletableFuture<Lease> waiter = other.lock("order").acquireAsync(Duration.ofMinutes(5));
            await().atMost(Duration.ofMinutes(2)).ignoreExceptions().until(() -> hasWaiter(one));

            cluster.stop(cluster.leader().name());
            cluster.leader();

            assertThat(held.isHeld()).isTrue();
            assertThat(waiter).isNotDone();
            held.close();
            Lease next = waiter.get(2, TimeUnit.MINUTES);
            assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
            next.close();
        }
    }

    private static boolean hasWaiter(Holdfast client) throws InterruptedException {
        return client.admin().status("order").nodes().stream()
                .anyMatch(node ->
                        node.state().filter(state -> !state.waiters().isEmpty()).isPresent());
    }
}
