package dev.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.cluster.ClusterConfig;
import dev.holdfast.cluster.ClusterConfig.Start;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NodeRefusedException;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.server.Http;
import dev.holdfast.server.LockServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients in other processes use a cluster: by its URI, and over HTTP at each of its servers. */
@Tag("slow")
class ServedClusterTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    private static Holdfast client(ServedCluster cluster) {
        return Holdfast.builder()
                .nodes(cluster.uri())
                .ttl(Duration.ofMinutes(5))
                .noQuorumTimeout(PATIENCE)
                .connect();
    }

    @Test
    void aLeaseOutlivesTheLeaderAndGoesToTheWaiter() throws Exception {
        try (ServedCluster cluster = new ServedCluster(folder)) {
            String leader = cluster.leader();
            try (Holdfast one = client(cluster);
                    Holdfast other = client(cluster)) {
                Lease held = one.lock("order").acquire();
                CompletableFuture<Lease> waiter = other.lock("order").acquireAsync(Duration.ofMinutes(5));
                await().atMost(PATIENCE)
                        .until(() -> one.admin().status("order").waiters().size() == 1);

                cluster.stop(leader);
                cluster.leader(); // one of the other two

                assertThat(held.isHeld()).isTrue();
                assertThat(waiter).isNotDone();
                held.close();
                try (Lease next = waiter.get(2, TimeUnit.MINUTES)) {
                    assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
                }

                cluster.start(leader, Start.RESUME);
                cluster.awaitReady(leader);
                assertThat(one.admin().nodes())
                        .singleElement()
                        .satisfies(node -> assertThat(node.state()).isEqualTo(NodeStatus.State.UP));
            }
        }
    }

    @Test
    void aLeaseOverHttpIsUsedAtEachServerAndOutlivesTheLeader() {
        try (ServedCluster cluster = new ServedCluster(folder)) {
            String leader = cluster.leader();
            List.of("a", "b", "c").forEach(cluster::awaitReady);
            await("servers that share the key of the ids of leases (docs/decisions/0069)")
                    .atMost(PATIENCE)
                    .until(() -> isKnownAtOthers(cluster));
            Http.Reply granted =
                    cluster.http("a").acquire("{'lock':'orders:42','ttl':'5m'}").is(201);
            String id = granted.text("id");
            for (String name : List.of("a", "b", "c")) {
                Http.Reply status =
                        cluster.http(name).get("/v1/status?lock=orders:42").is(200);
                assertThat(status.json().get("holders").get(0).get("token").longValue())
                        .isEqualTo(granted.number("token"));
            }

            cluster.stop(leader);

            String next = cluster.leader();
            cluster.awaitReady(next);
            await().atMost(PATIENCE)
                    .until(() -> cluster.http(next)
                                    .post("/v1/leases/" + id + "/extend", "{}")
                                    .status()
                            == 200);
            Http.Reply extended = cluster.http(next)
                    .post("/v1/leases/" + id + "/extend", "{}")
                    .is(200);
            assertThat(extended.number("token")).isEqualTo(granted.number("token"));
        }
    }

    private static boolean isKnownAtOthers(ServedCluster cluster) {
        Http.Reply tried =
                cluster.http("a").acquire("{'lock':'tried','ttl':'1m'}").is(201);
        String id = tried.text("id");
        boolean known = cluster.http("b")
                                .post("/v1/leases/" + id + "/extend", "{}")
                                .status()
                        == 200
                && cluster.http("c").post("/v1/leases/" + id + "/extend", "{}").status() == 200;
        cluster.http("a").release(tried).is(200);
        return known;
    }

    @Test
    void aServerAloneSaysWhoLeads() throws Exception {
        try (ServedCluster cluster = new ServedCluster(folder)) {
            String leader = cluster.leader();
            String follower = leader.equals("a") ? "b" : "a";
            try (Holdfast alone = Holdfast.connect(cluster.server(follower).nodeUri())) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(alone.admin().nodes())
                                .singleElement()
                                .satisfies(node -> {
                                    assertThat(node.state()).isEqualTo(NodeStatus.State.DOWN);
                                    assertThat(node.detail())
                                            .isEqualTo("server " + leader + " leads, and this is server " + follower
                                                    + "; name all servers of the cluster in the URI");
                                }));
            }
        }
    }

    /** Its own client locks on the other servers, so that alone does not show that it takes part. */
    @Test
    void aServerThatTakesNoPartIsNotReady() throws Exception {
        try (ServedCluster cluster = new ServedCluster(folder)) {
            String leader = cluster.leader();
            List.of("a", "b", "c").forEach(cluster::awaitReady);
            String removed = leader.equals("a") ? "b" : "a";

            await().atMost(PATIENCE)
                    .until(() -> cluster.http(cluster.leader())
                                    .post("/v1/cluster/remove", "{\"server\":\"" + removed + "\"}")
                                    .status()
                            == 200);

            await().atMost(PATIENCE)
                    .until(() -> cluster.http(removed).get("/readyz").status() == 503);
            Http.Reply reply = cluster.http(removed).get("/readyz").isProblem(503, "no-quorum");
            assertThat(reply.text("detail")).isEqualTo("Server " + removed + " is not a member of the cluster.");
            assertThat(cluster.server(removed).readiness().hasMajority())
                    .as("its client finds a leader")
                    .isTrue();
        }
    }

    private LockServer alone(String cluster, String data) {
        int port = FreePort.pick();
        ClusterConfig config = new ClusterConfig(
                cluster,
                "a",
                Map.of("a", "127.0.0.1:" + FreePort.pick()),
                folder.resolve(data),
                Start.CREATE,
                ClusterConfig.Options.defaults());
        return LockServer.builder()
                .port(port)
                .clientOfItself(Holdfast.builder())
                .cluster(config, Map.of("a", "holdfast://127.0.0.1:" + port))
                .start();
    }

    /** Otherwise each client would lock on the cluster that answers it first. */
    @ParameterizedTest
    @ValueSource(strings = {"shop", "other"})
    void serversOfTwoClustersInOneUriAreRefused(String name) {
        try (LockServer one = alone("shop", "one");
                LockServer other = alone(name, "other");
                Holdfast client = Holdfast.builder()
                        .nodes(one.nodeUri() + "," + other.uri().getAuthority())
                        .build()) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(client.admin().nodes())
                            .singleElement()
                            .satisfies(node -> {
                                assertThat(node.state()).isEqualTo(NodeStatus.State.REFUSED);
                                assertThat(node.detail()).contains("belong to several clusters");
                            }));
        }
    }

    /** Their votes would count as one although each has its own locks. */
    @Test
    void independentServersInOneUriAreRefused() {
        try (LockServer one = LockServer.builder().port(0).start();
                LockServer other = LockServer.builder().port(0).start()) {
            String uri = one.nodeUri() + "," + other.uri().getAuthority();

            assertThatThrownBy(() -> Holdfast.connect(uri).close())
                    .isInstanceOf(NodeRefusedException.class)
                    .hasMessageContaining("belongs to no cluster; give each independent server a URI of its own");
        }
    }
}
