package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.redis.process.RedisProcesses;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code status}, {@code list} and {@code nodes} on three real servers. The names of JSON's fields are promised. */
@Tag("slow")
class StatusTest {

    private static final JsonMapper JSON = new JsonMapper();

    private static RedisProcesses servers;
    private static Holdfast holdfast;

    @TempDir
    private Path folder;

    private Cli cli;

    @BeforeAll
    static void startServers() {
        servers = RedisProcesses.start(3);
        holdfast = Holdfast.builder()
                .nodes(servers.uris().stream().map(Object::toString).toList())
                .clientName("looking@test")
                .connect();
        Awaitility.await("all nodes are up")
                .atMost(Cli.PATIENCE)
                .until(() -> holdfast.admin().nodes().stream().allMatch(node -> node.state() == NodeStatus.State.UP));
    }

    @AfterAll
    static void stopServers() {
        holdfast.close();
        servers.close();
    }

    @BeforeEach
    void start() {
        cli = new Cli(folder).patient("node-timeout = 10s").nodes(servers.uris());
    }

    @AfterEach
    void stop() {
        cli.close();
    }

    private static JsonNode json(Running run) {
        assertThat(run.exitCode()).as("%s", run).isZero();
        assertThat(run.out()).hasLineCount(1);
        return JSON.readTree(run.out());
    }

    @Test
    void aFreeLockIsFree() {
        JsonNode status = json(cli.run("status", "nobody", "--json"));

        assertThat(status.get("state").asString()).isEqualTo("free");
        assertThat(status.get("holders")).isEmpty();
        assertThat(cli.run("status", "nobody").out()).startsWith("nobody: free  (3 of 3 nodes answered)\n");
    }

    @Test
    void aHeldLockShowsItsHolderItsWaiterAndEveryVote() throws Exception {
        try (Lease lease = holdfast.lock("held").acquire()) {
            Running waiter = cli.start("run", "-q", "--label", "the nightly batch", "held", "--", "true");
            Awaitility.await("one waits")
                    .atMost(Cli.PATIENCE)
                    .until(() -> !holdfast.admin().status("held").waiters().isEmpty());

            JsonNode status = json(cli.run("status", "held", "--json"));
            String text = cli.run("status", "held").out();

            assertThat(status.propertyNames())
                    .containsExactly(
                            "lock",
                            "state",
                            "hasMajority",
                            "answered",
                            "sealedMillis",
                            "sealedBy",
                            "value",
                            "holders",
                            "waiters",
                            "nodes");
            assertThat(status.get("state").asString()).isEqualTo("held");
            JsonNode holder = status.get("holders").get(0);
            assertThat(holder.propertyNames())
                    .containsExactly(
                            "owner",
                            "client",
                            "name",
                            "kind",
                            "mode",
                            "token",
                            "remainingMillis",
                            "votes",
                            "hasMajority");
            assertThat(holder.get("client").asString()).isEqualTo("looking@test");
            assertThat(holder.get("name").asString()).isEqualTo("looking@test");
            assertThat(holder.get("kind").asString()).isEqualTo("holdfast");
            assertThat(holder.get("token").asLong()).isEqualTo(lease.fencingToken());
            assertThat(holder.get("votes").asInt()).isEqualTo(3);
            assertThat(status.get("waiters")).hasSize(1);
            assertThat(status.get("waiters").get(0).get("client").asString()).endsWith(":" + waiter.pid());
            assertThat(status.get("waiters").get(0).get("name").asString()).isEqualTo("the nightly batch");
            assertThat(status.get("nodes")).hasSize(3).allSatisfy(node -> {
                assertThat(node.propertyNames())
                        .containsExactly("node", "problem", "fence", "sealedMillis", "votes", "waiters");
                assertThat(node.get("problem").isNull()).isTrue();
            });
            assertThat(text)
                    .contains(
                            "held: held",
                            "looking@test",
                            Long.toString(lease.fencingToken()),
                            "3 of 3",
                            "PLACE",
                            "the nightly batch");
            assertThat(json(cli.run("list", "he", "--json")).get("locks").get(0).asString())
                    .isEqualTo("held");
            assertThat(json(cli.run("list", "--json")).get("complete").asBoolean())
                    .isTrue();
            assertThat(json(cli.run("list", "--limit", "1", "--json"))
                            .get("complete")
                            .asBoolean())
                    .as("cut off by the limit")
                    .isFalse();
            assertThat(cli.run("list").out()).isEqualTo("held\n");
            assertThat(cli.run("list", "other").out()).isEmpty();
            lease.release();
            assertThat(waiter.exitCode()).isZero();
        }
    }

    @Test
    void aForeignHolderIsShownAsOne() {
        servers.forEach(server -> server.send("SET", "lock:foreign", "someone-else", "NX", "PX", "60000"));

        JsonNode holder =
                json(cli.run("status", "foreign", "--json")).get("holders").get(0);

        assertThat(holder.get("kind").asString()).isEqualTo("foreign");
        assertThat(cli.run("status", "foreign").out()).contains("not written by Holdfast");
        assertThat(cli.run("run", "-n", "foreign", "--", "true").exitCode()).isEqualTo(75);
        servers.forEach(server -> server.send("DEL", "lock:foreign"));
    }

    @Test
    void everyNodeIsShownAsItIs() {
        JsonNode nodes = json(cli.run("nodes", "--json"));

        assertThat(nodes.get("hasMajority").asBoolean()).isTrue();
        assertThat(nodes.get("majority").asInt()).isEqualTo(2);
        assertThat(nodes.get("voting").asInt()).isEqualTo(3);
        assertThat(nodes.get("nodes")).hasSize(3).allSatisfy(node -> {
            assertThat(node.propertyNames())
                    .containsExactly(
                            "node",
                            "state",
                            "detail",
                            "serverId",
                            "version",
                            "uptimeMillis",
                            "roundTripMicros",
                            "clockOffsetMillis",
                            "quarantineMillis",
                            "persistence",
                            "warnings");
            assertThat(node.get("state").asString()).isEqualTo("up");
            assertThat(node.get("persistence").asString()).isEqualTo("none");
            assertThat(node.get("serverId").asString()).hasSize(40);
            assertThat(node.get("roundTripMicros").asLong()).isPositive();
        });
        assertThat(cli.run("nodes").out())
                .hasLineCount(4)
                .contains("ROUND TRIP", "RUN ID", servers.uris().get(0).toString());
    }

    @Test
    void aRefusedNodeDoesNotHideTheOthers() {
        String refused = servers.uris().get(0).toString().replace("redis://", "redis://bob:secret@");
        List<String> others = servers.uris().stream().map(Object::toString).toList();
        Running nodes = cli.run("nodes", "--node", refused, "--node", others.get(1), "--node", others.get(2));

        assertThat(nodes.exitCode()).as("%s", nodes).isZero();
        assertThat(nodes.out().lines())
                .anySatisfy(line -> assertThat(line).matches(others.get(0) + " +REFUSED.*"))
                .anySatisfy(line -> assertThat(line).matches(others.get(1) + " +UP .*"))
                .anySatisfy(line ->
                        assertThat(line).startsWith(others.get(0) + ": the server refuses the user or the password"));
        assertThat(nodes.err()).isEmpty();
        assertThat(cli.run("nodes", "--node", refused, "--node", others.get(1)).exitCode())
                .isEqualTo(69);
    }

    @Test
    void aSetOfNodesThatMustNotBeUsedIsSaid() {
        String uri = servers.uris().get(0).toString();
        Running twice = cli.run("--node", uri, "--node", uri.replace("127.0.0.1", "localhost"), "nodes");

        assertThat(twice.exitCode()).isEqualTo(69);
        assertThat(twice.err()).contains("same server");
    }

    @Test
    void helpAndVersionEndWellAndNoCommandDoesNot() {
        Running help = cli.run("--help");
        Running none = cli.run();

        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("run", "status", "list", "nodes", "break", "dev");
        assertThat(help.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(cli.run("--version").out()).startsWith("holdfast ");
        assertThat(none.exitCode()).isEqualTo(64);
        assertThat(none.out()).isEmpty();
        assertThat(none.err()).contains("run", "status");
        assertThat(cli.run("run", "--help").exitCode()).isZero();
    }
}
