package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import dev.holdfast.cli.Processes;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Terminal;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.TestAuthority;
import dev.holdfast.redis.process.TlsFiles;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve}, as a process. */
@Tag("slow")
class ServeTest {

    private static final Pattern ADDRESS = Pattern.compile("Serving locks at (https?://\\S+:[0-9]+), on .*");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private Cli cli;

    @BeforeEach
    void start() {
        cli = new Cli(folder).patient();
    }

    @AfterEach
    void stop() {
        cli.close();
    }

    private static URI address(Running server) {
        Matcher line = ADDRESS.matcher(server.awaitLines(3).get(0));
        assertThat(line.matches()).as("%s", server).isTrue();
        return URI.create(line.group(1));
    }

    private static HttpRequest posting(URI server, String path, String json) {
        return HttpRequest.newBuilder(server.resolve(path))
                .header("Content-Type", "application/json")
                .timeout(Cli.PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
    }

    private static HttpResponse<String> post(URI server, String path, String json) throws Exception {
        return CLIENT.send(posting(server, path, json), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void itServesAndSaysHowToUseIt() throws Exception {
        Running server = cli.start("serve", "--port", "0");
        URI address = address(server);
        List<String> lines = server.out().lines().toList();

        assertThat(post(address, "/v1/leases", "{\"lock\":\"a\",\"ttl\":\"1s\"}")
                        .statusCode())
                .isEqualTo(201);
        assertThat(lines.get(1)).contains("curl", address + "/v1/leases");
        assertThat(lines.get(1)).as("no token is needed").doesNotContain("Authorization");
        assertThat(lines.get(2)).contains("Ctrl-C", Long.toString(server.pid()));
        assertThat(server.awaitLines(4).get(3)).isEqualTo("Ready: 1 of 1 nodes vote");

        server.signal("TERM");
        assertThat(server.exitCode()).as("%s", server).isZero();
    }

    @Test
    void aServerOfAClusterWritesOnlyItsOwnLines() throws Exception {
        String servers = "a=127.0.0.1:" + FreePort.pick() + ":" + FreePort.pick();
        Running server = cli.start(
                "serve",
                "--cluster",
                "one",
                "--name",
                "a",
                "--servers",
                servers,
                "--data",
                folder.resolve("a").toString(),
                "--create");

        assertThat(server.awaitLines(4).get(3)).as("%s", server).isEqualTo("Ready: the cluster has a leader");

        assertThat(server.err().lines()).as("%s", server).allMatch(line -> line.startsWith("holdfast: "));
        server.signal("TERM");
        assertThat(server.exitCode()).as("%s", server).isZero();
    }

    @Test
    void aServerOfAClusterWithoutDataNamesTheOptionsOfItsFirstStart() {
        Path data = folder.resolve("a");
        String servers = "a=127.0.0.1:" + FreePort.pick() + ":" + FreePort.pick();
        Running server =
                cli.run("serve", "--cluster", "one", "--name", "a", "--servers", servers, "--data", data.toString());

        assertThat(server.exitCode()).as("%s", server).isEqualTo(ExitCode.NO_QUORUM);
        assertThat(server.err())
                .isEqualTo("holdfast: " + data.resolve("cluster") + " has no data of a server. All servers of a new"
                        + " cluster start with --create, and one that is to be added with --join. If server a has lost"
                        + " its disk, remove it from the cluster, and add it again; without its data it could vote"
                        + " twice in one term.\n");
    }

    @Test
    void sigtermTellsThoseWhoWaitAndLeavesHoldersTheirs() throws Exception {
        Running server = cli.start("serve", "--port", "0", "--grace", "30s");
        URI address = address(server);
        HttpResponse<String> held = post(address, "/v1/leases", "{\"lock\":\"a\",\"ttl\":\"60s\"}");
        String id = held.headers().firstValue("Location").orElseThrow();
        CompletableFuture<HttpResponse<String>> waiter = CLIENT.sendAsync(
                posting(address, "/v1/leases", "{\"lock\":\"a\",\"wait\":\"50s\"}"),
                HttpResponse.BodyHandlers.ofString());
        Awaitility.await().atMost(Cli.PATIENCE).until(() -> waiters(address) == 1);

        server.signal("TERM");

        HttpResponse<String> told = waiter.get(Cli.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(told.statusCode()).isEqualTo(503);
        assertThat(told.body()).contains("stopping");
        assertThat(post(address, id + "/release", "").statusCode()).isEqualTo(200);
        assertThat(server.exitCode()).as("%s", server).isZero();
    }

    /** The server is a node for all other commands, and after a crash it does not grant what is held. */
    @Test
    void commandsWorkAgainstAServerAndItsDataOutlastsACrash() {
        String data = folder.resolve("data").toString();
        String port = Integer.toString(FreePort.pick()); // it is to be had again after the crash
        Running server = cli.start("serve", "--port", port, "--data", data);
        server.awaitLines(3);
        String node = "holdfast://127.0.0.1:" + port;
        Running holder = cli.start("run", "--node", node, "--ttl", "20s", "a", "--", "sleep", "60");
        Awaitility.await()
                .atMost(Cli.PATIENCE)
                .until(() -> cli.run("status", "--node", node, "a").out().contains("held  (1 of 1"));

        assertThat(cli.run("list", Cli.SLOW_NODES, "--node", node).out()).isEqualTo("a\n");
        assertThat(cli.run("nodes", Cli.SLOW_NODES, "--node", node).out()).contains(node, "UP", "holdfast");
        server.signal("KILL");
        assertThat(server.exitCode()).isNotZero();

        cli.start("serve", "--port", port, "--data", data).awaitLines(3);
        Running refused = cli.run("run", Cli.SLOW_NODES, "--node", node, "--wait", "0s", "a", "--", "true");
        assertThat(refused.exitCode()).as("%s", refused).isEqualTo(ExitCode.NO_QUORUM);
        assertThat(refused.err()).contains("QUARANTINED");
        Running granted = cli.start("run", "--node", node, "--wait", "30s", "a", "--", "true");
        assertThat(granted.exitCode()).as("%s", granted).isZero();
        assertThat(holder.exitCode()).as("%s", holder).isEqualTo(ExitCode.LOST);
    }

    private static int waiters(URI server) throws Exception {
        String status = CLIENT.send(
                        HttpRequest.newBuilder(server.resolve("/v1/status?lock=a"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        return status.split("\"waiters\":\\[\\{", -1).length - 1;
    }

    @Test
    void itWarnsAtTheStartWhereNoMajorityOfItsNodesVotes() {
        Running server = cli.start("serve", "--port", "0", "--node", "redis://127.0.0.1:1");

        Awaitility.await().atMost(Cli.PATIENCE).until(() -> server.err().contains("0 of 1 nodes vote, 1 are needed"));
        assertThat(server.err()).contains("redis://127.0.0.1:1: DOWN");
        assertThat(server.out()).doesNotContain("Ready");
    }

    @Test
    void itReportsItsFirstMajority() {
        String port = Integer.toString(FreePort.pick());
        Running server = cli.start("serve", "--port", "0", "--node", "holdfast://127.0.0.1:" + port);
        Awaitility.await().atMost(Cli.PATIENCE).until(() -> server.err().contains("0 of 1 nodes vote, 1 are needed"));

        cli.start("serve", "--port", port);

        assertThat(server.awaitLines(4).get(3)).isEqualTo("Ready: 1 of 1 nodes vote");
    }

    /** The server is one of its own nodes, and cannot answer before it listens. */
    @Test
    void itDoesNotCallItselfDownBeforeItAnswers() {
        String port = Integer.toString(FreePort.pick());

        Running server = cli.start("serve", "--port", port, "--node", "holdfast://127.0.0.1:" + port);

        assertThat(server.awaitLines(4).get(3)).isEqualTo("Ready: 1 of 1 nodes vote");
        assertThat(server.err()).isEmpty();
    }

    @Test
    void theSecondSignalEndsItAtOnce() throws Exception {
        Processes.assumeInterruptible();
        Running server = cli.start("serve", "--port", "0", "--grace", "1h");
        post(address(server), "/v1/leases", "{\"lock\":\"a\",\"ttl\":\"1h\"}");

        server.signal("TERM");
        Awaitility.await()
                .atMost(Cli.PATIENCE)
                .until(() -> server.err().contains("stopping: 1 lease is still held; its holder has "));
        server.signal("INT");

        assertThat(server.exitCode()).as("%s", server).isZero();
        assertThat(server.err()).contains("stopped at once");
    }

    @Test
    void otherMachinesNeedATokenFromTheConfigFile() throws Exception {
        assertThat(cli.run("serve", "--port", "0", "--host", "0.0.0.0").exitCode())
                .isEqualTo(ExitCode.USAGE);
        String secret = "0123456789abcdef0123456789abcdef";
        Path config = Files.writeString(
                folder.resolve("tokens.properties"),
                "token.billing.secret = " + secret
                        + "\ntoken.billing.prefixes = orders:\ntoken.billing.rights = acquire\n");

        cli.with("HOLDFAST_DEBUG", "1"); // all logs, and still no secret in them
        Running server = cli.start("serve", "--port", "0", "--host", "0.0.0.0", "--config", config.toString());
        URI address = address(server);

        assertThat(server.out().lines().toList().get(1)).contains("-H \"Authorization: Bearer $SECRET\"");
        assertThat(post(address, "/v1/leases", "{\"lock\":\"orders:1\"}").statusCode())
                .isEqualTo(401);
        HttpRequest request = HttpRequest.newBuilder(address.resolve("/v1/leases"))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + secret)
                .POST(HttpRequest.BodyPublishers.ofString("{\"lock\":\"orders:1\",\"ttl\":\"1s\"}"))
                .build();
        assertThat(CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(201);
        assertThat(server.err()).as("logs are on").contains("DEBUG");
        assertThat(server.out() + server.err()).doesNotContain(secret);
    }

    @Test
    void whatIsInsecureIsSaidToBe() throws Exception {
        Running server = cli.start("serve", "--port", "0", "--host", "0.0.0.0", "--insecure");

        assertThat(post(address(server), "/v1/leases", "{\"lock\":\"a\",\"ttl\":\"1s\"}")
                        .statusCode())
                .isEqualTo(201);
        assertThat(server.err()).contains("insecure: ");
    }

    @Test
    void aTokenThatIsWrongIsRefusedWithoutItsSecret() throws IOException {
        Path config =
                Files.writeString(folder.resolve("tokens.properties"), "token.billing.secret = 0123456789abcdef0123\n");

        Running server = cli.run("serve", "--port", "0", "--config", config.toString());

        assertThat(server.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(server.err()).contains("token.billing.prefixes is missing").doesNotContain("0123456789abcdef");
    }

    @Test
    void aPortThatIsTakenIsSaid() throws Exception {
        URI address = address(cli.start("serve", "--port", "0"));

        Running second = cli.run("serve", "--port", Integer.toString(address.getPort()));

        assertThat(second.exitCode()).isEqualTo(ExitCode.NO_QUORUM);
        assertThat(second.err())
                .contains("can't listen")
                .contains(
                        "port " + address.getPort() + ": another program uses this port",
                        "choose another one with --port")
                .hasLineCount(1);
    }

    private static String tokens(String secret) {
        return "token.billing.secret = " + secret + "\ntoken.billing.prefixes = *\ntoken.billing.rights = read\n";
    }

    private static int statusWith(URI server, String secret) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/v1/locks"))
                .header("Authorization", "Bearer " + secret)
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
    }

    @Test
    void tokensChangeWithoutARestart() throws Exception {
        String old = "0123456789abcdef0123456789abcdef";
        String fresh = "fedcba9876543210fedcba9876543210";
        Path config = Files.writeString(folder.resolve("tokens.properties"), tokens(old));
        Running server = cli.start("serve", "--port", "0", "--config", config.toString());
        URI address = address(server);
        assertThat(statusWith(address, old)).isEqualTo(200);

        Files.writeString(config, tokens(fresh));
        if (!Terminal.isOurs()) { // in one it would end; there it finds out without help
            server.signal("HUP");
        }

        Awaitility.await().atMost(Cli.PATIENCE).until(() -> statusWith(address, fresh) == 200);
        assertThat(statusWith(address, old)).isEqualTo(401);
        Files.writeString(config, "token.billing.secret = " + fresh + "\n");
        Awaitility.await().atMost(Cli.PATIENCE).until(() -> server.err().contains("stays in use"));
        assertThat(statusWith(address, fresh)).isEqualTo(200);
        assertThat(server.err()).doesNotContain(old, fresh);
        server.signal("TERM");
        assertThat(server.exitCode()).isZero();
    }

    @Test
    void httpsIsServedWithACertificateAndItsKey() throws Exception {
        TestAuthority authority = TestAuthority.in(folder.resolve("authority"));
        TlsFiles files = authority.certify("server");
        Path config = Files.writeString(
                folder.resolve("https.properties"),
                "https-cert = authority/server.pem\nhttps-key = authority/server.key\n");

        Running server = cli.start("serve", "--port", "0", "--config", config.toString());

        assertThat(address(server).getScheme()).isEqualTo("https");
        Running half =
                cli.run("serve", "--port", "0", "--https-key", files.key().toString());
        assertThat(half.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(half.err()).contains("belong together");
        Running swapped = cli.run(
                "serve",
                "--port",
                "0",
                "--https-key",
                files.certificate().toString(),
                "--https-cert",
                files.key().toString());
        assertThat(swapped.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(swapped.err())
                .contains("--https-cert: the file", "has no certificate")
                .hasLineCount(1);
    }
}
