package dev.holdfast.redis.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisProcessTest {

    private static final RedisOptions WITH_AOF = RedisOptions.defaults().appendOnly(true);
    private static final RedisOptions WITH_AOF_AT_ONCE = WITH_AOF.config("appendfsync always");

    @TempDir
    Path scratch;

    @Test
    void severalServersKnowNothingOfEachOther() {
        try (RedisProcesses nodes = RedisProcesses.start(3)) {
            Set<String> runIds = new HashSet<>();
            for (RedisProcess node : nodes) {
                runIds.add(node.info().runId());
                assertThat(node.isRunning()).isTrue();
                assertThat(node.isPaused()).isFalse();
                assertThat(node.keys()).containsExactly(Epoch.KEY);
            }
            assertThat(runIds).hasSize(3);
            assertThat(new HashSet<>(nodes.uris())).hasSize(3);

            nodes.node(0).send("SET", "k", "v");
            assertThat(nodes.node(0).keys("k*")).containsExactly("k");
            assertThat(nodes.node(1).dbsize()).isEqualTo(1);
            nodes.node(0).flushAll();
            assertThat(nodes.node(0).dbsize()).isZero();
        }
    }

    @Test
    void aKilledServerIsGoneAndComesBackAtItsPort() {
        try (RedisProcess server = RedisProcess.start()) {
            long pid = server.pid();
            String runId = server.info().runId();
            server.send("SET", "k", "v");

            server.kill();
            server.kill();
            assertThat(server.isRunning()).isFalse();
            assertThat(OsProcess.find(pid)).isEmpty();
            assertThatThrownBy(() -> server.send("PING")).isInstanceOf(UncheckedIOException.class);
            assertThatThrownBy(server::pause).hasMessageContaining("it is down");

            server.restart();
            assertThat(server.isRunning()).isTrue();
            assertThat(server.pid()).isNotEqualTo(pid);
            assertThat(server.info().runId()).isNotEqualTo(runId);
            assertThat(server.keys())
                    .as("without a file it has forgotten, its epoch too")
                    .isEmpty();
        }
    }

    @Test
    void aPausedServerAnswersWhenItIsResumed() throws Exception {
        try (RedisProcess server = RedisProcess.start();
                RedisConsole console = RedisConsole.connect("127.0.0.1", server.port(), Duration.ofMillis(100))) {
            server.pause();
            assertThat(server.isPaused()).isTrue();
            assertThat(server.isRunning()).isTrue();
            assertThatThrownBy(() -> console.send("SET", "late", "v")).isInstanceOf(IOException.class);

            server.resume();
            server.resume();
            assertThat(server.isPaused()).isFalse();
            assertThat(Waiting.until(
                            Duration.ofSeconds(10), () -> server.keys("late").size() == 1))
                    .as("what was sent to a paused server is done later")
                    .isTrue();
        }
    }

    @Test
    void aPausedServerCanBeStoppedRestartedAndClosed() {
        RedisProcess server = RedisProcess.start();
        server.pause();
        server.stop();
        assertThat(server.isRunning()).isFalse();
        server.restart();
        server.pause();
        server.restart();
        assertThat(server.isPaused()).isFalse();
        server.pause();
        server.close();
        assertThat(server.isRunning()).isFalse();
    }

    @Test
    void aRestartKeepsWhatIsInTheFile() {
        try (RedisProcess server = RedisProcess.start(WITH_AOF_AT_ONCE)) {
            server.send("SET", "k", "v");
            server.kill();
            server.restart();
            assertThat(server.send("GET", "k")).isEqualTo("v");
            server.restart();
            assertThat(server.send("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void anEmptyRestartForgets() {
        try (RedisProcess server = RedisProcess.start(WITH_AOF)) {
            server.send("SET", "k", "v");
            server.restartEmpty();
            assertThat(server.keys()).isEmpty();
            assertThat(server.isRunning()).isTrue();
        }
    }

    @Test
    void aFileThatIsCutLosesWhatWasWrittenLast() {
        try (RedisProcess server = RedisProcess.start(WITH_AOF_AT_ONCE)) {
            server.send("SET", "first", "v");
            server.send("SET", "last", "v");
            assertThatThrownBy(() -> server.truncateAof(1)).hasMessageContaining("kill or stop");

            server.kill();
            assertThat(server.truncateAof(1)).isEqualTo(1);
            server.restart();
            assertThat(server.keys()).contains("first").doesNotContain("last");

            server.kill();
            assertThat(server.truncateAof(Long.MAX_VALUE)).isPositive();
            server.restart();
            assertThat(server.keys()).isEmpty();
        }
    }

    @Test
    void onlyTheFirstStartIsDeclaredClean() {
        try (RedisProcess server = RedisProcess.start(WITH_AOF)) {
            String first = server.info().runId();
            assertThat((String) server.send("GET", Epoch.KEY)).matches(first + "/[a-z0-9]+");
            assertThat((Long) server.send("PTTL", Epoch.KEY)).isBetween(1L, Epoch.LASTS.toMillis());

            server.restart();
            assertThat(server.info().runId()).isNotEqualTo(first);
            assertThat((String) server.send("GET", Epoch.KEY)).startsWith(first);
            server.restartEmpty();
            assertThat(server.send("GET", Epoch.KEY)).isNull();

            server.restart(true);
            assertThat((String) server.send("GET", Epoch.KEY))
                    .startsWith(server.info().runId());
            server.restartEmpty(true);
            assertThat((String) server.send("GET", Epoch.KEY))
                    .startsWith(server.info().runId());
        }
        try (RedisProcess server = RedisProcess.start(RedisOptions.defaults().declareClean(false))) {
            assertThat(server.keys()).isEmpty();
            server.declareClean();
            assertThat(server.keys()).containsExactly(Epoch.KEY);
        }
    }

    @Test
    void nothingIsLeftBehind() throws Exception {
        RedisProcesses nodes = RedisProcesses.start(3);
        List<Long> pids =
                IntStream.range(0, 3).mapToObj(i -> nodes.node(i).pid()).toList();
        nodes.node(1).kill();
        nodes.node(2).pause();
        nodes.close();
        nodes.close();

        for (RedisProcess node : nodes) {
            assertThat(node.isRunning()).isFalse();
            assertThat(node.directory()).doesNotExist();
            assertThatThrownBy(node::restart).hasMessageContaining("was closed");
        }
        assertThat(pids).noneMatch(pid -> OsProcess.find(pid).isPresent());
        for (RedisProcess node : nodes) {
            FreePort.listen(node.port()).close();
        }
    }

    @Test
    void aKeptDirectoryKeepsItsDataAndIsNotDeclaredCleanAgain() {
        RedisOptions kept = WITH_AOF.directory(scratch.resolve("with a space")).logFile(scratch.resolve("the.log"));
        try (RedisProcesses nodes = RedisProcesses.start(2, kept)) {
            nodes.node(1).send("SET", "k", "v");
            assertThat(nodes.node(1).directory()).isEqualTo(scratch.resolve("with a space/node-1"));
        }
        try (RedisProcesses nodes = RedisProcesses.start(2, kept)) {
            assertThat(nodes.node(1).send("GET", "k")).isEqualTo("v");
            assertThat((String) nodes.node(1).send("GET", Epoch.KEY))
                    .doesNotStartWith(nodes.node(1).info().runId());
            assertThat(nodes.node(1).log()).contains("Ready to accept connections");
        }
        assertThat(scratch.resolve("node-1-the.log")).isNotEmptyFile();
    }

    @Test
    void passwordsAndUsersAreKeptFromStrangers() throws Exception {
        RedisOptions options = RedisOptions.defaults()
                .password("a \"quoted\\ secret")
                .user("alice on >wonder ~lock:* +@all")
                .user("kit on >all ~* &* +@all")
                .administrator("kit", "all");
        try (RedisProcess server = RedisProcess.start(options);
                RedisConsole stranger = RedisConsole.connect("127.0.0.1", server.port())) {
            assertThatThrownBy(() -> stranger.send("GET", "k")).hasMessageStartingWith("NOAUTH");
            stranger.login("alice", "wonder");
            assertThatThrownBy(() -> stranger.send("GET", "other")).hasMessageStartingWith("NOPERM");
            stranger.login(null, "a \"quoted\\ secret");
            assertThat(stranger.send("GET", "other")).isNull();
            assertThat(server.send("ACL", "WHOAMI")).isEqualTo("kit");
            assertThat(ProcessHandle.of(server.pid()).orElseThrow().info().commandLine())
                    .hasValueSatisfying(line -> assertThat(line).doesNotContain("secret"));
        }
    }

    @Test
    void aUnixSocketAndMoreConfigurationCanBeHad() {
        RedisOptions options =
                RedisOptions.defaults().unixSocket(true).config("maxmemory 3mb", "maxmemory-policy allkeys-lru");
        try (RedisProcess server = RedisProcess.start(options)) {
            assertThat(Files.exists(server.socket().orElseThrow())).isTrue();
            assertThat(server.send("CONFIG", "GET", "maxmemory")).isEqualTo(List.of("maxmemory", "3145728"));
            server.kill();
            server.restart();
            assertThat(Files.exists(server.socket().orElseThrow())).isTrue();
            assertThat(server.send("CONFIG", "GET", "maxmemory-policy"))
                    .isEqualTo(List.of("maxmemory-policy", "allkeys-lru"));
        }
        assertThatThrownBy(() -> RedisProcess.start(options.directory(scratch.resolve("x".repeat(100)))))
                .isInstanceOf(RedisStartException.class)
                .hasMessageContaining("choose a shorter directory");
    }

    @Test
    void aFailedStartShowsTheEndOfTheLog() {
        assertThatThrownBy(() -> RedisProcess.start(RedisOptions.defaults().config("no-such-setting 1")))
                .isInstanceOf(RedisStartException.class)
                .hasMessageContaining("ended at its start")
                .hasMessageContaining("no-such-setting");
    }

    @Test
    void aFixedPortThatIsTakenIsAnErrorThatSaysSo() throws Exception {
        try (RedisProcess other = RedisProcess.start()) {
            assertThatThrownBy(() -> RedisProcess.start(RedisOptions.defaults().port(other.port())))
                    .isInstanceOf(RedisStartException.class)
                    .hasMessageContaining("found its port taken")
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void aRestartWaitsForItsPort() throws Exception {
        try (RedisProcess server = RedisProcess.start()) {
            server.kill();
            ServerSocket squatter = FreePort.listen(server.port());
            long logBefore = server.log().length();
            Thread leaving = new Thread(() -> {
                Waiting.until(
                        Duration.ofSeconds(10),
                        () -> server.log().substring((int) logBefore).contains("in use"));
                try {
                    squatter.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            leaving.start();
            server.restart();
            leaving.join();
            assertThat(server.send("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void manyStartAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Integer>> ports = IntStream.range(0, 4)
                    .mapToObj(i -> threads.submit(() -> {
                        try (RedisProcesses nodes = RedisProcesses.start(3)) {
                            return new HashSet<>(nodes.uris()).size();
                        }
                    }))
                    .toList();
            for (Future<Integer> distinct : ports) {
                assertThat(distinct.get()).isEqualTo(3);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
