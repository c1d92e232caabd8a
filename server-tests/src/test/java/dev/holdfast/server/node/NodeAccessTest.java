package dev.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.BreakOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.NodeRefusedException;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.TestAuthority;
import dev.holdfast.server.AccessToken;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Right;
import dev.holdfast.server.Socket;
import dev.holdfast.server.session.SessionClient;
import dev.holdfast.server.socket.SocketWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The rights to use a server as a node. */
@Tag("slow")
class NodeAccessTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** On a busy machine connections and answers take time, and then a single request does not show the cause. */
    private static final NodeOptions PATIENT =
            NodeOptions.defaults().connectTimeout(Duration.ofSeconds(30)).timeout(Duration.ofSeconds(10));

    private static final String ALL = "all-all-all-all-all-all";
    private static final String ORDERS = "orders-orders-orders-o";
    private static final String READER = "reader-reader-reader-r";
    private static final String OPERATOR = "operator-operator-oper";

    private static LockServer server;

    @BeforeAll
    static void start() {
        server = LockServer.builder()
                .port(0)
                .tokens(List.of(
                        new AccessToken("all", ALL, List.of(""), Set.of(Right.ACQUIRE, Right.READ)),
                        new AccessToken("orders", ORDERS, List.of("lock:orders:"), Set.of(Right.ACQUIRE, Right.READ)),
                        new AccessToken("reader", READER, List.of(""), Set.of(Right.READ)),
                        new AccessToken("operator", OPERATOR, List.of(""), Set.of(Right.READ, Right.ADMIN))))
                .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String nodeWith(String token) {
        return "holdfast://:" + token + "@127.0.0.1:" + server.uri().getPort();
    }

    private static Holdfast with(String token) {
        return connect(nodeWith(token));
    }

    private static Holdfast connect(String node) {
        return Holdfast.builder().nodes(node).nodeOptions(PATIENT).connect();
    }

    private static String reasonOf(Acquisition acquisition) {
        return ((Acquisition.Refused) acquisition).refusal().nodes().get(0).detail();
    }

    @Test
    void aTokenIsForItsPrefixesAndRights() throws Exception {
        try (Holdfast all = with(ALL);
                Holdfast orders = with(ORDERS);
                Holdfast reader = with(READER)) {
            try (Lease lease = orders.lock("orders:1").acquire(PATIENCE)) {
                assertThat(reader.admin().status("orders:1").holders()).hasSize(1);
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(reasonOf(orders.lock("bills:1").tryAcquire()))
                    .contains("names that begin with [lock:orders:]")
                    .doesNotContain(ORDERS);
            assertThat(reasonOf(reader.lock("orders:1").tryAcquire())).contains("does not have the right 'acquire'");
            assertThat(all.lock("bills:1").tryAcquire()).isInstanceOf(Acquisition.Held.class);
        }
    }

    @Test
    void breakingTakesItsRight() throws Exception {
        try (Holdfast all = Holdfast.connect(nodeWith(ALL));
                Holdfast operator = with(OPERATOR)) {
            Lease lease = all.lock("hangs").ttl(Duration.ofSeconds(5)).acquire(PATIENCE);
            try (Holdfast other = with(ALL)) {
                assertThat(other.admin()
                                .breakLease("hangs", lease.fencingToken(), "test")
                                .outcome())
                        .isNotEqualTo(BreakOutcome.BROKEN);
                assertThat(lease.isHeld()).isTrue();
            }

            assertThat(operator.admin()
                            .breakLease("hangs", lease.fencingToken(), "test")
                            .outcome())
                    .isEqualTo(BreakOutcome.BROKEN);
            await().atMost(PATIENCE).until(() -> !lease.isHeld());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":wrong-wrong-wrong-wrong@"})
    void withoutATokenNobodyGetsIn(String user) {
        HoldfastBuilder builder = Holdfast.builder()
                .nodes("holdfast://" + user + "127.0.0.1:" + server.uri().getPort())
                .nodeOptions(PATIENT);
        try (Holdfast refused = builder.connect()) {
            throw new AssertionError("connected: " + refused.admin().nodes());
        } catch (NodeRefusedException e) {
            assertThat(e).hasMessageContaining("wants a token").hasMessageNotContaining("wrong-wrong");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aTokenMayComeFromWherePasswordsComeFrom() throws Exception {
        try (Holdfast holdfast = Holdfast.builder()
                .nodes(server.nodeUri())
                .nodeOptions(NodeOptions.defaults().credentials(null, () -> ALL))
                .connect()) {
            holdfast.lock("a").acquire(PATIENCE).release();
        }
    }

    @Test
    void overTls(@TempDir Path folder) throws Exception {
        TestAuthority authority = TestAuthority.in(folder);
        var files = authority.certify("localhost");
        try (LockServer secure = LockServer.builder()
                        .port(0)
                        .tls(files.certificate(), files.key())
                        .start();
                Holdfast holdfast = Holdfast.builder()
                        .nodes("holdfasts://localhost:" + secure.uri().getPort())
                        .nodeOptions(NodeOptions.defaults().trustedCertificates(files.authority()))
                        .connect()) {
            holdfast.lock("a").acquire(PATIENCE).release();
            try (Holdfast doubtful =
                    connect("holdfasts://localhost:" + secure.uri().getPort())) {
                NodeStatus status = doubtful.admin().nodes().get(0);
                assertThat(status.state()).isEqualTo(NodeStatus.State.DOWN);
                assertThat(status.detail()).contains("TLS failed");
            }
        }
    }

    @Test
    void aServerThatGoesAndComesIsToldOf() throws Exception {
        int port = FreePort.pick();
        try (Holdfast holdfast = connect("holdfast://127.0.0.1:" + port)) {
            NodeStatus down = holdfast.admin().nodes().get(0);
            assertThat(down.state()).isEqualTo(NodeStatus.State.DOWN);
            assertThat(down.detail()).contains("refused");
            try (LockServer again = LockServer.builder().port(port).start()) {
                NodeStatus up = await().atMost(PATIENCE)
                        .until(() -> holdfast.admin().nodes().get(0), node -> node.state() == NodeStatus.State.UP);
                assertThat(up.server().version()).startsWith("holdfast");
                assertThat(up.server().clockOffset()).isBetween(Duration.ofSeconds(-1), Duration.ofSeconds(1));
                assertThat(again.uri().getPort()).isEqualTo(port);
                Lease lease = holdfast.lock("a").acquire(PATIENCE);
                LockStatus status = holdfast.admin().status("a");
                assertThat(status.holders().get(0).token()).isEqualTo(lease.fencingToken());
                assertThat(holdfast.admin().list("", 10).names()).containsExactly("a");
            }
            await().atMost(PATIENCE).until(() -> holdfast.admin().nodes().get(0).state() == NodeStatus.State.DOWN);
        }
    }

    // ---- what is no client

    private static final Map<String, String> HEADERS = Map.of("Authorization", "Bearer " + ALL);

    private static SessionClient socket() {
        return SessionClient.connect(server, "/v1/node", HEADERS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "{\"id\":1}",
                "{\"id\":1,\"op\":\"status\"}",
                "{\"id\":1,\"op\":\"hello\",\"protocol\":1,\"client\":\"no client\"}",
                "{\"id\":1,\"op\":\"hello\",\"protocol\":\"1\",\"client\":\"a~a1b2c3d4\"}",
            })
    void whatIsNoMessageEndsTheConnection(String line) {
        try (SessionClient client = socket()) {
            client.send(line);
            assertThat(client.closedWith()).isEqualTo(SocketWriter.PROTOCOL);
        }
    }

    @Test
    void anotherVersionIsRefusedWithBoth() {
        try (SessionClient client = socket()) {
            JsonNode answer = client.ask("hello", "'protocol':2,'client':'a~a1b2c3d4'");
            assertThat(answer.get("answer").stringValue()).isEqualTo("refused");
            assertThat(answer.get("reason").stringValue()).contains("version 2").contains("version 1");
        }
    }

    @Test
    void aClientAsksForItselfOnly() {
        try (SessionClient client = socket()) {
            client.ask("hello", "'protocol':1,'client':'a~a1b2c3d4'");
            JsonNode answer = client.ask(
                    "acquire",
                    "'resource':'lock:x','owner':'b~a1b2c3d4/1/0','mode':'EX','ttlMillis':1000,'queue':false,"
                            + "'waiterTtlMillis':1000,'tokens':1,'floor':0,'heal':false");
            assertThat(answer.get("answer").stringValue()).isEqualTo("refused");
        }
    }

    /** An owner id has fewer characters, and a larger text might not fit into the log of a cluster. */
    @Test
    void aSealNamesItsOwnerInFewCharacters() {
        try (SessionClient client = socket()) {
            client.ask("hello", "'protocol':1,'client':'d~a1b2c3d4'");
            String release = "{'id':2,'op':'release','resource':'lock:x','owner':'d~a1b2c3d4/1/0','buryMillis':0,"
                    + "'seal':{'by':'" + "x".repeat(2_049) + "','agoMillis':0,'remainingMillis':1000}}";
            client.send(release.replace('\'', '"'));
            assertThat(client.closedWith()).isEqualTo(SocketWriter.PROTOCOL);
        }
    }

    @Test
    void aClientIsNotReplacedByOneWithAnotherToken() {
        try (SessionClient client = socket();
                SessionClient thief =
                        SessionClient.connect(server, "/v1/node", Map.of("Authorization", "Bearer " + ORDERS));
                SessionClient again = socket()) {
            client.ask("hello", "'protocol':1,'client':'c~a1b2c3d4'");
            assertThat(thief.ask("hello", "'protocol':1,'client':'c~a1b2c3d4'")
                            .get("answer")
                            .stringValue())
                    .isEqualTo("refused");
            assertThat(again.ask("hello", "'protocol':1,'client':'c~a1b2c3d4'")
                            .get("answer")
                            .stringValue())
                    .isEqualTo("hello");
        }
    }

    /** Otherwise the server would keep the client for good, and admit its name with no other token. */
    @Test
    void aClientThatIsResetAtItsHelloIsForgotten() throws Exception {
        for (int i = 0; i < 20; i++) {
            String fields = "'protocol':1,'client':'e~a1b2c3d4e" + i + "'";
            String hello = ("{'id':1,'op':'hello'," + fields + "}").replace('\'', '"');
            try (Socket lost = new Socket(server)) {
                lost.write("GET /v1/node HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + ALL
                        + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
                assertThat(lost.readSome()).startsWith("HTTP/1.1 101");
                lost.write("\u0081" + (char) (0x80 + hello.length()) + "\0\0\0\0" + hello);
                lost.reset();
            }
            try (SessionClient other =
                    SessionClient.connect(server, "/v1/node", Map.of("Authorization", "Bearer " + ORDERS))) {
                await().atMost(PATIENCE)
                        .until(() -> other.ask("hello", fields)
                                .get("answer")
                                .stringValue()
                                .equals("hello"));
            }
        }
    }
}
