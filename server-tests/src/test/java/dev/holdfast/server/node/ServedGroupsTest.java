package dev.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.cluster.ClusterConfig.Start;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NodeRefusedException;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.server.Http;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients of a cluster whose three servers share the lead of three groups of locks (docs/decisions/0104). */
@Tag("slow")
class ServedGroupsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(5); // a busy machine causes no election

    /** Among nine names, each of three groups has some. */
    private static final List<String> NAMES =
            IntStream.range(0, 9).mapToObj(number -> "order-" + number).toList();

    @TempDir
    private Path folder;

    private ServedCluster cluster;

    @BeforeEach
    void start() {
        cluster = ServedCluster.withGroups(folder, 3, ELECTION_TIMEOUT);
        cluster.awaitEvenLeads(); // from now on, no lead moves without an order
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private Holdfast client() {
        return Holdfast.builder()
                .nodes(cluster.uri())
                .ttl(Duration.ofMinutes(5))
                .noQuorumTimeout(PATIENCE)
                .connect();
    }

    @Test
    void leasesAndWaitersOfAllGroupsOutliveAServerThatGetsItsLeadBack() throws Exception {
        try (Holdfast one = client();
                Holdfast other = client()) {
            Map<String, Lease> held = new TreeMap<>();
            Map<String, CompletableFuture<Lease>> waiters = new TreeMap<>();
            for (String name : NAMES) {
                held.put(name, one.lock(name).acquire());
                waiters.put(name, other.lock(name).acquireAsync(Duration.ofMinutes(5)));
            }
            await().atMost(PATIENCE).until(() -> NAMES.stream().allMatch(name -> isWaitedFor(one, name)));

            cluster.stop("b");
            cluster.awaitLeaders();

            assertThat(held.values()).allMatch(Lease::isHeld);
            assertThat(waiters.values()).noneMatch(CompletableFuture::isDone);
            await("all groups answer")
                    .atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(one.admin().list("order-", 100).names()).containsExactlyElementsOf(NAMES));
            for (String name : NAMES) {
                held.get(name).close();
                try (Lease next = waiters.get(name).get(2, TimeUnit.MINUTES)) {
                    assertThat(next.fencingToken()).isGreaterThan(held.get(name).fencingToken());
                }
            }

            cluster.start("b", Start.RESUME);

            cluster.awaitEvenLeads();
            await("the client knows all leaders")
                    .atMost(PATIENCE)
                    .until(() -> one.admin().nodes().get(0).state() == NodeStatus.State.UP);
        }
    }

    private static boolean isWaitedFor(Holdfast client, String name) {
        try {
            return client.admin().status(name).waiters().size() == 1;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** While the lead of a group moves, the server answers 409. */
    private static void awaitDone(Supplier<Http.Reply> request) {
        await().atMost(PATIENCE).until(() -> request.get().status() == 200);
    }

    @Test
    void everyServerServesTheLocksOfAllGroupsOverHttp() {
        List.of("a", "b", "c").forEach(cluster::awaitReady);
        for (String name : NAMES) {
            Http.Reply granted = cluster.http("a")
                    .acquire("{'lock':'" + name + "','ttl':'5m','wait':'30s'}")
                    .is(201);
            for (String server : List.of("b", "c")) {
                await("server " + server + " knows the leader of the group of " + name)
                        .atMost(PATIENCE)
                        .until(() -> holder(server, name) == granted.number("token"));
            }
        }
    }

    /** Returns the token of the holder, as a server sees it; 0 if it sees none. */
    private long holder(String server, String name) {
        return cluster.http(server)
                .get("/v1/status?lock=" + name)
                .json()
                .path("holders")
                .path(0)
                .path("token")
                .longValue(0);
    }

    @Test
    void aClientThatNamesOneServerOnlyIsToldToNameAll() {
        assertThatThrownBy(() -> Holdfast.connect(cluster.server("a").nodeUri()))
                .isInstanceOf(NodeRefusedException.class)
                .hasMessageContaining("3 groups")
                .hasMessageContaining("name all its servers in the URI");
    }

    @Test
    void changesAndBackupsCanBeAskedOfAnyServer() {
        for (String server : List.of("a", "b", "c")) {
            Http http = cluster.http(server);
            awaitDone(() -> http.get("/v1/cluster/backup"));
            awaitDone(() -> http.post("/v1/cluster/transfer", "{'server':'" + server + "'}"));
        }
        cluster.awaitEvenLeads();
    }
}
