package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import dev.holdfast.cli.Processes;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.redis.process.RedisProcesses;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast run} on three real servers, as a process of its own. */
@Tag("slow")
class RunTest {

    private static RedisProcesses servers;
    private static Holdfast holdfast;

    @TempDir
    private Path folder;

    private Cli cli;
    private String lock;

    @BeforeAll
    static void startServers() {
        servers = RedisProcesses.start(3);
        holdfast = Holdfast.builder()
                .nodes(servers.uris().stream().map(Object::toString).toList())
                .connect();
    }

    @AfterAll
    static void stopServers() {
        holdfast.close();
        servers.close();
    }

    @BeforeEach
    void aLockOfItsOwn(TestInfo test) {
        cli = new Cli(folder).patient().nodes(servers.uris());
        lock = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        cli.close();
        Awaitility.await("no votes and no waiters of " + lock + " are left")
                .atMost(Cli.PATIENCE)
                .until(() -> status().holders().isEmpty() && status().waiters().isEmpty());
    }

    private LockStatus status() throws InterruptedException {
        return holdfast.admin().status(lock);
    }

    private void awaitWaiters(int count) {
        Awaitility.await(count + " in line")
                .atMost(Cli.PATIENCE)
                .until(() -> status().waiters().size() == count);
    }

    /** A run that says its token, and ends when it is typed a line. */
    private Running holder(String... options) {
        String[] rest = {lock, "--", "sh", "-c", "echo $HOLDFAST_TOKEN; read line"};
        String[] arguments = new String[options.length + 1 + rest.length];
        arguments[0] = "run";
        System.arraycopy(options, 0, arguments, 1, options.length);
        System.arraycopy(rest, 0, arguments, options.length + 1, rest.length);
        return cli.start(arguments);
    }

    @Test
    void theCommandIsToldOfItsLockAndItsExitCodePassesThrough() {
        Running run = cli.run(
                "run",
                "-q",
                lock,
                "--",
                "sh",
                "-c",
                "echo \"$HOLDFAST_LOCK|$HOLDFAST_TOKEN|$HOLDFAST_OWNER|$HOLDFAST_TTL_MS\"; exit 7");

        assertThat(run.exitCode()).isEqualTo(7);
        assertThat(run.out()).matches(lock + "\\|[1-9][0-9]+\\|[^|]+~[^|]+/[0-9]+/[0-9]+\\|30000\n");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void aSecondRunWaitsInLineAndGetsALargerToken() {
        Running first = holder();
        long firstToken = Long.parseLong(first.awaitLines(1).get(0));
        Running second = cli.start("run", lock, "--", "sh", "-c", "echo $HOLDFAST_TOKEN");
        awaitWaiters(1);
        Awaitility.await("it says that it waits, and for whom")
                .atMost(Cli.PATIENCE.multipliedBy(2))
                .until(() -> second.err().contains("queue position"));
        assertThat(second.out()).isEmpty();

        first.type("go on\n");

        assertThat(first.exitCode()).isZero();
        assertThat(second.exitCode()).isZero();
        assertThat(Long.parseLong(second.out().strip())).isGreaterThan(firstToken);
        assertThat(second.err())
                .startsWith("holdfast: waiting ")
                .contains(" s for '" + lock.substring(0, 29))
                .containsPattern("queue position 1, held by [^ ]+ for [0-9]+ s more unless extended");
        assertThat(second.err().lines())
                .as("one line, and one more if the first came before the node's answer")
                .hasSizeLessThan(3);
    }

    @Test
    void aKeyOfAnotherProgramWithoutAnExpiryIsCalledWhatItIs() {
        servers.uris().forEach(uri -> servers.node(servers.uris().indexOf(uri)).send("SET", "lock:" + lock, "theirs"));
        try {
            Running run = cli.run("run", "-w", "6", lock, "--", "true");

            assertThat(run.exitCode()).isEqualTo(75);
            assertThat(run.err())
                    .contains("the key of lock '" + lock + "' is held by a foreign client ('theirs') and has no expiry:"
                            + " this wait never ends unless")
                    .contains(", without an expiry");
        } finally {
            servers.uris()
                    .forEach(uri -> servers.node(servers.uris().indexOf(uri)).send("DEL", "lock:" + lock));
        }
    }

    @Test
    void theNodesAndTheMajorityAreNamedWithV() {
        Running run = cli.run("run", "-v", lock, "grep", "-v", "x", "/dev/null");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("holdfast: nodes: redis://127.0.0.1:").contains(", a majority is 2\n");
        assertThat(cli.run("run", lock, "grep", "-v", "x", "/dev/null").err())
                .as("the -v of the command, not that of run")
                .doesNotContain("nodes: ", "majority");
    }

    @Test
    void whoDoesNotWaitOrNotSoLongIsToldWhoHoldsIt() {
        Running first = holder();
        first.awaitLines(1);

        Running now = cli.run("run", Cli.SLOW_NODES, "-n", lock, "--", "echo", "never");
        Running soon = cli.run("run", Cli.SLOW_NODES, "-w", "200ms", "-E", "9", lock, "--", "echo", "never");

        assertThat(now.exitCode()).isEqualTo(75);
        assertThat(now.out()).isEmpty();
        assertThat(now.err())
                .hasLineCount(1)
                .contains("held by another")
                .contains("HELD by ")
                .contains(":" + first.pid());
        assertThat(soon.exitCode()).isEqualTo(9);
        first.type("\n");
        assertThat(first.exitCode()).isZero();
    }

    @Test
    void readersShareAndAWriterWaits() {
        Running one = holder("-s");
        Running other = holder("--mode", "pr");
        one.awaitLines(1);
        other.awaitLines(1);

        assertThat(cli.run("run", Cli.SLOW_NODES, "-n", lock, "--", "true").exitCode())
                .isEqualTo(75);
        one.type("\n");
        other.type("\n");
        assertThat(one.exitCode()).isZero();
        assertThat(other.exitCode()).isZero();
    }

    @Test
    void inputPassesThroughAndOutputIsTheCommandsAlone() {
        Running run = cli.start("run", "-q", lock, "--", "cat");
        run.type("one\ntwo\n");
        run.endInput();

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEqualTo("one\ntwo\n");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void aCommandThatDiesOfASignalEndsWith128AndItsNumber() {
        assertThat(cli.run("run", lock, "--", "sh", "-c", "kill -9 $$").exitCode())
                .isEqualTo(137);
    }

    @Test
    void signalsReachTheCommandAndItDecides() {
        Running run = cli.start(
                "run",
                lock,
                "--",
                "sh",
                "-c",
                "trap 'echo usr1' USR1; trap 'echo bye; exit 5' TERM; echo up; while :; do sleep 0.05; done");
        run.awaitLines(1);

        run.signal("USR1");
        run.awaitLines(2);
        run.signal("TERM");

        assertThat(run.exitCode()).isEqualTo(5);
        assertThat(run.out()).isEqualTo("up\nusr1\nbye\n");
    }

    @Test
    void signalsReachWhatTheCommandStartedToo() {
        Running run = cli.start("run", lock, "--", "sh", "-c", "trap 'exit 6' INT; sleep 1000 & echo $!; wait");
        long grandchild = Long.parseLong(run.awaitLines(1).get(0));

        run.signal("TERM");

        assertThat(run.exitCode()).isEqualTo(143);
        Processes.awaitGone(grandchild);
    }

    @Test
    void aWaiterThatIsTerminatedLeavesTheQueue() {
        Running first = holder();
        first.awaitLines(1);
        Running second = cli.start("run", lock, "--", "echo", "never");
        awaitWaiters(1);

        second.signal("TERM");

        assertThat(second.exitCode()).isEqualTo(143);
        assertThat(second.out()).isEmpty();
        awaitWaiters(0);
        first.type("\n");
        assertThat(first.exitCode()).isZero();
    }

    @Test
    void theCommandAndWhatItStartedEndWithAWrapperThatIsKilled() {
        Running run = cli.start(
                "run",
                "--ttl",
                "2s",
                lock,
                "--",
                "sh",
                "-c",
                "trap '' TERM; sleep 1000 & echo $$; echo $!; while :; do sleep 0.05; done");
        List<String> pids = run.awaitLines(2);

        run.signal("KILL");

        pids.forEach(pid -> Processes.awaitGone(Long.parseLong(pid)));
        assertThat(run.exitCode()).isEqualTo(137);
    }

    @Test
    void theLongestHoldEndsTheCommand() {
        Running run = cli.run("run", "--max-hold", "5s", "--grace", "500ms", lock, "--", "sleep", "1000");

        assertThat(run.exitCode()).isEqualTo(79);
        assertThat(run.err()).contains("at risk").contains("was lost while the command ran");
    }

    @Test
    void aShellThatIsKilledDoesNotGoOnToItsNextCommandEvenIfItsGuardIsSlow() {
        Running run = cli.start(
                "run",
                "--max-hold",
                "10s",
                "--on-lost",
                "kill",
                lock,
                "--",
                "sh",
                "-c",
                "echo; sleep 1000; echo went on");
        run.awaitLines(1);
        ProcessHandle guard = ProcessHandle.of(run.pid())
                .orElseThrow()
                .children()
                .filter(child ->
                        List.of(child.info().arguments().orElse(new String[0])).contains("holdfast-guard"))
                .findFirst()
                .orElseThrow();
        try {
            Processes.signal("STOP", guard.pid());

            assertThat(run.exitCode()).isEqualTo(79);
            assertThat(run.out()).isEqualTo("\n");
        } finally {
            guard.destroyForcibly();
        }
    }

    @Test
    void aLeaseThatIsBrokenEndsTheCommand() {
        Running run = holder("--ttl", "10s", "--grace", "1s"); // long enough for the commands that come before its end
        String token = run.awaitLines(1).get(0);

        Running refused = cli.run("break", Cli.SLOW_NODES, lock, "--token", token, "--reason", "a test");
        assertThat(refused.exitCode()).isEqualTo(64);
        assertThat(refused.err()).hasLineCount(1).contains("would break").contains("--yes");
        for (String[] sure : new String[][] {{}, {"--yes"}}) {
            Running unknown = cli.run(Stream.concat(
                            Stream.of("break", Cli.SLOW_NODES, lock, "--token", "1", "--reason", "a test", "--json"),
                            Stream.of(sure))
                    .toArray(String[]::new));
            assertThat(unknown.exitCode()).isEqualTo(1);
            assertThat(unknown.err()).hasLineCount(1).contains("with token 1 was found");
            assertThat(unknown.out()).isEqualTo("{\"lock\":\"" + lock + "\",\"token\":1,\"outcome\":\"not_found\"}\n");
        }
        Running broken =
                cli.run("break", Cli.SLOW_NODES, lock, "--token", token, "--reason", "a test", "--yes", "--json");

        assertThat(broken.exitCode()).isZero();
        assertThat(broken.out())
                .isEqualTo("{\"lock\":\"" + lock + "\",\"token\":" + token + ",\"outcome\":\"broken\"}\n");
        assertThat(run.exitCode()).isEqualTo(79);
        assertThat(run.err().lines().filter(line -> !line.contains("is at risk")))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("holdfast: lease of '" + lock + "' lost: "),
                        line -> assertThat(line)
                                .isEqualTo("holdfast: sent TERM to the command, because its lock was broken"),
                        line -> assertThat(line).contains("was lost while the command ran"));
    }

    @Test
    void whatCannotBeRunIsRefusedAndNothingIsLocked() throws Exception {
        Path plain = Files.writeString(folder.resolve("plain"), "no program");

        assertThat(cli.run("run", lock, "--", "no-such-command").exitCode()).isEqualTo(127);
        assertThat(cli.run("run", lock, "--", "/no/such/command").exitCode()).isEqualTo(127);
        assertThat(cli.run("run", lock, "--", folder.toString()).exitCode()).isEqualTo(126);
        Running denied = cli.run("run", lock, "--", plain.toString());
        assertThat(denied.exitCode()).isEqualTo(126);
        assertThat(denied.err()).hasLineCount(1).contains("permission denied");
        assertThat(status().holders()).isEmpty();
    }

    @Test
    void aShellOnlyWhereOneIsAskedFor() {
        assertThat(cli.run("run", "-c", lock, "--", "echo $HOLDFAST_LOCK | cat").out())
                .isEqualTo(lock + "\n");
        assertThat(cli.run("run", lock, "--", "echo", "$HOLDFAST_LOCK | cat").out())
                .isEqualTo("$HOLDFAST_LOCK | cat\n");
    }

    @Test
    void aLocaleWithoutUtf8IsNamedWithTheArgumentsThatNeedIt() {
        Running run = cli.with("LC_ALL", "C").run("run", lock, "--", "echo", "Bücher");

        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run.err())
                .isEqualTo("holdfast: an argument is not ASCII, so it would not reach the command unchanged; if it is"
                        + " UTF-8, set LC_ALL=C.UTF-8\n");
    }

    @Test
    void namesAndArgumentsMayBeginWithADash() {
        Running run = cli.run("run", "--", "-x" + lock, "--", "sh", "-c", "echo \"$HOLDFAST_LOCK $1\"", "--", "-n");

        assertThat(run.out()).isEqualTo("-x" + lock + " -n\n");
    }

    @Test
    void theCommandsOwnOptionsAreLeftAlone() {
        assertThat(cli.run("run", lock, "echo", "-n", "--ttl", "-s", "--", "--help")
                        .out())
                .isEqualTo("--ttl -s -- --help");
    }
}
