package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import dev.holdfast.redis.process.OsProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a node in PostgreSQL. */
@Tag("slow")
class DatabaseTest {

    private static final String WAIT = "10";

    @TempDir
    static Path directory;

    private static EmbeddedPostgres database;

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeAll
    static void startDatabase() throws IOException {
        Path binaries = Path.of("target", "postgresql").toAbsolutePath();
        database = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(Files.createDirectories(binaries).toFile())
                .setDataDirectory(directory.resolve("data"))
                .setServerConfig("synchronous_commit", "on") // the builder itself makes a server that is not durable
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setPGStartupWait(Duration.ofMinutes(3))
                .setRegisterShutdownHook(false)
                .start();
        long pid = Long.parseLong(
                Files.readAllLines(directory.resolve("data/postmaster.pid")).get(0));
        ProcessHandle.of(pid).ifPresent(OsProcess::endingWithThisJvm);
    }

    @AfterAll
    static void stopDatabase() throws IOException {
        if (database != null) { // it has started
            database.close();
        }
    }

    @BeforeEach
    void start() {
        cli = new Cli(folder).patient("node-timeout = 10s");
    }

    @AfterEach
    void stop() {
        cli.close();
    }

    private static String node(String name) {
        return "postgresql://postgres@localhost:" + database.getPort() + "/" + name;
    }

    /** Runs a command on the database. */
    private Running on(String... arguments) {
        return cli.run(withNode(arguments));
    }

    private static String[] withNode(String... arguments) {
        List<String> all = new ArrayList<>(List.of("--node", node("postgres")));
        all.addAll(List.of(arguments));
        return all.toArray(String[]::new);
    }

    @Test
    void e25_aCommandRunsUnderALockAndOperatorsSeeAndBreakIt() {
        Running holder =
                cli.start(withNode("run", "nightly", "--", "sh", "-c", "echo $HOLDFAST_TOKEN; exec sleep 600"));
        String token = holder.awaitLines(1).get(0);

        Running second = on("run", "-n", "nightly", "--", "true");
        assertThat(second.exitCode()).as("%s", second).isEqualTo(75);
        assertThat(on("status", "nightly").out()).contains("nightly: held").contains(token);
        assertThat(on("list").out()).contains("nightly");
        assertThat(on("nodes").out()).contains("postgresql 1").contains("UP");

        Running broken = on("break", "nightly", "--token", token, "--reason", "a test", "--yes");
        assertThat(broken.exitCode()).as("%s", broken).isZero();
        Running next = on("run", "-w", WAIT, "nightly", "--", "sh", "-c", "echo $HOLDFAST_TOKEN");
        assertThat(next.exitCode()).as("%s", next).isZero();
        assertThat(Long.parseLong(next.out().strip())).isGreaterThan(Long.parseLong(token));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient()
                .send(request.timeout(Cli.PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The database keeps the locks of a lock server: another client sees them, and they outlast the server. */
    @Test
    void aLockServerAndItsPageWorkOnADatabase() throws Exception {
        Running server = cli.start(withNode("serve", "--port", "0"));
        assertThat(server.awaitLines(4).get(3)).as("%s", server).isEqualTo("Ready: 1 of 1 nodes vote");
        URI address = URI.create(server.out().replaceAll("(?s)Serving locks at (\\S+),.*", "$1"));

        HttpResponse<String> held = send(HttpRequest.newBuilder(address.resolve("/v1/leases"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"lock\":\"served\",\"ttl\":\"60s\",\"label\":\"shipper\"}")));
        assertThat(held.statusCode()).as(held.body()).isEqualTo(201);
        assertThat(on("status", "served").out()).contains("served: held", "shipper");
        assertThat(send(HttpRequest.newBuilder(address.resolve("/v1/nodes"))).body())
                .contains(node("postgres").replace("postgres@", ""), "\"state\":\"up\"");
        await().atMost(Cli.PATIENCE)
                .untilAsserted(() -> assertThat(send(HttpRequest.newBuilder(address.resolve("/v1/table")))
                                .body())
                        .contains("\"served\"", "shipper"));
        assertThat(send(HttpRequest.newBuilder(address.resolve("/"))).statusCode())
                .isEqualTo(200);

        server.signal("KILL");
        server.exitCode();
        assertThat(on("run", "-n", "served", "--", "true").exitCode()).isEqualTo(75);
    }

    @Test
    void e25_theDoctorFindsADatabaseThatMayLoseVotes() throws Exception {
        Running fine = on("doctor");
        assertThat(fine.exitCode()).as("%s", fine).isZero();
        assertThat(fine.out()).endsWith("1 of 1 nodes vote, ttl 30 s: nothing to change\n");

        try (var connection = database.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE ROLE careless LOGIN SUPERUSER");
            statement.execute("ALTER ROLE careless SET synchronous_commit = off");
        }
        Running lossy = cli.run("--node", node("postgres").replace("postgres@", "careless@"), "doctor");
        assertThat(lossy.out())
                .as("%s", lossy)
                .contains("synchronous_commit off", "set it to on in postgresql.conf")
                .doesNotContain("nothing to change");
        assertThat(lossy.err()).isEmpty();
    }

    @Test
    void e25_aMistakeInTheAddressIsOneLine() {
        Running noDatabase = cli.run("--node", node("stoock"), "status", "x");
        assertThat(noDatabase.exitCode()).as("%s", noDatabase).isEqualTo(69);
        assertThat(noDatabase.out() + noDatabase.err())
                .contains("stoock")
                .doesNotContain("Exception", "org.postgresql", "\tat ");
        Running noPort = cli.run("--node", "postgresql://localhost:99999/x", "status", "x");
        assertThat(noPort.exitCode()).as("%s", noPort).isEqualTo(64);
        assertThat(noPort.err()).hasLineCount(1).contains("99999").doesNotContain("Exception");
    }
}
