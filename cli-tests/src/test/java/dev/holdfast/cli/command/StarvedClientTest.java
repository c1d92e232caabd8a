package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import dev.holdfast.redis.process.RedisProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that get no processor while they start, as on a machine with much other work. */
@Tag("slow")
class StarvedClientTest {

    /** Longer than any timeout of a command that only looks. */
    private static final long STOPPED_MILLIS = 3_000;

    @TempDir
    private Path folder;

    private RedisProcesses servers;
    private Cli cli;

    @BeforeEach
    void start() {
        servers = RedisProcesses.start(3);
        cli = new Cli(folder).nodes(servers.uris());
    }

    @AfterEach
    void stop() {
        cli.close();
        servers.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nodes", "status nightly", "list"})
    void c14_aCommandThatDidNotRunDoesNotBlameTheNodes(String command) throws InterruptedException {
        Running running = stoppedWhileItConnects(command.split(" "));

        assertThat(running.exitCode()).as("%s", running).isZero();
        assertThat(running.out() + running.err()).doesNotContain("DOWN", "did not answer", "no majority");
    }

    /** Stops the command once it has connected to a server and before it has all answers, for longer than its timeouts. */
    private Running stoppedWhileItConnects(String... command) throws InterruptedException {
        long before = connections();
        Running running = cli.start(command);
        Awaitility.await("a connection of " + List.of(command))
                .atMost(Cli.PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> connections() > before);
        running.signal("STOP");
        Thread.sleep(STOPPED_MILLIS); // the fault itself
        running.signal("CONT");
        return running;
    }

    private long connections() {
        return String.valueOf(servers.node(0).send("CLIENT", "LIST")).lines().count();
    }
}
