package dev.holdfast.redis;

import dev.holdfast.redis.process.RedisBinary;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
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
import java.nio.file.Path;

/** A server of a test's own, not declared clean, with a plain client of Lettuce. */
public final class TestServer implements AutoCloseable {

    final int port;
    public final RedisProcess process;
    private final boolean borrowed;
    private final RedisClient client = RedisClient.create();

    private TestServer(RedisProcess process, boolean borrowed) {
        this.process = process;
        this.borrowed = borrowed;
        this.port = process.port();
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .protocolVersion(ProtocolVersion.RESP3)
                .build());
    }

    /** Starts one with these lines in its configuration. */
    public static TestServer start(String... config) {
        return start(RedisOptions.defaults().config(config));
    }

    public static TestServer start(RedisOptions options) {
        return new TestServer(RedisProcess.start(options.declareClean(false)), false);
    }

    /** One that runs already, and goes on when this is closed. */
    public static TestServer at(RedisProcess process) {
        return new TestServer(process, true);
    }

    /** Starts a sentinel, which is the same program, and ends it with what is returned. */
    static AutoCloseable startSentinel(Path config, int port) throws IOException {
        Process sentinel = new ProcessBuilder(
                        RedisBinary.find().path().toString(), config.toString(), "--sentinel", "--port", "" + port)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return sentinel::destroyForcibly;
    }

    public String nodeUri() {
        return "redis://127.0.0.1:" + port;
    }

    public RedisURI uri() {
        return RedisURI.create("127.0.0.1", port);
    }

    public RedisClient client() {
        return client;
    }

    /** A connection of its own for one or a few commands. */
    RedisCommands<String, String> commands() {
        return client.connect(uri()).sync();
    }

    public void send(CommandType type, String... args) {
        commands()
                .dispatch(
                        type,
                        new StatusOutput<>(StringCodec.UTF8),
                        new CommandArgs<>(StringCodec.UTF8).addValues(args));
    }

    public void killClients(String user) {
        commands().clientKill(KillArgs.Builder.user(user));
    }

    @Override
    public void close() {
        client.shutdown();
        if (!borrowed) {
            process.close();
        }
    }
}
