package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import dev.holdfast.cli.Processes;
import dev.holdfast.lock.BreakOutcome;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.redis.process.RedisProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast elect} on three real servers, as processes of their own. */
@Tag("slow")
class ElectTest {

    private static final String NAME = "worker";
    private static final long TTL_MILLIS = 10_000;

    /** Says its term and its pid, and runs until it is ended. */
    private static final String TELLING = "echo $HOLDFAST_TERM $$; exec sleep 1000";

    @TempDir
    private Path folder;

    private RedisProcesses servers;
    private Holdfast holdfast;
    private Cli cli;

    @BeforeEach
    void start() {
        servers = RedisProcesses.start(3);
        holdfast = Holdfast.builder()
                .nodes(servers.uris().stream().map(Object::toString).toList())
                .nodeOptions(NodeOptions.defaults().timeout(Duration.ofSeconds(5)))
                .connect();
        cli = new Cli(folder).patient().nodes(servers.uris());
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        cli.close();
        try {
            Awaitility.await("no votes and no waiters are left")
                    .atMost(Cli.PATIENCE)
                    .until(() ->
                            status().holders().isEmpty() && status().waiters().isEmpty());
        } finally {
            holdfast.close();
            servers.close();
        }
    }

    private LockStatus status() throws InterruptedException {
        return holdfast.admin().status(NAME);
    }

    private Running elect(String script, String... options) {
        List<String> arguments = new ArrayList<>(List.of("elect", "--ttl", TTL_MILLIS + "ms", "--grace", "3s"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of(NAME, "--", "sh", "-c", script));
        return cli.start(arguments.toArray(String[]::new));
    }

    private void awaitWaiters(int count) {
        Awaitility.await(count + " in line")
                .atMost(Cli.PATIENCE)
                .until(() -> status().waiters().size() == count);
    }

    private static long term(Running running, int line) {
        return Long.parseLong(running.awaitLines(line).get(line - 1).split(" ")[0]);
    }

    private static long pid(Running running, int line) {
        return Long.parseLong(running.awaitLines(line).get(line - 1).split(" ")[1]);
    }

    // ---- the command and its end

    @Test
    void theCommandIsToldOfItsTermAndItsExitCodePassesThrough() {
        Running run = elect(
                "echo \"$HOLDFAST_LOCK|$HOLDFAST_TERM|$HOLDFAST_TOKEN|$HOLDFAST_OWNER|$HOLDFAST_CANDIDATE|$HOLDFAST_TTL_MS\"; exit 7",
                "--restart",
                "never",
                "--candidate",
                "me & myself");

        assertThat(run.exitCode()).isEqualTo(7);
        assertThat(run.out())
                .matches(NAME + "\\|([1-9][0-9]+)\\|\\1\\|[^|]+~[^|]+/[0-9]+/[0-9]+/me[+]%26[+]myself\\|me & myself\\|"
                        + TTL_MILLIS + "\n");
        assertThat(run.err().lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .matches("holdfast: candidate 'me & myself' leads in election 'worker', term [0-9]+"),
                        line -> assertThat(line)
                                .matches(
                                        "holdfast: candidate 'me & myself' no longer leads in election 'worker', term [0-9]+"));
    }

    @Test
    void aCommandThatFailsIsStartedAgainInTheSameTermUntilItSucceeds() {
        Path second = folder.resolve("second");
        Running run = elect("echo $HOLDFAST_TERM; test -e " + second + " && exit 0; : > " + second + "; exit 3", "-q");

        assertThat(run.exitCode()).isZero();
        List<String> terms = run.out().lines().toList();
        assertThat(terms).hasSize(2);
        assertThat(terms.get(0)).isEqualTo(terms.get(1));
        assertThat(run.err()).isEqualTo("holdfast: the command ended with 3; restarting it in 1 s\n");
    }

    @Test
    void oneThatIsAlwaysStartedAgainEndsBySignalOnly() {
        Running run = elect("echo $HOLDFAST_TERM", "--restart", "always");
        run.awaitLines(2);
        run.signal("TERM");

        assertThat(run.exitCode()).isEqualTo(143);
    }

    @Test
    void aCommandThatCannotBeRunEndsIt() {
        assertThat(cli.run("elect", NAME, "--", "/no/such/command").exitCode()).isEqualTo(127);
        assertThat(cli.run("elect", NAME, "--", folder.toString()).exitCode()).isEqualTo(126);
    }

    @Test
    void whatIsWrongIsSaidInALine() {
        for (List<String> wrong : List.of(
                List.of("--restart", "sometimes"),
                List.of("--ttl", "1ms"),
                List.of("--candidate", "two\nlines"),
                List.of("--candidate", ""),
                List.of("--wait", "1"))) {
            List<String> arguments = new ArrayList<>(List.of("elect"));
            arguments.addAll(wrong);
            arguments.addAll(List.of(NAME, "--", "echo", "never"));
            Running run = cli.run(arguments.toArray(String[]::new));

            assertThat(run.exitCode()).as("%s: %s", wrong, run.err()).isEqualTo(64);
            assertThat(run.out()).isEmpty();
            assertThat(run.err()).startsWith("holdfast: ");
        }
    }

    // ---- from leader to leader

    @Test
    void whoIsStoppedEndsItsCommandFirstAndTheNextLeadsAtOnce() {
        Processes.assumeInterruptible();
        Running first =
                elect("trap 'sleep 0.5; echo ends; exit' TERM; echo $HOLDFAST_TERM $$; while :; do sleep 0.1; done");
        long firstTerm = term(first, 1);
        Running second = elect(TELLING);
        awaitWaiters(1);
        assertThat(second.out()).isEmpty();

        first.signal("TERM");

        assertThat(first.exitCode()).isEqualTo(143);
        long endedNanos = System.nanoTime();
        assertThat(term(second, 1)).isGreaterThan(firstTerm);
        assertThat(System.nanoTime() - endedNanos).as("at once").isLessThan(TTL_MILLIS * 1_000_000 / 2);
        assertThat(first.awaitLines(2).get(1)).isEqualTo("ends");
        assertThat(Processes.isRunning(pid(first, 1))).isFalse();

        second.signal("INT");
        assertThat(second.exitCode()).isEqualTo(130);
        Processes.awaitGone(pid(second, 1));
    }

    /** A shell that ends at TERM before the process that it has started, as a script around a server does. */
    private Running electScript(String onTerm) {
        return elect("sh -c 'trap \"" + onTerm
                + "\" TERM; echo $HOLDFAST_TERM $$; while :; do sleep 0.1; done'; echo unreached");
    }

    @Test
    void theNextLeadsWhenWhatTheCommandHasStartedHasEndedToo() {
        Processes.assumeInterruptible();
        Running first = electScript("sleep 1; echo ends; exit");
        long pid = pid(first, 1);
        Running second = elect("kill -0 " + pid + " 2>/dev/null && echo '0 still there'; " + TELLING);
        awaitWaiters(1);

        first.signal("TERM");

        assertThat(first.exitCode()).isEqualTo(143);
        assertThat(first.awaitLines(2).get(1)).isEqualTo("ends");
        assertThat(term(second, 1)).isGreaterThan(term(first, 1));
        second.signal("TERM");
        second.exitCode();
    }

    @Test
    void whatTheCommandHasStartedIsKilledAfterTheGrace() {
        Processes.assumeInterruptible();
        Running run = electScript("");
        long pid = pid(run, 1);

        run.signal("TERM");

        assertThat(run.exitCode()).isEqualTo(143);
        Processes.awaitGone(pid);
    }

    @Test
    void whoIsKilledIsFollowedWithinATtlAndItsCommandIsGoneBefore() {
        Running first = elect(TELLING);
        long pid = pid(first, 1);
        Running second = elect("kill -0 " + pid + " 2>/dev/null && echo '0 still there'; " + TELLING);
        awaitWaiters(1);

        first.signal("KILL");
        long killedNanos = System.nanoTime();
        long secondTerm = term(second, 1);

        assertThat(Duration.ofNanos(System.nanoTime() - killedNanos)).isLessThan(Duration.ofMillis(TTL_MILLIS * 3 / 2));
        assertThat(secondTerm).isGreaterThan(term(first, 1));
        assertThat(Processes.isRunning(pid)).isFalse();
        second.signal("TERM");
        second.exitCode();
    }

    @Test
    void withoutAMajorityTheCommandEndsInTimeAndIsStartedWhenOneIsBack() {
        Running run = elect(TELLING);
        long pid = pid(run, 1);
        servers.node(0).pause();
        servers.node(1).pause();
        long pausedNanos = System.nanoTime();

        Processes.awaitGone(pid);
        assertThat(Duration.ofNanos(System.nanoTime() - pausedNanos)).isLessThan(Duration.ofMillis(TTL_MILLIS));
        servers.node(0).resume();
        servers.node(1).resume();

        assertThat(term(run, 2)).isGreaterThan(term(run, 1));
        assertThat(run.err()).contains("no longer leads in election 'worker'");
        run.signal("TERM");
        assertThat(run.exitCode()).isEqualTo(143);
    }

    @Test
    void aLeadershipThatIsTakenEndsTheCommandAndTheCandidateStandsAgain() throws Exception {
        Running run = elect(TELLING);
        long pid = pid(run, 1);

        assertThat(holdfast.admin().breakLease(NAME, term(run, 1), "a test").outcome())
                .isEqualTo(BreakOutcome.BROKEN);

        Processes.awaitGone(pid);
        assertThat(term(run, 2)).isGreaterThan(term(run, 1));
        run.signal("TERM");
        assertThat(run.exitCode()).isEqualTo(143);
    }

    @Test
    void aCandidateThatStandsBySaysWhoLeads() {
        Running first = elect(TELLING, "--candidate", "web-1");
        first.awaitLines(1);
        Running second = elect(TELLING);
        Running quiet = elect(TELLING, "-q");

        Awaitility.await("the leader is named")
                .atMost(Cli.PATIENCE)
                .untilAsserted(() -> assertThat(second.err())
                        .matches(
                                "(?s).*holdfast: standing by [0-9]+ s in election 'worker': queue position [12], led by"
                                        + " web-1 for [0-9]+ s more unless extended\n.*"));
        assertThat(first.err()).doesNotContain("standing by");
        assertThat(quiet.err()).isEmpty();
        for (Running one : List.of(quiet, second, first)) {
            one.signal("TERM");
            assertThat(one.exitCode()).isEqualTo(143);
        }
    }

    @Test
    void whoWaitsInLineLeavesItWhenItIsStopped() {
        Running first = elect(TELLING);
        first.awaitLines(1);
        Running second = elect(TELLING);
        awaitWaiters(1);

        second.signal("TERM");

        assertThat(second.exitCode()).isEqualTo(143);
        assertThat(second.out()).isEmpty();
        awaitWaiters(0);
        first.signal("TERM");
        first.exitCode();
    }

    @Test
    void aSignalWithAMeaningOfItsOwnReachesTheCommand() {
        Running run = elect("trap 'echo heard; exit 0' USR1; echo $HOLDFAST_TERM; while :; do sleep 0.05; done");
        run.awaitLines(1);

        run.signal("USR1");

        assertThat(run.awaitLines(2).get(1)).isEqualTo("heard");
        assertThat(run.exitCode()).isZero();
    }
}
