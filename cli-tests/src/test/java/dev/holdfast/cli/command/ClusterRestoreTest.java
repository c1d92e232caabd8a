package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import dev.holdfast.redis.process.FreePort;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code holdfast cluster backup} and {@code restore}, with servers in processes of their own that lose all of their disks. */
@Tag("slow")
class ClusterRestoreTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(2);

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
        assertThat(cli.run("dev", "cluster", "down").exitCode()).isZero();
    }

    private JsonNode post(String server, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.replace("holdfast://", "http://") + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
        return JSON.readTree(response.body());
    }

    private String uriOf(String name) {
        for (JsonNode server : JSON.readTree(
                        cli.run("dev", "cluster", "status", "--json").out())
                .get("servers")) {
            if (server.get("name").asString().equals(name)) {
                return server.get("uri").asString();
            }
        }
        throw new AssertionError("no server " + name);
    }

    private Running serve(String servers, String name, String... more) {
        List<String> command = new ArrayList<>(List.of(
                "serve",
                "--cluster",
                "dev",
                "--name",
                name,
                "--servers",
                servers,
                "--data",
                folder.resolve("new-" + name).toString(),
                "--grace",
                "0s"));
        command.addAll(List.of(more));
        Running server = cli.start(command.toArray(String[]::new));
        await("server " + name).atMost(PATIENCE).until(() -> server.out().contains("Serving locks at "));
        return server;
    }

    @Test
    void aClusterThatLostAllDisksStartsFromItsBackup() throws Exception {
        assertThat(cli.run("dev", "cluster", "up", "3").exitCode()).isZero();
        JsonNode held = post(uriOf("a"), "/v1/leases", "{\"lock\":\"nightly\",\"ttl\":\"1h\",\"label\":\"before\"}");
        Path file = folder.resolve("one.backup");

        Running made = cli.run("cluster", "backup", file.toString());

        assertThat(made.exitCode()).as("%s", made).isZero();
        assertThat(made.out()).isEqualTo("wrote " + Files.size(file) + " bytes to " + file + "\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Running again = cli.run("cluster", "backup", file.toString());
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.err()).isEqualTo("holdfast: " + file + " exists; name a file that does not\n");
        Running nowhere = cli.run("cluster", "backup", folder.resolve("no/such").toString());
        assertThat(nowhere.exitCode()).isEqualTo(74);
        assertThat(nowhere.err()).hasLineCount(1).endsWith("there is no folder " + folder.resolve("no") + "\n");
        JsonNode later = post(uriOf("b"), "/v1/leases", "{\"lock\":\"later\",\"ttl\":\"1h\"}");
        post(uriOf("b"), "/v1/leases/" + later.get("id").asString() + "/release", "{}");

        assertThat(cli.run("dev", "cluster", "down").exitCode()).isZero();
        assertThat(folder.resolve("dev/cluster")).doesNotExist();
        String servers = "a=127.0.0.1:" + FreePort.pick() + ":" + FreePort.pick() + ",b=127.0.0.1:" + FreePort.pick()
                + ":" + FreePort.pick();
        Running restored = restore(file, servers, "dev");
        assertThat(restored.exitCode()).as("%s", restored).isZero();
        assertThat(restored.out())
                .isEqualTo("restored the cluster dev to " + folder.resolve("new-a")
                        + "; start server a, and add the others to it\n");
        Running b = serve(servers, "b", "--join");
        Running a = serve(servers, "a");
        String[] parts = servers.split("[=:,]");
        String both = "holdfast://127.0.0.1:" + parts[2] + ",127.0.0.1:" + parts[6];
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cli.run("cluster", "add", "b", "127.0.0.1:" + parts[7], "--node", both)
                                .exitCode())
                        .isZero());

        Running status = cli.run("status", "nightly", "--json", "--node", both);
        assertThat(status.out()).as("%s", status).contains(held.get("token").asString());
        assertThat(cli.run("run", Cli.SLOW_NODES, "-n", "nightly", "--node", both, "--", "true")
                        .exitCode())
                .as("the lock is still held")
                .isEqualTo(75);
        Running next =
                cli.run("run", Cli.SLOW_NODES, "later", "--node", both, "--", "sh", "-c", "echo \"$HOLDFAST_TOKEN\"");
        assertThat(next.exitCode()).as("%s", next).isZero();
        assertThat(Long.parseLong(next.out().strip()))
                .as("above a token that the backup does not know")
                .isGreaterThan(later.get("token").longValue());
        Running members = cli.run("cluster", "status", "--node", both);
        assertThat(members.out()).contains("2 of 2 servers take part", "well: it leads", "well: it follows server ");
        assertThat(a.out() + b.out()).doesNotContain("error");
    }

    private Running restore(Path file, String servers, String cluster) {
        return cli.run(
                "cluster",
                "restore",
                file.toString(),
                "--cluster",
                cluster,
                "--name",
                "a",
                "--servers",
                servers,
                "--data",
                folder.resolve("new-a").toString());
    }

    @Test
    void whatCannotBeRestoredIsSaidInOneLine() throws Exception {
        assertThat(cli.run("dev", "cluster", "up", "1").exitCode()).isZero();
        Path file = folder.resolve("one.backup");
        assertThat(cli.run("cluster", "backup", file.toString()).exitCode()).isZero();
        assertThat(cli.run("dev", "cluster", "kill", "a").exitCode()).isZero();
        String servers = "a=127.0.0.1:" + FreePort.pick() + ":" + FreePort.pick();

        Running unreached =
                cli.run("cluster", "backup", folder.resolve("two.backup").toString());
        assertThat(unreached.exitCode()).isEqualTo(69);
        assertThat(unreached.err()).hasLineCount(1).contains("no server of the cluster answers");
        assertThat(folder.resolve("two.backup")).doesNotExist();

        Path none = folder.resolve("none");
        refused(restore(none, servers, "dev"), "there is no file " + none);
        Path text = Files.writeString(folder.resolve("text"), "a list of locks");
        refused(restore(text, servers, "dev"), text + " is not a backup of a cluster");
        byte[] bytes = Files.readAllBytes(file);
        bytes[4] = 9;
        Path newer = Files.write(folder.resolve("newer"), bytes);
        refused(
                restore(newer, servers, "dev"),
                "the backup " + newer
                        + " has version 9; this release reads versions 1 and 2. Restore it with the release"
                        + " that wrote it, or a later one.");
        refused(restore(file, servers, "shop"), "the backup is of cluster 'dev', not of 'shop'");
        assertThat(folder.resolve("new-a")).doesNotExist();

        assertThat(restore(file, servers, "dev").exitCode()).isZero();
        refused(
                restore(file, servers, "dev"),
                folder.resolve("new-a/cluster") + " has data of a server; a backup needs an empty folder");
        Running incomplete = cli.run("cluster", "restore", file.toString(), "--cluster", "dev", "--name", "a");
        assertThat(incomplete.exitCode()).isEqualTo(64);
        assertThat(incomplete.err())
                .isEqualTo("holdfast: a server of a cluster needs --cluster, --name, --servers and --data\n");
    }

    private static void refused(Running restored, String why) {
        assertThat(restored.exitCode()).as("%s", restored).isEqualTo(1);
        assertThat(restored.err()).isEqualTo("holdfast: " + why + "\n");
    }
}
