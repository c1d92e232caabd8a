package dev.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SealOutcome;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.Http;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.session.SessionClient;
import dev.holdfast.server.socket.SocketWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Servers as the nodes of {@code holdfast://} clients, killed and restarted. */
@Tag("slow")
class ServersAsNodesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** On a busy machine connections and answers take time, and then a single request gets no answer. */
    private static final NodeOptions PATIENT =
            NodeOptions.defaults().connectTimeout(PATIENCE).timeout(Duration.ofSeconds(5));

    @TempDir
    private Path data;

    private static Holdfast patient(String node) {
        return Holdfast.builder().nodes(node).nodeOptions(PATIENT).connect();
    }

    private static long up(Holdfast holdfast) throws InterruptedException {
        return holdfast.admin().nodes().stream()
                .filter(node -> node.state() == NodeStatus.State.UP)
                .count();
    }

    @Test
    void aLockOnOneServerIsPassedOnByAPush() throws Exception {
        try (LockServer server = LockServer.builder().port(0).start();
                Holdfast one = Holdfast.connect(server.nodeUri());
                Holdfast other = Holdfast.connect(server.nodeUri())) {
            Lease held = one.lock("orders:42").acquire(PATIENCE);
            held.writeValue("from one");
            CompletableFuture<Acquisition> waiting = other.lock("orders:42").tryAcquireAsync(PATIENCE);
            await().atMost(PATIENCE)
                    .until(() -> one.admin().status("orders:42").waiters().size() == 1);

            held.release();

            Lease next = ((Acquisition.Held) waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).lease();
            assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
            assertThat(next.value()).contains("from one");
            next.release();
        }
    }

    @Test
    void fiveServersAreAMajorityOfWhichTwoMayBeGone() throws Exception {
        List<ServerProcess> servers = new ArrayList<>();
        try {
            for (int i = 0; i < 5; i++) {
                servers.add(ServerProcess.start(0, null));
            }
            String[] uris = servers.stream().map(ServerProcess::nodeUri).toArray(String[]::new);
            try (Holdfast holdfast = Holdfast.builder()
                    .nodes(uris)
                    .restartQuarantine(Duration.ZERO)
                    .connect()) {
                DistributedLock lock = holdfast.lock("orders:42");
                long last = 0;
                for (int round = 0; round < 100; round++) {
                    if (round == 30 || round == 60) {
                        servers.get(round / 30).kill();
                    }
                    try (Lease lease = lock.acquire(PATIENCE)) {
                        assertThat(lease.fencingToken()).isGreaterThan(last);
                        last = lease.fencingToken();
                    }
                }
                await().atMost(PATIENCE).until(() -> up(holdfast) == 3);

                int port = servers.get(1).uri().getPort();
                servers.set(1, ServerProcess.start(port, null));
                await().atMost(PATIENCE).until(() -> up(holdfast) == 4);
                try (Lease lease = lock.acquire(PATIENCE)) {
                    assertThat(lease.fencingToken()).isGreaterThan(last);
                }
            }
        } finally {
            servers.forEach(ServerProcess::close);
        }
    }

    /** A server continues a lease under the owner id of the server that granted it. */
    @Test
    void aLeaseOverHttpIsUsedAtAnotherServerOnTheSameServers() {
        try (LockServer node = LockServer.builder().port(0).start();
                LockServer one =
                        LockServer.builder().port(0).nodes(node.nodeUri()).start();
                LockServer other =
                        LockServer.builder().port(0).nodes(node.nodeUri()).start()) {
            await("servers that share the key of the ids of leases (docs/decisions/0069)")
                    .atMost(PATIENCE)
                    .until(() -> extendedAtOther(one, other).status() == 200);
        }
    }

    private static Http.Reply extendedAtOther(LockServer one, LockServer other) {
        Http.Reply lease =
                new Http(one).acquire("{'lock':'orders:42','ttl':'1m'}").is(201);
        Http.Reply extended = new Http(other).post("/v1/leases/" + lease.text("id") + "/extend", "{'ttl':'2m'}");
        new Http(one).release(lease).is(200);
        return extended;
    }

    /** Clients count a new server by its age. */
    @Test
    void aQuarantineIsInUnitsForPeople() throws Exception {
        try (LockServer one = LockServer.builder().port(0).start();
                LockServer two = LockServer.builder().port(0).start();
                Holdfast holdfast =
                        Holdfast.builder().nodes(one.nodeUri(), two.nodeUri()).connect()) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(holdfast.admin().nodes())
                            .extracting(NodeStatus::detail)
                            .allMatch(
                                    detail -> detail.matches("may have lost its state; its votes count in [0-9.]+ s")));
        }
    }

    /** PROTOCOL §5, kept by the node itself: with one node its clients have no quarantine of their own. */
    @Test
    void aKilledServerWithDataGrantsNothingTwice() throws Exception {
        ServerProcess server = ServerProcess.start(0, data);
        int port = server.uri().getPort();
        try (Holdfast holder = Holdfast.connect(server.nodeUri())) {
            Duration ttl = Duration.ofSeconds(6);
            Lease held = holder.lock("orders:42").ttl(ttl).autoExtend(false).acquire(PATIENCE);
            long deadline = System.nanoTime() + held.remaining().toNanos();
            server.kill();
            server = ServerProcess.start(port, data);

            try (Holdfast other = patient(server.nodeUri())) {
                Acquisition early = other.lock("orders:42").tryAcquire();
                if (System.nanoTime() - deadline < 0) {
                    Refusal refusal = ((Acquisition.Refused) early).refusal();
                    assertThat(refusal.nodes().get(0).kind()).isEqualTo(NodeReport.Kind.QUARANTINED);
                } else if (early instanceof Acquisition.Held late) { // this machine was too slow to be early
                    late.lease().release();
                }
                Lease next = other.lock("orders:42").acquire(PATIENCE);
                assertThat(System.nanoTime() - deadline).isPositive();
                assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
                assertThat(held.isHeld()).isFalse();
                next.release();
            }
        } finally {
            server.close();
        }
    }

    /** A session counts on its locks for the grace after the server's end; with data no other client acquires them before. */
    @Test
    void aKilledServerWithSessionsGrantsNothingTwice() {
        ServerProcess server = ServerProcess.start(0, data);
        int port = server.uri().getPort();
        try (SessionClient client = SessionClient.connect(server.uri(), "/v1/session", Map.of())) {
            client.ask("hello", "");
            long token =
                    client.acquire("'lock':'orders:42','ttl':'4s'").get("token").longValue();
            long sent = System.nanoTime();
            long valid = client.ask("alive", "").get("validMillis").longValue();
            server.kill();
            assertThat(client.closedWith()).isNotEqualTo(SocketWriter.NORMAL);
            server = ServerProcess.start(port, data);

            Http.Reply next = new Http(server.uri())
                    .acquire("{'lock':'orders:42','wait':'25s'}")
                    .is(201);

            assertThat(System.nanoTime() - sent).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(valid));
            assertThat(next.number("token")).isGreaterThan(token);
        } finally {
            server.close();
        }
    }

    private static long upNodes(Http http) {
        long up = 0;
        for (JsonNode node : http.get("/v1/nodes").json().get("nodes")) {
            up += node.get("state").stringValue().equals("up") ? 1 : 0;
        }
        return up;
    }

    private static long votes(Http http, String lock) {
        JsonNode holders = http.get("/v1/status?lock=" + lock).json().get("holders");
        return holders.isEmpty() ? 0 : holders.get(0).get("votes").longValue();
    }

    /** A client with a session at a server in front of five does not notice that two of them are killed. */
    @Test
    void sessionsInFrontOfFiveDoNotNoticeThatTwoAreGone() {
        List<ServerProcess> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < 5; i++) {
                nodes.add(ServerProcess.start(0, null));
            }
            String[] uris = nodes.stream().map(ServerProcess::nodeUri).toArray(String[]::new);
            try (LockServer front = inFrontOf(uris);
                    SessionClient holder = SessionClient.open(front);
                    SessionClient waiter = SessionClient.open(front)) {
                Http http = new Http(front);
                await().atMost(PATIENCE).until(() -> upNodes(http) == 5);
                String id = holder.acquire("'lock':'a','ttl':'12s','wait':'20s'")
                        .get("id")
                        .stringValue();
                await().atMost(PATIENCE).until(() -> votes(http, "a") == 5); // else a waiter may have what is missing
                CompletableFuture<JsonNode> waiting = waiter.askAsync("acquire", "'lock':'a','wait':'30s'");
                nodes.get(0).kill();
                nodes.get(3).kill();
                long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(6);
                await().atMost(PATIENCE).until(() -> {
                    assertThat(holder.ask("alive", "").get("validMillis").longValue())
                            .isPositive();
                    waiter.ask("alive", "");
                    return System.nanoTime() - until > 0;
                });
                assertThat(holder.wasTold("lost")).isFalse();
                assertThat(waiting).isNotDone();
                assertThat(holder.ask("release", "'lease':'" + id + "'")
                                .get("answer")
                                .stringValue())
                        .isEqualTo("released");
                SessionClient.granted(SessionClient.in(PATIENCE, waiting));
            }
        } finally {
            nodes.forEach(ServerProcess::close);
        }
    }

    @Test
    void aServerThatStopsWithNothingHeldNeedsNoQuarantine() throws Exception {
        long token;
        try (LockServer server = LockServer.builder().port(0).data(data).start();
                Holdfast holdfast = Holdfast.connect(server.nodeUri());
                Lease lease = holdfast.lock("orders:42").acquire(PATIENCE)) {
            token = lease.fencingToken();
        }
        try (LockServer server = LockServer.builder().port(0).data(data).start();
                Holdfast holdfast = patient(server.nodeUri())) {
            assertThat(holdfast.admin().nodes().get(0).quarantine()).isZero();
            Lease lease = holdfast.lock("orders:42").acquire(Duration.ZERO);
            assertThat(lease.fencingToken()).isGreaterThan(token);
            lease.release();
        }
    }

    @Test
    void sealsOutlastAKillWithData() throws Exception {
        ServerProcess server = ServerProcess.start(0, data);
        try (Holdfast holdfast = Holdfast.builder()
                .nodes(server.nodeUri())
                .nodeOptions(PATIENT.timeout(Duration.ofSeconds(2)))
                .connect()) {
            Lease lease = holdfast.lock("batch:7").ttl(Duration.ofSeconds(4)).acquire(PATIENCE);
            assertThat(lease.seal(Duration.ofHours(1))).isEqualTo(SealOutcome.SEALED);
        }
        int port = server.uri().getPort();
        server.kill();
        server = ServerProcess.start(port, data);
        try (Holdfast holdfast = Holdfast.connect(server.nodeUri())) {
            await().atMost(PATIENCE)
                    .until(() -> holdfast.lock("batch:7").tryAcquire() instanceof Acquisition.Refused refused
                            && refused.refusal().reason() == Refusal.Reason.SEALED);
        } finally {
            server.close();
        }
    }

    private static LockServer inFrontOf(String... uris) {
        return LockServer.builder()
                .port(0)
                .client(Holdfast.builder().nodes(uris).nodeOptions(PATIENT).restartQuarantine(Duration.ZERO))
                .start();
    }

    @Test
    void serversInFrontOfServers() throws Exception {
        List<ServerProcess> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                nodes.add(ServerProcess.start(0, null));
            }
            String[] uris = nodes.stream().map(ServerProcess::nodeUri).toArray(String[]::new);
            try (LockServer front = inFrontOf(uris);
                    LockServer other = inFrontOf(uris)) {
                for (LockServer server : List.of(front, other)) {
                    await().atMost(PATIENCE).until(() -> upNodes(new Http(server)) == 3);
                }
                Http.Reply lease = new Http(front).acquire("{'lock':'a'}").is(201);
                new Http(other).acquire("{'lock':'a'}").isProblem(409, "held");
                nodes.get(0).kill();
                new Http(front).release(lease).is(200);
                new Http(other).acquire("{'lock':'a'}").is(201);
            }
        } finally {
            nodes.forEach(ServerProcess::close);
        }
    }
}
