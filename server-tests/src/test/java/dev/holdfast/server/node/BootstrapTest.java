package dev.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Refusal;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.AccessToken;
import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Right;
import dev.holdfast.server.lease.ServersLocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** New sets of nodes that an operator bootstraps (PROTOCOL §5), as the nodes see it. {@code holdfast bootstrap} has tests of its own. */
class BootstrapTest {

    /** Longer than any test: a client with such leases counts a new node within the test only if the node was bootstrapped. */
    private static final Duration LONG_TTL = Duration.ofHours(1);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final Map<Integer, LockServer> servers = new HashMap<>();

    @AfterEach
    void stop() {
        servers.values().forEach(LockServer::close);
    }

    private LockServer server(int number) {
        return Objects.requireNonNull(servers.get(number));
    }

    private void start(int number) {
        LockServer server = LockServer.builder()
                .port(0)
                .data(folder.resolve(String.valueOf(number)))
                .start();
        servers.put(number, server);
    }

    private void startSet() {
        for (int number = 0; number < 3; number++) {
            start(number);
        }
    }

    private Http http(int number) {
        return new Http(server(number));
    }

    private Holdfast client() {
        String[] uris = servers.values().stream().map(LockServer::nodeUri).toArray(String[]::new);
        return Holdfast.builder()
                .nodes(uris)
                .ttl(LONG_TTL)
                .nodeOptions(NodeOptions.defaults().timeout(Duration.ofSeconds(10)))
                .connect();
    }

    private String incarnation(int number) {
        return http(number).get("/v1/bootstrap").is(200).text("incarnation");
    }

    private boolean wasAsked(int number) {
        return http(number).get("/v1/bootstrap").is(200).json().get("asked").booleanValue();
    }

    private boolean isComplete(int number) {
        return http(number).get("/v1/bootstrap").is(200).json().get("complete").booleanValue();
    }

    private Reply bootstrap(int number, String incarnation) {
        return http(number)
                .post("/v1/bootstrap", "{'incarnation':'" + incarnation + "','nodes':'holdfast://a holdfast://b'}");
    }

    @Test
    void aServerThatLocksOnOtherServersTellsTheirNumber() {
        start(0);
        assertThat(http(0).get("/v1/bootstrap").is(200).json().get("setSize").isNull())
                .isTrue();
        LockServer server = LockServer.builder()
                .port(0)
                .data(folder.resolve("of a set"))
                .nodes(server(0).nodeUri(), "holdfast://127.0.0.1:1", "holdfast://127.0.0.1:2")
                .start();
        servers.put(1, server);
        assertThat(http(1).get("/v1/bootstrap").is(200).number("setSize")).isEqualTo(3);
    }

    /** A client that is connected while the set is bootstrapped gets its lock then, and so does one that connects later. */
    @Test
    void clientsCountABootstrappedSetAtOnceHoweverLongTheirTtlIs() throws InterruptedException {
        startSet();
        try (Holdfast early = client();
                Holdfast late = client()) {
            Acquisition refused = early.lock("orders:42").tryAcquire();
            assertThat(((Acquisition.Refused) refused).refusal().reason()).isEqualTo(Refusal.Reason.NO_QUORUM);

            for (int number = 0; number < 3; number++) {
                assertThat(bootstrap(number, incarnation(number))
                                .is(200)
                                .json()
                                .get("complete")
                                .booleanValue())
                        .isTrue();
            }

            Lease first = early.lock("orders:42").acquire(PATIENCE);
            first.release();
            Lease second = late.lock("orders:42").acquire(PATIENCE);
            assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
            second.release();
        }
    }

    @Test
    void aNodeThatAClientHasAskedForAVoteIsNotNewAndStaysSoAfterARestart() throws InterruptedException {
        start(0);
        String incarnation = incarnation(0);
        assertThat(wasAsked(0)).isFalse();
        try (Holdfast alone = client()) { // an only node counts at once
            alone.lock("orders:42").acquire(PATIENCE).release();
        }
        assertThat(wasAsked(0)).isTrue();
        bootstrap(0, incarnation).isProblem(409, "not-new");

        server(0).close();
        start(0);

        assertThat(incarnation(0)).isEqualTo(incarnation);
        assertThat(wasAsked(0)).isTrue();
        bootstrap(0, incarnation).isProblem(409, "not-new");
        assertThat(isComplete(0)).isFalse();
    }

    /** Servers in front of the set acquire a lock for their keys as soon as they can. That must not end the time in which the set is new. */
    @Test
    void theServersOwnLocksDoNotMakeASetUsed() throws InterruptedException {
        start(0);
        try (Holdfast alone = client()) {
            alone.lock(ServersLocks.KEYS).acquire(PATIENCE).release();
            alone.lock(ServersLocks.BREAKS).acquire(PATIENCE).release();
            assertThat(wasAsked(0)).isFalse();

            alone.lock("x" + ServersLocks.KEYS).acquire(PATIENCE).release();
            assertThat(wasAsked(0)).isTrue();
        }
    }

    @Test
    void aBootstrapIsForOneIncarnationOfTheFolder() throws IOException {
        start(0);
        String incarnation = incarnation(0);
        server(0).close();
        Files.delete(folder.resolve("0").resolve(JournalFile.NAME));
        start(0);

        bootstrap(0, incarnation).isProblem(409, "not-new");

        assertThat(isComplete(0)).isFalse();
        assertThat(incarnation(0)).isNotEqualTo(incarnation);
        bootstrap(0, incarnation(0)).is(200);
        bootstrap(0, incarnation(0)).is(200);
        assertThat(isComplete(0)).isTrue();
    }

    @Test
    void aBootstrapSurvivesARestart() {
        start(0);
        bootstrap(0, incarnation(0)).is(200);
        server(0).close();
        start(0);

        assertThat(isComplete(0)).isTrue();
        assertThat(wasAsked(0)).isFalse();
    }

    @Test
    void aServerWithoutAFolderCannotBeBootstrapped() {
        servers.put(0, LockServer.builder().port(0).start());

        assertThat(http(0).get("/v1/bootstrap").isProblem(409, "not-new").text("detail"))
                .contains("--data");
        bootstrap(0, "a").isProblem(409, "not-new");
    }

    @Test
    void theRequestNamesTheIncarnationAndTheNodes() {
        start(0);
        Http http = http(0);

        http.post("/v1/bootstrap", "{}").isProblem(400, "bad-request");
        http.post("/v1/bootstrap", "{'incarnation':'" + incarnation(0) + "'}").isProblem(400, "bad-request");
        http.post("/v1/bootstrap", "{'incarnation':'" + incarnation(0) + "','nodes':' '}")
                .isProblem(400, "bad-request");
        http.post("/v1/bootstrap", "{'incarnation':'" + incarnation(0) + "','nodes':'" + "x".repeat(3_001) + "'}")
                .isProblem(400, "bad-request");
        http.post("/v1/bootstrap", "{'incarnation':1,'nodes':'a'}").isProblem(400, "bad-request");

        assertThat(isComplete(0)).isFalse();
    }

    @Test
    void onlyAnOperatorOfAllNamesBootstrapsAndTheAuditNamesIt() throws IOException {
        Path audit = folder.resolve("audit.log");
        LockServer server = LockServer.builder()
                .port(0)
                .data(folder.resolve("0"))
                .auditLog(audit)
                .tokens(List.of(
                        token("operator", "", Right.ADMIN),
                        token("partial", "orders:", Right.ADMIN),
                        token("client", "", Right.ACQUIRE, Right.READ)))
                .start();
        servers.put(0, server);
        Http nobody = new Http(server);

        nobody.get("/v1/bootstrap").isProblem(401, "unauthorized");
        for (String name : List.of("partial", "client")) {
            Http http = nobody.with(secret(name));
            http.get("/v1/bootstrap").isProblem(403, "forbidden");
            http.post("/v1/bootstrap", "{'incarnation':'a','nodes':'b'}").isProblem(403, "forbidden");
        }
        Http operator = nobody.with(secret("operator"));
        String incarnation = operator.get("/v1/bootstrap").is(200).text("incarnation");
        operator.post("/v1/bootstrap", "{'incarnation':'a','nodes':'holdfast://b'}")
                .isProblem(409, "not-new");
        operator.post("/v1/bootstrap", "{'incarnation':'" + incarnation + "','nodes':'holdfast://b'}")
                .is(200);
        server.close(); // writes what is pending

        List<String> lines = Files.readAllLines(audit).stream()
                .filter(line -> line.contains("\"event\":\"bootstrap\""))
                .toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).contains("\"client\":\"operator\"", "\"outcome\":\"another-incarnation\"");
        assertThat(lines.get(1)).contains("\"nodes\":\"holdfast://b\"", "\"outcome\":\"bootstrapped\"", incarnation);
    }

    private static AccessToken token(String name, String prefix, Right first, Right... others) {
        return new AccessToken(name, secret(name), List.of(prefix), EnumSet.of(first, others));
    }

    private static String secret(String name) {
        return name + "-0123456789abcdef0123456789abcdef";
    }
}
