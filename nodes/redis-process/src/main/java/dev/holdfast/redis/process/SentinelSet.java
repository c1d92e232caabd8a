package dev.holdfast.redis.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Three sentinels that watch a primary and its replica, and promote the replica when a majority of them agree that the primary is down.
 * Not thread-safe.
 */
public final class SentinelSet implements AutoCloseable {

    /** The name by which the sentinels know the primary. */
    public static final String MASTER = "main";

    private static final int SENTINELS = 3;
    private static final int QUORUM = 2;
    private static final Duration SOON = Duration.ofSeconds(60);

    private final RedisProcesses servers;
    private final List<Sentinel> sentinels = new ArrayList<>();
    private final Path directory;
    private int primary;

    private record Sentinel(OsProcess process, int port) {}

    private SentinelSet(RedisProcesses servers, Path directory) {
        this.servers = servers;
        this.directory = directory;
    }

    /** Starts a primary, a replica and three sentinels; returns when each sentinel knows all of them. */
    public static SentinelSet start() {
        return start(RedisOptions.defaults());
    }

    /** Starts the set; its servers have these options. */
    public static SentinelSet start(RedisOptions options) {
        RedisProcesses servers = RedisProcesses.start(
                2,
                number -> options.forNode(number)
                        .declareClean(number == 0)
                        .config("repl-diskless-sync yes", "repl-diskless-sync-delay 0"));
        try {
            SentinelSet set = new SentinelSet(servers, Files.createTempDirectory("holdfast-sentinels-"));
            try {
                Replication.follow(servers.node(1), servers.node(0));
                for (int i = 0; i < SENTINELS; i++) {
                    set.startSentinel(options.binary());
                }
                Waiting.require(SOON, () -> "the sentinels do not know each other and the replica", set::isComplete);
                return set;
            } catch (RuntimeException | IOException e) {
                set.close();
                throw e;
            }
        } catch (IOException e) {
            servers.close();
            throw new UncheckedIOException(e);
        }
    }

    private void startSentinel(RedisBinary binary) throws IOException {
        int port = FreePort.pick();
        Path config = Files.writeString(
                directory.resolve("sentinel-" + port + ".conf"),
                String.join(
                        "\n",
                        "bind " + ServerSetup.LOOPBACK,
                        "port " + port,
                        "dir \"" + directory + "\"",
                        "sentinel monitor " + MASTER + " " + primary().host() + " "
                                + primary().port() + " " + QUORUM,
                        "sentinel down-after-milliseconds " + MASTER + " 500",
                        "sentinel failover-timeout " + MASTER + " 1000",
                        ""));
        Process process = new ProcessBuilder(binary.path().toString(), config.toString(), "--sentinel")
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("sentinel-" + port + ".log").toFile())
                .start();
        Sentinel sentinel = new Sentinel(OsProcess.endingWithThisJvm(process.toHandle()), port);
        sentinels.add(sentinel);
        Waiting.require(SOON, () -> "the sentinel at " + port + " does not answer", () -> answers(sentinel));
        hurry(sentinel);
    }

    /**
     * Shortens the interval at which a sentinel checks the servers: ten seconds by default. Redis before version 7
     * can't change it and takes longer.
     */
    private static void hurry(Sentinel sentinel) {
        try {
            ask(sentinel, "SENTINEL", "DEBUG", "INFO-PERIOD", "200", "PUBLISH-PERIOD", "200", "ASK-PERIOD", "200");
            ask(sentinel, "SENTINEL", "DEBUG", "PING-PERIOD", "200", "ELECTION-TIMEOUT", "1000");
        } catch (RedisErrorReply e) {
            // Redis before version 7 rejects the command.
        }
    }

    private static boolean answers(Sentinel sentinel) {
        try {
            return "PONG".equals(ask(sentinel, "PING"));
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private boolean isComplete() {
        return sentinels.stream()
                .allMatch(sentinel -> ((List<?>) ask(sentinel, "SENTINEL", "REPLICAS", MASTER)).size() == 1
                        && ((List<?>) ask(sentinel, "SENTINEL", "SENTINELS", MASTER)).size() == SENTINELS - 1);
    }

    private static Object ask(Sentinel sentinel, String... command) {
        try (RedisConsole console = RedisConsole.connect(ServerSetup.LOOPBACK, sentinel.port())) {
            Object answer = console.send(command);
            return answer == null ? "" : answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the address {@code redis-sentinel://…?master=main} with all sentinels. */
    public String uri() {
        List<String> addresses = sentinels.stream()
                .map(sentinel -> ServerSetup.LOOPBACK + ":" + sentinel.port())
                .toList();
        return "redis-sentinel://" + String.join(",", addresses) + "?master=" + MASTER;
    }

    /** Returns the server that accepts writes, as of the last change that this set made. */
    public RedisProcess primary() {
        return servers.node(primary);
    }

    /** Returns the replica of that server. */
    public RedisProcess replica() {
        return servers.node(1 - primary);
    }

    /**
     * Cuts the replica off from its primary. The next failover loses every write that the primary answers after this.
     */
    public void fallBehind() {
        Replication.awaitInSync(replica(), primary());
        Replication.fallBehind(replica());
    }

    /** Kills the primary; returns when the sentinels have promoted the replica and a majority of them name it. */
    public void failOver() {
        primary().kill();
        Waiting.require(
                SOON, () -> "the sentinels have not promoted " + replica(), () -> Replication.isPrimary(replica()));
        Waiting.require(
                SOON,
                () -> "the sentinels do not name " + replica(),
                () -> sentinels.stream()
                        .allMatch(
                                sentinel -> String.valueOf(ask(sentinel, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER))
                                        .contains(Integer.toString(replica().port()))));
        Replication.letLogIn(replica());
        primary = 1 - primary;
    }

    /** Starts the killed server empty, as the replica; returns when all sentinels see it as one. */
    public void replace() {
        replica().restartEmpty();
        Replication.follow(replica(), primary());
        Waiting.require(
                SOON,
                () -> "the sentinels do not see " + replica() + " as a replica",
                () -> sentinels.stream().allMatch(sentinel -> isReplicaOf(sentinel, replica())));
    }

    private static boolean isReplicaOf(Sentinel sentinel, RedisProcess replica) {
        return ((List<?>) ask(sentinel, "SENTINEL", "REPLICAS", MASTER))
                .stream()
                        .map(List.class::cast)
                        .anyMatch(fields -> Integer.toString(replica.port()).equals(field(fields, "port"))
                                && "slave".equals(field(fields, "flags"))
                                && "ok".equals(field(fields, "master-link-status")));
    }

    private static String field(List<?> fields, String name) {
        int at = fields.indexOf(name);
        return at < 0 ? "" : String.valueOf(fields.get(at + 1));
    }

    @Override
    public void close() {
        sentinels.forEach(sentinel -> sentinel.process().kill());
        servers.close();
        FileTree.delete(directory);
    }
}
