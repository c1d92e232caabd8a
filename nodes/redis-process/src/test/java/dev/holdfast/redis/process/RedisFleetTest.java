package dev.holdfast.redis.process;

import static dev.holdfast.redis.process.FleetNode.State.GONE;
import static dev.holdfast.redis.process.FleetNode.State.PAUSED;
import static dev.holdfast.redis.process.FleetNode.State.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class RedisFleetTest {

    @TempDir
    Path directory;

    private RedisFleet fleet;

    /** Brings a fleet up, says what there is, and ends. */
    static final class Up {

        public static void main(String[] args) {
            RedisFleet.in(Path.of(args[0])).up(3).forEach(node -> System.out.println(node.pid() + " " + node.runId()));
        }
    }

    @BeforeEach
    void lookThere() {
        fleet = RedisFleet.in(directory.resolve("fleet"));
    }

    @AfterEach
    void down() {
        fleet.down();
        assertThat(servers()).isEmpty();
        assertThat(directory.resolve("fleet/node-0")).doesNotExist();
    }

    @Test
    void serversOutliveTheJvmThatStartedThemAndTwoAtOnceStartNoneTwice() throws Exception {
        try (ChildJvm one = ChildJvm.start(
                        Up.class, Map.of(), directory.resolve("fleet").toString());
                ChildJvm two = ChildJvm.start(
                        Up.class, Map.of(), directory.resolve("fleet").toString())) {
            String seen = one.output();
            assertThat(two.output()).isEqualTo(seen);
            assertThat(fleet.status().stream().map(node -> node.pid() + " " + node.runId() + "\n"))
                    .hasSize(3)
                    .allMatch(seen::contains);
        }
        assertThat(states()).containsOnly(RUNNING);
        assertThat(servers()).hasSize(3);
        assertThat(keys(fleet.status().get(0))).containsExactly(Epoch.KEY);
    }

    @Test
    void threadsThatCallUpAtOnceStartNoneTwice() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<FleetNode>>> ups = IntStream.range(0, 4)
                    .mapToObj(i -> threads.submit(
                            () -> RedisFleet.in(directory.resolve("fleet")).up(2)))
                    .toList();
            for (Future<List<FleetNode>> up : ups) {
                assertThat(up.get()).isEqualTo(fleet.status());
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(servers()).hasSize(2);
    }

    @Test
    void upIsHarmlessAgainAndAddsWhatIsMissing() {
        List<FleetNode> two = fleet.up(2);

        assertThat(fleet.up(2)).isEqualTo(two);
        assertThat(fleet.up(3)).hasSize(3).startsWith(two.toArray(FleetNode[]::new));
        assertThat(fleet.up(1)).hasSize(3);
    }

    @Test
    void faultsAreDoneByAnyJvm() {
        fleet.up(3);

        assertThat(fleet.kill(0).state()).isEqualTo(GONE);
        assertThat(fleet.pause(1).state()).isEqualTo(PAUSED);
        assertThat(states()).containsExactly(GONE, PAUSED, RUNNING);
        assertThatThrownBy(() -> fleet.pause(0)).hasMessageContaining("it is down");
        assertThat(fleet.resume(1).state()).isEqualTo(RUNNING);
        assertThatThrownBy(() -> fleet.kill(7))
                .hasMessageContaining("no node 7")
                .hasMessageContaining("[0, 1, 2]");
    }

    @Test
    void aRestartKeepsOrForgets() throws Exception {
        RedisOptions options = RedisOptions.defaults().appendOnly(true).password("secret");
        FleetNode first = fleet.up(1, options).get(0);
        send(first, "SET", "k", "v");

        FleetNode second = fleet.restart(0, false);
        assertThat(second.uri()).isEqualTo(first.uri());
        assertThat(second.runId()).isNotEqualTo(first.runId());
        assertThat(send(second, "GET", "k")).isEqualTo("v");
        assertThat((String) send(second, "GET", Epoch.KEY)).startsWith(first.runId());

        FleetNode third = fleet.restart(0, true);
        assertThat(send(third, "DBSIZE")).isEqualTo(0L);
        fleet.declareClean(0);
        assertThat((String) send(third, "GET", Epoch.KEY)).startsWith(third.runId());
    }

    @Test
    void upStartsWhatIsGoneAtItsOldPortAndNotAsClean() throws Exception {
        FleetNode before = fleet.up(2).get(0);
        fleet.kill(0);

        FleetNode after = fleet.up(2).get(0);
        assertThat(after.state()).isEqualTo(RUNNING);
        assertThat(after.uri()).isEqualTo(before.uri());
        assertThat(keys(after)).isEmpty();
    }

    @Test
    void aPidThatBecameAnotherProgramsIsNotTakenForAServer() throws Exception {
        fleet.up(1);
        fleet.kill(0);
        Process stranger = new ProcessBuilder("sleep", "600").start();
        try {
            Path pidFile = directory.resolve("fleet/node-0/redis.pid");
            Files.writeString(pidFile, stranger.pid() + "\n");

            assertThat(states()).containsExactly(GONE);
            assertThatThrownBy(() -> fleet.pause(0)).hasMessageContaining("it is down");
            fleet.kill(0);
            assertThat(fleet.up(1).get(0).state()).isEqualTo(RUNNING);
            fleet.kill(0);
            Files.writeString(pidFile, stranger.pid() + "\n");
            fleet.down();
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void aServerThatItsStarterDidNotLiveToWriteDownIsReplaced() throws Exception {
        FleetNode lost = fleet.up(1).get(0);
        Files.delete(lost.directory().resolve("node.properties"));
        assertThat(fleet.status()).isEmpty();

        assertThat(fleet.up(1).get(0).pid()).isNotEqualTo(lost.pid());
        assertThat(servers()).hasSize(1);
    }

    @Test
    void aPortThatAnotherProgramTookIsAnErrorThatSaysSo() throws Exception {
        FleetNode node = fleet.up(1, RedisOptions.defaults().startWithin(Duration.ofSeconds(4)))
                .get(0);
        fleet.kill(0);
        try (RedisProcess other =
                RedisProcess.start(RedisOptions.defaults().port(node.uri().getPort()))) {
            assertThat(states()).containsExactly(GONE);
            assertThatThrownBy(() -> fleet.up(1)).hasMessageContaining("found its port taken by another program");
            assertThat(other.send("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void portsMayBeChosenOneAfterTheOther() {
        int port = FreePort.pick();
        assertThat(fleet.up(2, RedisOptions.defaults().port(port)))
                .extracting(node -> node.uri().getPort())
                .containsExactly(port, port + 1);
    }

    @Test
    void nothingThereIsNoError() {
        assertThat(fleet.status()).isEmpty();
        fleet.down();
        assertThat(directory.resolve("fleet")).doesNotExist();
    }

    private List<FleetNode.State> states() {
        return fleet.status().stream().map(FleetNode::state).toList();
    }

    private static List<String> keys(FleetNode node) throws IOException {
        try (RedisConsole console = RedisConsole.connect("127.0.0.1", node.uri().getPort())) {
            return ((List<?>) console.send("KEYS", "*"))
                    .stream().map(String::valueOf).toList();
        }
    }

    private static Object send(FleetNode node, String... args) throws IOException {
        try (RedisConsole console = RedisConsole.connect("127.0.0.1", node.uri().getPort())) {
            return console.login(null, "secret").send(args);
        }
    }

    /** All processes on this machine that run in this fleet's directory. */
    private List<ProcessHandle> servers() {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(process -> Stream.of(process.info().arguments().orElse(new String[0]))
                            .anyMatch(argument ->
                                    argument.startsWith(directory.toString()) && argument.endsWith("redis.conf")))
                    .filter(process -> new OsProcess(process).isRunning())
                    .toList();
        }
    }
}
