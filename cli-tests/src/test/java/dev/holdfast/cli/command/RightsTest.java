package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.redis.process.RedisProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users that lack a right, and nodes that have just started. */
@Tag("slow")
class RightsTest {

    @TempDir
    private Path folder;

    @Test
    void c16_listWithoutTheRightToScanSaysSoAndFails() {
        try (RedisProcesses servers = RedisProcesses.start(1);
                Cli cli = new Cli(folder).patient("node-timeout = 10s")) {
            servers.node(0).send("ACL", "SETUSER", "looker", "on", ">secret", "~*", "&*", "+@all", "-scan");
            String uri = servers.uris().get(0).toString().replace("redis://", "redis://looker:secret@");

            Running list = cli.run("--node", uri, "list");

            assertThat(list.exitCode()).isEqualTo(69);
            assertThat(list.out()).isEmpty();
            assertThat(list.err())
                    .hasLineCount(1)
                    .contains("0 of 1 nodes listed", "lacks a right")
                    .doesNotContain("secret");
        }
    }

    /** A user of the server who may do all but this, and what commands say of that. */
    private void lacks(String right, String named, List<String> command) throws InterruptedException {
        try (RedisProcesses servers = RedisProcesses.start(1);
                Cli cli = new Cli(folder).patient("node-timeout = 10s")) {
            servers.node(0).send("ACL", "SETUSER", "looker", "on", ">secret", "~*", "&*", "+@all", right);
            List<String> words = new ArrayList<>(
                    List.of("--node", servers.uris().get(0).toString().replace("redis://", "redis://looker:secret@")));
            words.addAll(command);
            try (Holdfast holdfast = Holdfast.builder()
                            .nodes(servers.uris().get(0).toString())
                            .connect();
                    Lease held = holdfast.lock("x").tryAcquire().lease()) {
                words.replaceAll(word -> word.equals("TOKEN") ? Long.toString(held.fencingToken()) : word);

                Running run = cli.run(words.toArray(String[]::new));

                assertThat(run.exitCode()).as("%s", run).isEqualTo(69);
                assertThat(run.err())
                        .hasLineCount(1)
                        .contains("redis://127.0.0.1:", "lacks a right", named)
                        .doesNotContain("secret");
            }
        }
    }

    @Test
    void statusWithoutARightSaysWhichAndFails() throws InterruptedException {
        lacks("-evalsha", "evalsha", List.of("status", "x"));
    }

    @Test
    void nodesWithoutARightSaysWhichAndFails() throws InterruptedException {
        lacks("-time", "time", List.of("nodes"));
    }

    @Test
    void breakWithoutARightSaysWhichAndFails() throws InterruptedException {
        lacks("-del", "DEL", List.of("break", "x", "--token", "TOKEN", "--reason", "a test", "--yes"));
    }

    @Test
    void breakThatOnlyAnnouncesSaysWhichRightIsMissingAndFails() throws InterruptedException {
        lacks("-evalsha", "evalsha", List.of("break", "x", "--token", "TOKEN", "--reason", "a test"));
    }

    @Test
    void runWithoutARightSaysWhichAndFails() throws InterruptedException {
        lacks("-set", "SET", List.of("run", "-n", "y", "--", "true"));
    }

    /** The output of a client that waits for a second, for a user without this right. */
    private void waits(String right, String named) throws InterruptedException {
        try (RedisProcesses servers = RedisProcesses.start(1);
                Cli cli = new Cli(folder).patient("node-timeout = 10s")) {
            servers.node(0).send("ACL", "SETUSER", "waiter", "on", ">secret", "~*", "&*", "+@all");
            servers.node(0).send("ACL", "SETUSER", "waiter", right);
            String own = servers.uris().get(0).toString();
            try (Holdfast holdfast = Holdfast.builder().nodes(own).connect();
                    Lease held = holdfast.lock("x").tryAcquire().lease()) {
                Running run = cli.run(
                        "--node",
                        own.replace("redis://", "redis://waiter:secret@"),
                        "run",
                        "-w",
                        "3s",
                        "x",
                        "--",
                        "true");

                assertThat(held.isHeld()).isTrue();
                assertThat(run.exitCode()).as("%s", run).isEqualTo(75);
                assertThat(run.err().lines().filter(line -> line.contains("does not allow")))
                        .as("%s", run)
                        .singleElement()
                        .asString()
                        .contains("redis://127.0.0.1:", named)
                        .doesNotContain("secret");
            }
        }
    }

    @Test
    void aClientThatWaitsWithoutItsChannelSaysSo() throws InterruptedException {
        waits("resetchannels", "SUBSCRIBE and PUBLISH to holdfast:push:");
    }

    @Test
    void aClientThatWaitsWithoutTheRightToSubscribeSaysSo() throws InterruptedException {
        waits("-subscribe", "SUBSCRIBE to holdfast:push:");
    }

    @Test
    void aClientThatWaitsWithoutTheRightToPublishSaysSo() throws InterruptedException {
        waits("-publish", "PUBLISH to holdfast:push:");
    }

    @Test
    void aCandidateThatWaitsWithoutTheRightToSubscribeSaysSo() throws InterruptedException {
        try (RedisProcesses servers = RedisProcesses.start(1);
                Cli cli = new Cli(folder).patient("node-timeout = 10s")) {
            servers.node(0).send("ACL", "SETUSER", "waiter", "on", ">secret", "~*", "&*", "+@all", "-subscribe");
            String own = servers.uris().get(0).toString();
            try (Holdfast holdfast = Holdfast.builder().nodes(own).connect();
                    Lease held = holdfast.lock("x").tryAcquire().lease()) {
                Running candidate = cli.start(
                        "--node", own.replace("redis://", "redis://waiter:secret@"), "elect", "x", "--", "true");
                Awaitility.await()
                        .atMost(Cli.PATIENCE)
                        .until(() -> candidate.err().contains("does not allow SUBSCRIBE to holdfast:push:"));

                assertThat(held.isHeld()).isTrue();
                candidate.signal("TERM");
                candidate.exitCode();
                assertThat(candidate.err()).contains("redis://127.0.0.1:").doesNotContain("secret");
            }
        }
    }

    /** A command's own option of the same name is none of it. */
    @ParameterizedTest
    @CsvSource({"-v, true", "--verbose, true", "-q, false"})
    void logsAreShownToWhoAsksForThem(String option, boolean shown) throws InterruptedException {
        try (RedisProcesses servers = RedisProcesses.start(1);
                Cli cli = new Cli(folder).patient("node-timeout = 10s")) {
            servers.node(0).send("ACL", "SETUSER", "looker", "on", ">secret", "~*", "&*", "+@all", "-set");
            String node = servers.uris().get(0).toString().replace("redis://", "redis://looker:secret@");

            Running run = cli.run("--node", node, "run", option, "-w", "1s", "x", "--", "true", "--verbose");

            assertThat(run.err()).contains("SET");
            assertThat(run.err().lines().anyMatch(line -> line.contains(" WARN ")))
                    .as("%s", run)
                    .isEqualTo(shown);
        }
    }

    /** The script that releases grants the lock to the first waiter, and fails after a part of that. */
    @Test
    void aReleaseThatCanNotPromoteTheNextWaiterNamesTheRight() throws InterruptedException {
        try (RedisProcesses servers = RedisProcesses.start(1);
                Cli cli = new Cli(folder).patient("node-timeout = 10s")) {
            servers.node(0).send("ACL", "SETUSER", "holder", "on", ">secret", "~*", "&*", "+@all", "-zrem");
            String own = servers.uris().get(0).toString();
            String node = own.replace("redis://", "redis://holder:secret@");
            try (Holdfast holdfast = Holdfast.builder().nodes(own).connect()) {
                Running run = cli.start("--node", node, "run", "x", "--", "sh", "-c", "echo begun; sleep 60");
                run.awaitLines(1);
                CompletionStage<Acquisition> next = holdfast.lock("x").tryAcquireAsync(Duration.ofSeconds(30));
                Awaitility.await()
                        .atMost(Cli.PATIENCE)
                        .until(() -> !holdfast.admin().status("x").waiters().isEmpty());
                run.signal("TERM");

                run.exitCode();
                assertThat(run.err())
                        .contains("'x'", "redis://127.0.0.1:", "lacks a right at the server: ZREM")
                        .doesNotContain("secret");
                next.toCompletableFuture().cancel(true);
            }
        }
    }

    @Test
    void a3_aRunWithAShortTtlWaitsForThatOnFreshNodes() {
        try (RedisProcesses servers = RedisProcesses.start(3);
                Cli cli = new Cli(folder).patient().nodes(servers.uris())) {
            servers.forEach(server -> server.restartEmpty(false)); // as servers without a trusted certificate
            Running run = cli.run("run", "--ttl", "5s", "-w", "15s", "fresh", "--", "echo", "done");

            assertThat(run.exitCode()).as("%s", run).isZero();
            assertThat(run.out()).isEqualTo("done\n");
        }
    }

    /** The only attempt may be made before the client is connected to the third node. */
    @Test
    void a3_freshNodesAreSaidToBeQuarantinedAndForHowLong() {
        try (RedisProcesses servers = RedisProcesses.start(3);
                Cli cli = new Cli(folder).patient().nodes(servers.uris())) {
            servers.forEach(server -> server.restartEmpty(false)); // as servers without a trusted certificate
            Running run = cli.run("run", "-n", "fresh", "--", "true");

            assertThat(run.exitCode()).isEqualTo(69);
            assertThat(run.err())
                    .hasLineCount(1)
                    .containsPattern("\\b([23]) of 3 nodes answered, but \\1 are quarantined; a majority votes in ");
        }
    }
}
