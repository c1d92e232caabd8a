package dev.holdfast.redis.live;

import static org.awaitility.Awaitility.await;

import dev.holdfast.redis.process.RedisConsole;
import dev.holdfast.redis.process.RedisErrorReply;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.SlowScript;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The faults of a server that is up.
 *
 * @param name what the server says
 * @param words how Holdfast says it
 */
record NodeFaults(String name, String words, Befall befall) {

    /** Causes a fault of a server; closing the result ends it. */
    interface Befall {
        AutoCloseable begin(RedisProcess server) throws IOException;
    }

    static Stream<NodeFaults> all() {
        return Stream.of(
                new NodeFaults("BUSY", "busy with another client's script", NodeFaults::busy),
                new NodeFaults("LOADING", "still loading its data", NodeFaults::loading),
                new NodeFaults("MISCONF", "can't save to disk", NodeFaults::unableToSave),
                new NodeFaults("OOM", "maxmemory", NodeFaults::full),
                new NodeFaults(
                        "NOREPLICAS",
                        "too few replicas",
                        server -> configured(server, "min-replicas-to-write", "1", "0")),
                new NodeFaults("READONLY", "replica", NodeFaults::replica),
                new NodeFaults("NOPERM", "lacks a right", NodeFaults::withoutRights),
                new NodeFaults("maxclients", "too many clients", NodeFaults::crowded));
    }

    private static AutoCloseable busy(RedisProcess server) {
        SlowScript script = server.faults().runSlowScript();
        return script::close;
    }

    private static AutoCloseable loading(RedisProcess server) throws IOException {
        try (RedisConsole console = server.console()) {
            for (int i = 0; i < 300; i++) {
                console.send("SET", "slow:" + i, "x".repeat(1_000));
            }
            console.send("CONFIG", "SET", "key-load-delay", "30000"); // in microseconds
            console.send("CONFIG", "SET", "loading-process-events-interval-bytes", "1024");
        }
        Socket reloading = new Socket(server.host(), server.port());
        reloading.getOutputStream().write("DEBUG RELOAD\r\n".getBytes(StandardCharsets.US_ASCII));
        awaitError(server, "LOADING");
        return () -> {
            await().atMost(ScheduleNodes.SOON).until(() -> errorOf(server).isEmpty());
            reloading.close();
        };
    }

    private static AutoCloseable unableToSave(RedisProcess server) throws IOException {
        Path inTheWay = server.directory().resolve("data").resolve("dump.rdb");
        Files.createDirectories(inTheWay.resolve("occupied"));
        AutoCloseable healed = configured(server, "save", "3600 1", "");
        server.send("BGSAVE");
        awaitError(server, "MISCONF");
        return healed;
    }

    private static AutoCloseable full(RedisProcess server) {
        server.faults().fillMemory("noeviction");
        return () -> server.faults().freeMemory();
    }

    private static AutoCloseable replica(RedisProcess server) {
        server.send("REPLICAOF", "127.0.0.1", "1");
        return () -> server.send("REPLICAOF", "NO", "ONE");
    }

    private static AutoCloseable withoutRights(RedisProcess server) {
        server.send("ACL", "SETUSER", "default", "-evalsha", "-eval");
        return () -> server.send("ACL", "SETUSER", "default", "+evalsha", "+eval");
    }

    private static AutoCloseable crowded(RedisProcess server) throws IOException {
        RedisConsole first = server.console();
        server.faults().limitClients(1);
        first.send("CLIENT", "KILL", "TYPE", "pubsub");
        first.send("CLIENT", "KILL", "TYPE", "normal");
        return () -> {
            first.send("CONFIG", "SET", "maxclients", "1000");
            first.close();
        };
    }

    private static AutoCloseable configured(RedisProcess server, String name, String ill, String well) {
        server.send("CONFIG", "SET", name, ill);
        return () -> server.send("CONFIG", "SET", name, well);
    }

    private static void awaitError(RedisProcess server, String code) {
        await().atMost(ScheduleNodes.SOON).until(() -> errorOf(server).equals(code));
    }

    private static String errorOf(RedisProcess server) {
        try {
            server.send("SET", "well", "yes");
            server.send("DEL", "well");
            return "";
        } catch (RedisErrorReply reply) {
            return reply.code();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
