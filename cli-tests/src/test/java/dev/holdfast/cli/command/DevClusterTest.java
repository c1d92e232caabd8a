package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.redis.process.FileTree;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code holdfast dev cluster}: servers of a cluster in processes of their own, killed, paused and restarted. */
@Tag("slow")
class DevClusterTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int NO_QUORUM = 69; // the exit code if no leader answers

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
        assertThat(cli.run("dev", "cluster", "status").out()).isEqualTo("no development cluster\n");
        assertThat(folder.resolve("dev/cluster")).doesNotExist();
    }

    private JsonNode server(String name) {
        for (JsonNode server : JSON.readTree(
                        cli.run("dev", "cluster", "status", "--json").out())
                .get("servers")) {
            if (server.get("name").asString().equals(name)) {
                return server;
            }
        }
        throw new AssertionError("no server " + name);
    }

    private JsonNode view() {
        return JSON.readTree(cli.run("cluster", "status", "--json").out());
    }

    /** Waits until a server leads, and returns its name. */
    private String leader() {
        return await("a leader")
                .atMost(PATIENCE)
                .until(() -> view().path("leader").asString(""), leader -> !leader.isEmpty());
    }

    /** Runs a command, again for as long as no leader answers it, as between a fault and an election. */
    private Running runUntilAnswered(String... arguments) {
        return await(String.join(" ", arguments))
                .atMost(PATIENCE)
                .until(() -> cli.run(arguments), run -> run.exitCode() != NO_QUORUM);
    }

    /** Orders a server to lead until it does. A server that is slow for a moment does not take over in time. */
    private void transfer(String name) {
        await("server " + name + " leads")
                .atMost(PATIENCE)
                .until(() -> cli.run("cluster", "transfer", name).out(), ("server " + name + " leads\n")::equals);
    }

    /** Returns whether each of three servers answers, and has the role that it should have. */
    private boolean isLedBy(String leader) {
        JsonNode servers = view().path("servers");
        return servers.size() == 3
                && servers.valueStream().allMatch(server -> {
                    boolean leads = server.path("name").asString().equals(leader);
                    return server.path("role").asString("").equals(leads ? "leader" : "follower")
                            && server.path("committedIndex").longValue(0) > 0;
                });
    }

    @Test
    void aLockStaysHeldWhileItsLeaderIsKilled() throws Exception {
        Running up = cli.run("dev", "cluster", "up", "3");
        assertThat(up.out()).as("%s", up).contains("--node holdfast://");
        Path begun = folder.resolve("begun");
        Path go = folder.resolve("go");
        Running held = cli.start(
                "run",
                "nightly",
                "--",
                "sh",
                "-c",
                "touch '" + begun + "'; while [ ! -e '" + go + "' ]; do sleep 0.1; done; echo done");
        await().atMost(PATIENCE).until(() -> Files.exists(begun));
        String leader = leader();

        assertThat(cli.run("dev", "cluster", "kill", leader).exitCode()).isZero();

        assertThat(server(leader).get("state").asString()).isEqualTo("gone");
        assertThat(runUntilAnswered("run", Cli.SLOW_NODES, "--wait", "60s", "other", "--", "true")
                        .exitCode())
                .as("a new leader grants locks")
                .isZero();
        assertThat(runUntilAnswered("run", Cli.SLOW_NODES, "-n", "nightly", "--", "true")
                        .exitCode())
                .as("the lock is still held")
                .isEqualTo(75);
        Files.createFile(go);
        assertThat(held.exitCode()).as("%s", held).isZero();
        assertThat(held.out()).isEqualTo("done\n");

        assertThat(cli.run("dev", "cluster", "restart", leader).exitCode()).isZero();
        assertThat(server(leader).get("state").asString()).isEqualTo("running");
    }

    @Test
    void nodesInTheConfigFileAreNamedAsTheProblem() {
        cli.patient("nodes = redis://localhost:1");

        Running up = cli.run("dev", "cluster", "up", "3");

        assertThat(up.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(up.err()).hasLineCount(1).contains("remove 'nodes' from the file, or set HOLDFAST_CONFIG=/dev/null");
        cli.with("HOLDFAST_CONFIG", "/dev/null");
        assertThat(cli.run("dev", "cluster", "up", "1").exitCode()).isZero();
    }

    @Test
    void itsEventsAreWatchedIfNoServerIsNamed() {
        assertThat(cli.run("dev", "cluster", "up", "1").exitCode()).isZero();
        String watching = "watching " + server("a").get("uri").asString();

        Running watch = cli.start("watch");

        await(watching).atMost(PATIENCE).until(() -> watch.err().contains(watching));
    }

    @Test
    void theServersOfAClusterAreShownAndChanged() {
        assertThat(cli.run("dev", "cluster", "up", "3").exitCode()).isZero();
        String leader = leader();
        String other = leader.equals("a") ? "b" : "a";
        String third = leader.equals("c") || other.equals("c") ? "b" : "c";

        await("the status after a transfer").atMost(PATIENCE).until(() -> {
            transfer(other); // again if another election was held meanwhile
            return cli.run("cluster", "status")
                            .out()
                            .matches("(?s)dev#[0-9a-f]{8}: server " + other + " leads, term .*")
                    && isLedBy(other);
        });

        assertThat(cli.run("dev", "cluster", "kill", third).exitCode()).isZero();
        await("a removal")
                .atMost(PATIENCE)
                .until(() -> cli.run("cluster", "remove", third).out(), ("removed " + third + "\n")::equals);
        await("a status without the removed server")
                .atMost(PATIENCE)
                .until(() -> view().path("servers").size() == 2);
        assertThat(runUntilAnswered("run", Cli.SLOW_NODES, "-n", "nightly", "--", "true")
                        .exitCode())
                .isZero();

        Running wrong = cli.run("cluster", "transfer", "nobody");
        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.err()).hasLineCount(1).contains("there is no member nobody");
    }

    /** A stopped process accepts connections and answers nothing. Changes and backups may take long, so they must not wait for it. */
    @Test
    void aPausedServerDoesNotHoldUpChangesAndBackups() throws Exception {
        assertThat(cli.run("dev", "cluster", "up", "3").exitCode()).isZero();
        if (leader().equals("a")) {
            transfer("b");
        }
        assertThat(cli.run("dev", "cluster", "pause", "a").exitCode()).isZero();
        Path file = folder.resolve("one.backup");
        String patience = "--connect-timeout=5s"; // much less than that of the test for a command

        Running backup = cli.run("cluster", "backup", file.toString(), patience);

        assertThat(backup.exitCode()).as("%s", backup).isZero();
        try (ServerSocket silent = new ServerSocket(0)) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            Running added = cli.run("cluster", "add", "d", address, patience);
            assertThat(added.exitCode()).as("%s", added).isEqualTo(1);
            assertThat(added.err())
                    .contains(
                            "server d at " + address + " does not answer. Start it as one that joins, and add it then");
        }
        assertThat(cli.run("dev", "cluster", "resume", "a").exitCode()).isZero();
    }

    @Test
    void serversShareTheLeadOfSeveralGroups() {
        assertThat(cli.run("dev", "cluster", "up", "3", "--groups", "3").exitCode())
                .isZero();

        await().atMost(PATIENCE).until(() -> cli.run("cluster", "status").exitCode() == 0);
        assertThat(cli.run("cluster", "status").out())
                .matches(
                        "(?s)dev#[0-9a-f]{8}: 3 groups of locks, all with a leader, 3 of 3 servers take part, 2 are needed\n.*");
        assertThat(view().get("groups")).hasSize(3).allMatch(group -> group.has("leader"));
        for (String name : new String[] {"one", "two", "three", "four", "five"}) {
            assertThat(cli.run("run", Cli.SLOW_NODES, "--wait", "60s", name, "--", "true")
                            .exitCode())
                    .as(name)
                    .isZero();
        }
        assertThat(cli.run("dev", "cluster", "up", "3").err())
                .isEqualTo("holdfast: there is a development cluster of 3 servers with --groups 3;"
                        + " 'holdfast dev cluster down' removes it\n");
        assertThat(cli.run("dev", "cluster", "up", "3", "--groups", "65").err())
                .contains("'65' is out of range; it must be a whole number from 1 to 64");
    }

    /** Otherwise the command waits for a minute, and calls it an internal error. */
    @Test
    void aServerWithoutAMajorityIsReportedAtOnce() {
        assertThat(cli.run("dev", "cluster", "up", "3").exitCode()).isZero();
        for (String name : new String[] {"a", "b", "c"}) {
            assertThat(cli.run("dev", "cluster", "kill", name).exitCode()).isZero();
        }

        Running restarted = cli.run("dev", "cluster", "restart", "a");

        assertThat(restarted.err())
                .isEqualTo("holdfast: server a runs, and waits for a majority: 1 of 3 servers runs, and 2 are needed."
                        + " 'holdfast dev cluster up 3' starts those that are down.\n");
        assertThat(restarted.exitCode()).as("%s", restarted).isEqualTo(ExitCode.NO_QUORUM);
        assertThat(server("a").get("state").asString()).isEqualTo("running");
        assertThat(cli.run("dev", "cluster", "up", "3").exitCode()).isZero();
        assertThat(cli.run("cluster", "status").out()).contains("3 of 3 servers take part");
    }

    /** A server that is killed in the first moments of its first start leaves an empty folder. */
    @Test
    void aServerUsesNeitherTheNodesNorTheTerminalOfTheCommand() throws Exception {
        assumeThat(Path.of("/proc/self/stat")).exists();

        Running up = cli.with("HOLDFAST_NODES", "redis://localhost:1").run("dev", "cluster", "up", "1");

        assertThat(up.exitCode()).as("%s", up).isZero();
        long pid = server("a").get("pid").asLong();
        String[] fields =
                Files.readString(Path.of("/proc", Long.toString(pid), "stat")).split(" ");
        assertThat(fields[5]).as("its session").isEqualTo(Long.toString(pid));
    }

    @Test
    void aServerWithAnEmptyFolderIsCreated() throws Exception {
        assertThat(cli.run("dev", "cluster", "up", "1").exitCode()).isZero();
        assertThat(cli.run("dev", "cluster", "kill", "a").exitCode()).isZero();
        Path data = folder.resolve("dev/cluster/a/cluster");
        FileTree.delete(data);
        Files.createDirectory(data);

        Running up = cli.run("dev", "cluster", "up", "1");

        assertThat(up.exitCode()).as("%s", up).isZero();
    }

    @Test
    void whatCannotBeDoneIsSaidInOneLine() {
        assertThat(cli.run("dev", "cluster", "kill", "a").err())
                .isEqualTo("holdfast: there is no development cluster; 'holdfast dev cluster up' starts one\n");
        assertThat(cli.run("dev", "cluster", "up", "1").exitCode()).isZero();

        assertThat(cli.run("dev", "cluster", "up", "3").err())
                .isEqualTo("holdfast: there is a development cluster of 1 server; 'holdfast dev cluster down' removes"
                        + " it\n");
        assertThat(cli.run("dev", "cluster", "pause", "d").err())
                .isEqualTo("holdfast: the development cluster has no server 'd'; its servers are a\n");
        assertThat(cli.run("dev", "cluster", "kill", "a").exitCode()).isZero();
        assertThat(cli.run("dev", "cluster", "resume", "a").err())
                .isEqualTo("holdfast: server a does not run; 'holdfast dev cluster restart a' starts it\n");
        assertThat(cli.run("dev", "cluster", "up", "1").exitCode()).isZero();
        assertThat(server("a").get("state").asString()).isEqualTo("running");
    }
}
