package dev.holdfast.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A redis-server of a test's own, with a plain client. */
final class TestServer implements AutoCloseable {

    final int port;
    private final Process process;
    private final RedisClient client;

    private TestServer(int port, Process process) {
        this.port = port;
        this.process = process;
        client = RedisClient.create();
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .protocolVersion(ProtocolVersion.RESP3)
                .build());
    }

    static TestServer start(String... options) throws Exception {
        Path binary = Path.of(System.getProperty("java.io.tmpdir"), "holdfast-redis-server-7.0.15");
        if (!Files.exists(binary)) {
            Path fresh = Files.createTempFile("redis", "");
            try (InputStream in = TestServer.class.getResourceAsStream("/redis-server-7.0.15-linux-amd64")) {
                Files.write(fresh, in.readAllBytes());
            }
            fresh.toFile().setExecutable(true);
            Files.move(fresh, binary);
        }
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        List<String> command =
                new ArrayList<>(List.of(binary.toString(), "--port", "" + port, "--save", "", "--appendonly", "no"));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        TestServer server = new TestServer(port, process);
        for (int i = 0; ; i++) {
            try {
                server.client.connect(server.uri()).close();
                return server;
            } catch (Exception e) {
                if (i == 100) throw e;
                Thread.sleep(20);
            }
        }
    }

    RedisURI uri() {
        return RedisURI.create("127.0.0.1", port);
    }

    RedisClient client() {
        return client;
    }

    @Override
    public void close() {
        client.shutdown();
        process.destroyForcibly();
    }
}
