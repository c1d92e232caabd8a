package dev.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.cluster.Backup;
import dev.holdfast.cluster.ClusterConfig;
import dev.holdfast.cluster.ClusterConfig.Start;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.server.AccessToken;
import dev.holdfast.server.Http;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Right;
import dev.holdfast.time.Timing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The state of a cluster and its backup over HTTP. */
@Tag("slow")
class ClusterOverHttpTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String ALL = "secret-for-all-names-0123";
    private static final String SOME = "secret-for-some-names-0123";
    private static final String READER = "secret-of-the-reader-0123";

    @TempDir
    private Path folder;

    @Test
    void eachServerSaysWhatItSeesOfTheOthers() {
        try (ServedCluster cluster = new ServedCluster(folder)) {
            String leader = cluster.leader();
            String follower = leader.equals("a") ? "b" : "a";
            await().atMost(PATIENCE).untilAsserted(() -> {
                JsonNode view =
                        cluster.http(follower).get("/v1/cluster").is(200).json();
                assertThat(view.path("takingPart").asInt()).isEqualTo(3);
                assertThat(view.path("leader").asString("")).isEqualTo(leader);
                assertThat(view.get("majority").asInt()).isEqualTo(2);
                assertThat(view.get("term").longValue()).isPositive();
                assertThat(view.get("servers")).hasSize(3).allSatisfy(server -> agrees(server, view));
            });
            assertThat(cluster.http(follower).get("/v1/cluster/backup").is(200).text("backup"))
                    .as("the follower asks the leader")
                    .isNotEmpty();
            assertThat(cluster.http(follower)
                            .post("/v1/cluster/transfer", "{'server':'nobody'}")
                            .isProblem(409, "cluster-unchanged")
                            .text("detail"))
                    .isEqualTo("The cluster was not changed: there is no member nobody; the members are a, b, c.");
            String unused = "127.0.0.1:" + FreePort.pick();
            assertThat(cluster.http(follower)
                            .post("/v1/cluster/add", "{'name':'d','address':'" + unused + "'}")
                            .isProblem(409, "cluster-unchanged")
                            .text("detail"))
                    .isEqualTo("The cluster was not changed: server d at " + unused
                            + " does not answer. Start it as one that joins, and add it then.");
        }
    }

    private static void agrees(JsonNode server, JsonNode view) {
        String leader = view.get("leader").asString();
        boolean leads = server.get("name").asString().equals(leader);
        assertThat(server.get("role").asString()).isEqualTo(leads ? "leader" : "follower");
        assertThat(server.get("health").asString()).isEqualTo("well");
        assertThat(server.get("detail").asString()).isEqualTo(leads ? "it leads" : "it follows server " + leader);
        assertThat(server.get("lag").isNumber()).isTrue();
        assertThat(server.get("term").longValue()).isEqualTo(view.get("term").longValue());
    }

    @Test
    void aBackupNeedsTheRightForAllNames() throws Exception {
        String address = "127.0.0.1:" + FreePort.pick();
        int port = FreePort.pick();
        ClusterConfig config = new ClusterConfig(
                "trial",
                "a",
                Map.of("a", address),
                folder.resolve("a"),
                Start.CREATE,
                ClusterConfig.Options.defaults());
        byte[] backup;
        try (LockServer server = LockServer.builder()
                .port(port)
                .tokens(List.of(
                        new AccessToken("all", ALL, List.of(""), EnumSet.allOf(Right.class)),
                        new AccessToken("some", SOME, List.of("orders:"), EnumSet.allOf(Right.class)),
                        new AccessToken("reader", READER, List.of(""), Set.of(Right.READ))))
                .clientOfItself(Holdfast.builder())
                .cluster(config, Map.of("a", "holdfast://127.0.0.1:" + port))
                .start()) {
            Http all = new Http(server).with(ALL);
            await().atMost(PATIENCE)
                    .until(() -> all.get("/v1/cluster").is(200).json().has("leader"));
            new Http(server).get("/v1/cluster/backup").isProblem(401, "unauthorized");
            new Http(server).with(READER).get("/v1/cluster/backup").isProblem(403, "forbidden");
            assertThat(new Http(server)
                            .with(SOME)
                            .get("/v1/cluster/backup")
                            .isProblem(403, "forbidden")
                            .text("detail"))
                    .isEqualTo("The token 'some' is for names that begin with [orders:], and a backup contains all"
                            + " names.");
            await().atMost(PATIENCE)
                    .until(() -> all.acquire("{'lock':'orders:42','ttl':'1h'}").status() == 201);
            backup = Base64.getDecoder()
                    .decode(all.get("/v1/cluster/backup").is(200).text("backup"));
        }
        Path file = Files.write(folder.resolve("backup"), backup);
        Timing timing = Timing.system("cluster-over-http");
        try {
            assertThatThrownBy(() -> Backup.restore(file, config, timing))
                    .isInstanceOf(HoldfastException.class)
                    .hasMessageContaining("has data of a server");
        } finally {
            timing.scheduler().close();
        }
    }

    @Test
    void aServerAloneHasNoCluster() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            http.get("/v1/cluster").isProblem(404, "not-found");
            http.get("/v1/cluster/backup").isProblem(404, "not-found");
        }
    }
}
