package dev.holdfast.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolVersion;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A redis-server of a test's own, with a plain client. */
final class TestServer implements AutoCloseable {

    final int port;
    private final List<String> command;
    private final RedisClient client;
    private Process process;

    private TestServer(int port, List<String> command) {
        this.port = port;
        this.command = command;
        client = RedisClient.create();
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .protocolVersion(ProtocolVersion.RESP3)
                .build());
    }

    static TestServer start(String... options) throws Exception {
        int port = freePort();
        List<String> command =
                new ArrayList<>(List.of(binary().toString(), "--port", "" + port, "--save", "", "--appendonly", "no"));
        command.addAll(List.of(options));
        TestServer server = new TestServer(port, command);
        server.run();
        return server;
    }

    static TestServer startSentinel(Path config) throws Exception {
        int port = freePort();
        TestServer server = new TestServer(
                port, List.of(binary().toString(), config.toString(), "--sentinel", "--port", "" + port));
        server.run();
        return server;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static synchronized Path binary() throws Exception {
        Path binary = Path.of(System.getProperty("java.io.tmpdir"), "holdfast-redis-server-7.0.15");
        if (!Files.exists(binary)) {
            Path fresh = Files.createTempFile("redis", "");
            try (InputStream in = TestServer.class.getResourceAsStream("/redis-server-7.0.15-linux-amd64")) {
                Files.write(fresh, in.readAllBytes());
            }
            fresh.toFile().setExecutable(true);
            Files.move(fresh, binary);
        }
        return binary;
    }

    private void run() throws Exception {
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        for (int i = 0; ; i++) {
            try (var connection = new java.net.Socket("127.0.0.1", port)) {
                return;
            } catch (IOException e) {
                if (i == 200) {
                    throw e;
                }
                Thread.sleep(10);
            }
        }
    }

    void kill() throws Exception {
        process.destroyForcibly().waitFor();
    }

    void restart() throws Exception {
        kill();
        run();
    }

    void pause() throws Exception {
        signal("-STOP");
    }

    void resume() throws Exception {
        signal("-CONT");
    }

    private void signal(String signal) throws Exception {
        new ProcessBuilder("kill", signal, "" + process.pid()).start().waitFor();
    }

    RedisURI uri() {
        return RedisURI.create("127.0.0.1", port);
    }

    RedisClient client() {
        return client;
    }

    /** A connection of its own for one or a few commands. */
    RedisCommands<String, String> commands() {
        return client.connect(uri()).sync();
    }

    void send(CommandType type, String... args) {
        commands()
                .dispatch(
                        type,
                        new StatusOutput<>(StringCodec.UTF8),
                        new CommandArgs<>(StringCodec.UTF8).addValues(args));
    }

    /** Of a sentinel: whether it has found a replica of the master. */
    boolean hasReplica(String master) {
        try (var connection = client.connectSentinel(uri())) {
            return !connection.sync().replicas(master).isEmpty();
        }
    }

    void killClients(String user) {
        commands().clientKill(KillArgs.Builder.user(user));
    }

    @Override
    public void close() {
        client.shutdown();
        process.destroyForcibly();
    }
}
