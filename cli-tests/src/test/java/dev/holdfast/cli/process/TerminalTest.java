package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import dev.holdfast.cli.Launcher;
import dev.holdfast.cli.Processes;
import dev.holdfast.lock.Lease;
import dev.holdfast.redis.process.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast run} at a terminal, which {@code script} of util-linux plays. */
@Tag("slow")
class TerminalTest {

    /** Said at the second tick, or at a later one. */
    private static final Pattern LATER = Pattern.compile("waiting ([2-9]|[1-9][0-9]+) s(:| for)");

    private static RedisProcess server;

    @TempDir
    private Path folder;

    private Cli cli;
    private String lock;

    @BeforeAll
    static void startServer() {
        Assumptions.assumeTrue(
                CommandPath.find("script", Child.path()).isPresent()
                        && Path.of("/proc/self/stat").toFile().exists(),
                "script of util-linux, and /proc");
        server = RedisProcess.start();
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void start(TestInfo test) {
        lock = test.getTestMethod().orElseThrow().getName();
        cli = new Cli(folder).patient().nodes(List.of(server.uri())).atTerminal();
    }

    @AfterEach
    void stop() {
        cli.close();
    }

    @Test
    void theCommandHasTheTerminalAndCanAskThere() {
        Running run = cli.start("run", lock, "--", "sh", "-c", "echo ready; read line < /dev/tty; echo \"got $line\"");
        run.awaitLines(1);

        run.type("a secret\n");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("got a secret");
    }

    @Test
    void ctrlCReachesTheCommandOnce() {
        Processes.assumeInterruptible();
        Running run = cli.start(
                "run",
                lock,
                "--",
                "sh",
                "-c",
                "trap 'n=$((n+1)); [ $n = 1 ] && echo caught' INT; echo ready; until read line; do :; done; echo \"$n times\"");
        run.awaitLines(1);

        run.type("\u0003");
        run.awaitLines(2);
        run.type("\n");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("caught").contains("1 times");
    }

    @Test
    void ctrlCEndsACommandThatDoesNotMind() {
        Processes.assumeInterruptible();
        Running run = cli.start("run", lock, "--", "sh", "-c", "echo ready; sleep 1000");
        run.awaitLines(1);

        run.type("\u0003");

        assertThat(run.exitCode()).isEqualTo(130);
    }

    @Test
    void aCommandThatHoldsALockIsNotLeftStandingStill() {
        Running run = cli.start("run", lock, "--", "sh", "-c", "echo ready; read line; echo \"got $line\"");
        run.awaitLines(1);

        run.type("\u001ago on\n");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("got go on");
    }

    @Test
    void theCommandHasTheTerminalWhereShIsBash() throws Exception {
        Processes.assumeInterruptible();
        makeShBash();
        Running run =
                cli.start("run", lock, "--", "sh", "-c", "echo ready; read line; echo \"got $line\"; exec sleep 1000");
        run.awaitLines(1);

        run.type("\u001ago on\n");
        Awaitility.await("the command has read")
                .atMost(Cli.PATIENCE)
                .until(() -> run.out().contains("got go on"));
        run.type("\u0003");

        assertThat(run.exitCode()).isEqualTo(130);
    }

    /** Where errors go to a file, and {@code sh} is bash, the shell of the job may be stopped when it takes the terminal back. */
    @Test
    void theCommandEndsWhereShIsBashAndErrorsGoToAFile() throws Exception {
        makeShBash();
        String job = "set -m; \"$@\" 2> \"$0\"; echo \"code $?\"";
        List<String> command = new ArrayList<>(List.of("run", lock, "--", "bash", "-c", job));
        command.add(folder.resolve("errors").toString());
        command.addAll(Launcher.COMMAND);
        command.addAll(List.of("run", lock + "-inner", "--", "sh", "-c", "read line; echo \"got $line\""));
        Running run = cli.start(command.toArray(String[]::new));

        run.type("a line\n");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("got a line").contains("code 0");
    }

    /** On most systems other than Debian's, {@code sh} is bash, which has rules of its own about the jobs of a terminal. */
    private void makeShBash() throws IOException {
        Path bash = CommandPath.find("bash", Child.path()).orElse(null);
        Assumptions.assumeTrue(bash != null, "bash");
        Path shells = Files.createDirectory(folder.resolve("shells"));
        Files.createSymbolicLink(shells.resolve("sh"), bash);
        cli.with("PATH", shells + ":" + Child.path());
    }

    @Test
    void theWaitIsShownOnOneLineThatIsCleared() throws Exception {
        try (Holdfast holdfast = Holdfast.connect(server.uri().toString())) {
            Lease lease = holdfast.lock(lock).acquire();
            Running run = cli.start("run", lock, "--", "echo", "runs");
            Awaitility.await("the line lives")
                    .atMost(Cli.PATIENCE)
                    .until(() -> run.out().contains("queue position 1")
                            && LATER.matcher(run.out()).find());
            lease.release();

            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).contains("\r\u001b[Kruns");
            assertThat(run.out().substring(0, run.out().indexOf("runs"))).doesNotContain("\n");
        }
    }

    @Test
    void ctrlCEndsTheWait() throws Exception {
        Processes.assumeInterruptible();
        try (Holdfast holdfast = Holdfast.connect(server.uri().toString());
                Lease lease = holdfast.lock(lock).acquire()) {
            Running run = cli.start("run", lock, "--", "echo", "never");
            Awaitility.await("it waits")
                    .atMost(Cli.PATIENCE)
                    .until(() -> run.out().contains("queue position 1"));

            run.type("\u0003");

            assertThat(run.exitCode()).isEqualTo(130);
            assertThat(run.out()).doesNotContain("never");
            Awaitility.await("nobody waits")
                    .atMost(Cli.PATIENCE)
                    .until(() -> holdfast.admin().status(lock).waiters().isEmpty());
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void theCommandEndsWithAWrapperThatIsKilled() {
        Running run =
                cli.start("run", lock, "--", "sh", "-c", "sleep 1000 & echo $$; echo $!; echo $HOLDFAST_OWNER; wait");
        List<String> lines = run.awaitLines(3);
        String owner = lines.get(2);
        long wrapper = Long.parseLong(owner.substring(owner.lastIndexOf(':') + 1, owner.indexOf('~')));

        Processes.signal("KILL", wrapper);

        Processes.awaitGone(Long.parseLong(lines.get(0)));
        Processes.awaitGone(Long.parseLong(lines.get(1)));
        assertThat(run.exitCode()).isEqualTo(137);
    }

    /** The wrapper ends at a moment at which it can hardly know the command's process. */
    @Test
    void theCommandEndsWithAWrapperThatIsKilledAtOnce() {
        String wrapper = "wrapper=${HOLDFAST_OWNER##*:}; kill -s KILL \"${wrapper%%~*}\"; echo $$; sleep 1000";
        Running run = cli.start("run", lock, "--", "sh", "-c", wrapper);

        Processes.awaitGone(Long.parseLong(run.awaitLines(1).get(0)));
        assertThat(run.exitCode()).isEqualTo(137);
    }
}
