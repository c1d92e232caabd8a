package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import dev.holdfast.cli.Processes;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.server.AccessToken;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Right;
import dev.holdfast.testkit.redis.Disconnect;
import dev.holdfast.testkit.redis.TcpProxy;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code watch}, as a process. */
@Tag("slow")
class WatchTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    @TempDir
    private Path folder;

    private Cli cli;
    private LockServer server;

    @BeforeEach
    void start() {
        cli = new Cli(folder);
        server = LockServer.builder().port(FreePort.pick()).start(); // some tests need it again
    }

    @AfterEach
    void stop() {
        cli.close();
        server.close();
    }

    private static String node(int port) {
        return "holdfast://127.0.0.1:" + port;
    }

    private Running watching(String... arguments) {
        Running watch = cli.start(arguments);
        awaitSaid(watch, "watching holdfast://127.0.0.1:");
        return watch;
    }

    private static void awaitSaid(Running watch, String text) {
        Awaitility.await(text).atMost(Cli.PATIENCE).until(() -> watch.err().contains(text));
    }

    private JsonNode acquire(String json) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.uri().resolve("/v1/leases"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json.replace('\'', '"')))
                .build();
        HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        return JSON.readTree(response.body());
    }

    @Test
    void whatHappensIsALineEach() throws Exception {
        Processes.assumeInterruptible();
        Running watch = watching("watch", "orders:", "--node", node(server.uri().getPort()));
        acquire("{'lock':'bills:1'}");
        JsonNode lease = acquire("{'lock':'orders:1','label':'billing-1','ttl':'200ms'}");

        List<String> lines = watch.awaitLines(2);
        assertThat(lines.get(0))
                .matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3}  granted    orders:1 +EX  billing-1 \\(127.0.0.1\\)  token "
                        + lease.get("token").asLong());
        assertThat(lines.get(1)).contains("expired    orders:1");
        assertThat(watch.out()).doesNotContain("bills:1", lease.get("id").stringValue());

        watch.signal("INT");
        assertThat(watch.exitCode()).isEqualTo(130);
    }

    @Test
    void aBreakIsShownWithTheOperatorAndTheReason() throws Exception {
        Running watch = watching("watch", "--node", node(server.uri().getPort()));
        long token =
                acquire("{'lock':'orders:1','label':'billing-1'}").get("token").asLong();

        Running broken = cli.run(
                "break",
                "orders:1",
                "--token",
                Long.toString(token),
                "--reason",
                "worker hung",
                "--yes",
                "--node",
                node(server.uri().getPort()));

        assertThat(broken.exitCode()).as("%s", broken).isZero();
        assertThat(watch.awaitLines(2).get(1))
                .matches(".*  broken     orders:1 +EX  billing-1 \\(127.0.0.1\\)  token " + token
                        + "  by '.+': worker hung");
    }

    @Test
    void jsonIsAnObjectEach() throws Exception {
        String node = node(server.uri().getPort());
        Running watch = watching("watch", "--json", "--node", node);
        JsonNode lease = acquire("{'lock':'a b','label':'x'}");

        JsonNode event = JSON.readTree(watch.awaitLines(1).get(0));
        assertThat(event.get("type").stringValue()).isEqualTo("granted");
        assertThat(event.get("lock").stringValue()).isEqualTo("a b");
        assertThat(event.get("label").stringValue()).isEqualTo("x");
        assertThat(event.get("token").asLong()).isEqualTo(lease.get("token").asLong());
        assertThat(event.get("server").stringValue()).isEqualTo(node);
    }

    @Test
    void whatWasMissedIsToldFirst() throws Exception {
        try (TcpProxy proxy = TcpProxy.to("127.0.0.1", server.uri().getPort())) {
            Running watch = watching("watch", "--node", node(proxy.port()));
            acquire("{'lock':'first'}");
            watch.awaitLines(1);

            proxy.refuse();
            proxy.cut(Disconnect.RST);
            awaitSaid(watch, "retrying");
            acquire("{'lock':'meanwhile'}");
            proxy.pass();
            awaitSaid(watch, "watching " + node(proxy.port()) + " again");
            acquire("{'lock':'after'}");

            List<String> lines = watch.awaitLines(3);
            assertThat(lines.get(1)).contains("granted    meanwhile");
            assertThat(lines.get(2)).contains("granted    after");
            assertThat(watch.err().lines().filter(line -> line.contains("retrying")))
                    .as("said once")
                    .hasSize(1);
        }
    }

    @Test
    void aServerThatIsStartedAnewIsFound() throws Exception {
        int port = server.uri().getPort();
        Running watch = watching("watch", "--node", node(port));
        acquire("{'lock':'before'}");
        watch.awaitLines(1);
        server.close();
        awaitSaid(watch, "disconnected");

        server = LockServer.builder().port(port).start();
        awaitSaid(watch, "again\n");
        acquire("{'lock':'after'}");

        List<String> lines = watch.awaitLines(3);
        assertThat(lines.get(1)).contains("missed");
        assertThat(lines.get(2)).contains("granted    after");
    }

    @Test
    void severalServersAreToldApart() throws Exception {
        try (LockServer other = LockServer.builder().port(0).start()) {
            String both = node(other.uri().getPort()) + " " + node(server.uri().getPort());
            Running watch = cli.with("HOLDFAST_NODES", both).start("watch");
            awaitSaid(watch, "watching " + node(other.uri().getPort()));
            awaitSaid(watch, "watching " + node(server.uri().getPort()));
            acquire("{'lock':'a'}");

            assertThat(watch.awaitLines(1).get(0)).contains(node(server.uri().getPort()) + "  granted    a");
        }
    }

    @Test
    void aTokenComesAsOtherSecretsDo() throws Exception {
        int port = server.uri().getPort();
        server.close();
        server = LockServer.builder()
                .port(port)
                .tokens(List.of(new AccessToken("reader", SECRET, List.of("orders:"), Set.of(Right.READ))))
                .start();

        Running without = cli.run("watch", "orders:", "--node", node(port));
        assertThat(without.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(without.err()).contains("has no token", "set HOLDFAST_PASSWORD or --password-file");
        Running lock = cli.run("run", "-n", "--node", node(port), "orders:1", "true");
        assertThat(lock.err()).contains("wants a token", "set HOLDFAST_PASSWORD or --password-file");
        Path file = Files.writeString(folder.resolve("token"), SECRET + "\n");
        Running other = cli.run("watch", "bills:", "--node", node(port), "--password-file", file.toString());
        assertThat(other.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(other.err()).contains("begin with [orders:]");
        watching("watch", "orders:", "--node", node(port), "--password-file", file.toString());
        Running inUri = watching("watch", "orders:", "--node", "holdfast://:" + SECRET + "@127.0.0.1:" + port);
        Running fromVariable = cli.with("HOLDFAST_PASSWORD", SECRET).start("watch", "orders:", "--node", node(port));
        awaitSaid(fromVariable, "watching");
        assertThat(inUri.err()).doesNotContain(SECRET);
    }

    @Test
    void aServerThatCannotBeReachedIsSaidWithWhatToCheck() {
        Running unknown = cli.start("watch", "--node", "holdfast://no-such-host-" + "x".repeat(63));
        Running tls = cli.start(
                "watch",
                "--connect-timeout",
                "1s",
                "--node",
                node(server.uri().getPort()).replace("holdfast:", "holdfasts:"));

        awaitSaid(unknown, "cannot be reached (the host is unknown; check its name); retrying");
        awaitSaid(tls, "cannot be reached (TLS failed: the server does not speak TLS at this port");
    }

    @Test
    void aNodeThatTellsNoEventsIsRefused() {
        for (String wrong : List.of("redis://127.0.0.1:1", "memory:", "holdfast://", "holdfast://a:99999")) {
            Running watch = cli.run("watch", "--node", wrong);
            assertThat(watch.exitCode()).as("%s", watch).isEqualTo(ExitCode.USAGE);
            assertThat(watch.err()).hasLineCount(1).contains("holdfast://");
        }
    }

    @Test
    void c11_aSourceThatFailsEndsTheWatch() {
        Running watch = cli.with("HOLDFAST_PASSWORD", "two\nlines")
                .run("watch", "--node", node(server.uri().getPort()));

        assertThat(watch.exitCode()).as("%s", watch).isEqualTo(ExitCode.USAGE);
        assertThat(watch.err()).hasLineCount(1).contains("token").doesNotContain("two");
    }

    @Test
    void watchWithoutARightSaysWhichAndFails() {
        int port = server.uri().getPort();
        server.close();
        server = LockServer.builder()
                .port(port)
                .tokens(List.of(new AccessToken("writer", SECRET, List.of(""), Set.of(Right.ACQUIRE))))
                .start();

        Running watch = cli.with("HOLDFAST_PASSWORD", SECRET).run("watch", "--node", node(port));

        assertThat(watch.exitCode()).as("%s", watch).isEqualTo(ExitCode.USAGE);
        assertThat(watch.err())
                .hasLineCount(1)
                .contains(node(port), "'writer' does not have the right 'read'")
                .doesNotContain(SECRET);
    }
}
