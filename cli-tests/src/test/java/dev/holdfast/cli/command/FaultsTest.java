package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import dev.holdfast.cli.Processes;
import dev.holdfast.redis.process.RedisProcesses;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast run} while real servers are stopped and killed. */
@Tag("slow")
class FaultsTest {

    private static final long TTL_MILLIS = 6_000;

    /** Says its pid, that of something it has started, and then the time in nanoseconds, again and again. */
    private static final String TELLING = "sleep 1000 & echo $$; echo $!; while :; do date +%s%N; sleep 0.02; done";

    @TempDir
    private Path folder;

    private RedisProcesses servers;
    private Cli cli;

    @BeforeEach
    void start() {
        servers = RedisProcesses.start(5);
        cli = new Cli(folder).patient().nodes(servers.uris());
    }

    @AfterEach
    void stop() {
        cli.close();
        servers.close();
    }

    private void pauseMajority() {
        for (int node = 0; node < 3; node++) {
            servers.node(node).pause();
        }
    }

    private void resumeMajority() {
        for (int node = 0; node < 3; node++) {
            servers.node(node).resume();
        }
    }

    @Test
    void aMinorityMayBeGone() {
        servers.node(1).kill();
        servers.node(3).pause();

        assertThat(cli.run("run", "nightly", "--", "echo", "runs").out()).isEqualTo("runs\n");
    }

    @Test
    void withoutAMajorityEveryNodeIsNamedAndWhy() {
        for (int node = 0; node < 3; node++) {
            servers.node(node).kill();
        }

        Running run = cli.run("run", Cli.SLOW_NODES, "-n", "nightly", "--", "echo", "never");

        assertThat(run.exitCode()).isEqualTo(69);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).hasLineCount(1).contains("no majority: 2 of 5 nodes answered, 3 are needed");
        servers.uris().forEach(uri -> assertThat(run.err()).contains(uri.toString()));
        assertThat(run.err()).contains("connection refused");
        assertThat(cli.run("status", "nightly").exitCode()).isEqualTo(69);
        assertThat(cli.run("list").exitCode()).isEqualTo(69);
        assertThat(cli.run("nodes").exitCode()).isEqualTo(69);
    }

    @Test
    void theCommandIsGoneByTheDeadlineIfItHearsTermAndWhatItStartedToo() {
        lose("term", TELLING);
    }

    @Test
    void theCommandIsGoneByTheDeadlineIfItIgnoresTerm() {
        lose("term", "trap '' TERM; " + TELLING);
    }

    @Test
    void theCommandIsGoneByTheDeadlineIfItIsToBeKilled() {
        lose("kill", TELLING);
    }

    /** Votes that are valid when the nodes stop are from before, so the lease ends within its ttl from then. */
    private void lose(String how, String script) {
        Running run = cli.start(
                "run",
                "--ttl",
                TTL_MILLIS + "ms",
                "--grace",
                "400ms",
                "--on-lost",
                how,
                "nightly",
                "--",
                "sh",
                "-c",
                script);
        List<String> pids = run.awaitLines(3);
        pauseMajority();
        long stoppedMillis = System.currentTimeMillis();

        assertThat(run.exitCode()).as("%s", run.err()).isEqualTo(79);

        List<String> lines = run.out().lines().toList();
        long lastNanos = Long.parseLong(lines.get(lines.size() - 1));
        assertThat(lastNanos / 1_000_000).isLessThanOrEqualTo(stoppedMillis + TTL_MILLIS);
        pids.stream().limit(2).forEach(pid -> Processes.awaitGone(Long.parseLong(pid)));
        assertThat(run.err()).contains("at risk").contains("was lost while the command ran");
        resumeMajority();
        nothingIsLeft();
    }

    @Test
    void aLossIsOnlyToldWhereThatIsAskedFor() {
        Running run =
                cli.start("run", "--ttl", "1s", "--on-lost", "warn", "nightly", "--", "sh", "-c", "echo up; read line");
        run.awaitLines(1);
        pauseMajority();
        Awaitility.await("the loss is told")
                .atMost(Cli.PATIENCE)
                .until(() -> run.err().contains("lost: it expired"));

        run.type("\n");

        assertThat(run.exitCode()).isEqualTo(79);
        resumeMajority();
        nothingIsLeft();
    }

    @Test
    void aLeaseThatRecoversInTimeGoesOn() {
        Running run = cli.start(
                "run",
                "--ttl",
                "20s",
                "--grace",
                "1s",
                "nightly",
                "--",
                "sh",
                "-c",
                "echo up; read line; echo still here");
        run.awaitLines(1);
        pauseMajority();
        Awaitility.await("the risk is told")
                .atMost(Cli.PATIENCE)
                .until(() -> run.err().contains("is at risk"));
        resumeMajority();
        try (Holdfast holdfast = Holdfast.builder().nodes(uris()).connect()) {
            Awaitility.await("the lease is extended")
                    .atMost(Cli.PATIENCE)
                    .until(() -> holdfast.admin().status("nightly").holders().stream()
                            .anyMatch(holder ->
                                    holder.votes() >= 3 && holder.remaining().toMillis() > 14_000));
        }

        run.type("\n");

        assertThat(run.exitCode()).as("%s", run.err()).isZero();
        assertThat(run.out()).endsWith("still here\n");
    }

    private void nothingIsLeft() {
        try (Holdfast holdfast = Holdfast.builder().nodes(uris()).connect()) {
            Awaitility.await("no vote is left").atMost(Cli.PATIENCE).until(() -> {
                var status = holdfast.admin().status("nightly");
                return status.answered() == 5
                        && status.holders().isEmpty()
                        && status.waiters().isEmpty();
            });
        }
    }

    private List<String> uris() {
        return servers.uris().stream().map(Object::toString).toList();
    }
}
