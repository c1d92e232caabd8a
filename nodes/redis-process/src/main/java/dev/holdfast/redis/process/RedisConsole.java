package dev.holdfast.redis.process;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server, for a command at a time: what {@code redis-cli} is to a person. Not thread-safe.
 *
 * <p>Answers come as {@code String} (UTF-8), {@code Long}, {@code List} of these, or {@code null}. An error is thrown as a
 * {@link RedisErrorReply}; one within an array (as {@code EXEC} gives) is a value there. After an {@code IOException}, a timeout
 * among them, the connection is of no more use.
 */
public final class RedisConsole implements Closeable {

    /** How long to wait for a connection and for each answer, unless said otherwise. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    private final Socket socket;
    private final RespReader reader;

    private RedisConsole(Socket socket) throws IOException {
        this.socket = socket;
        reader = new RespReader(new BufferedInputStream(socket.getInputStream()));
    }

    /** Connects, and waits no longer than {@link #DEFAULT_TIMEOUT} for that and for each answer. */
    public static RedisConsole connect(String host, int port) throws IOException {
        return connect(host, port, DEFAULT_TIMEOUT);
    }

    /** Connects, and waits no longer than {@code timeout} for that and for each answer. */
    public static RedisConsole connect(String host, int port, Duration timeout) throws IOException {
        Socket socket = new Socket();
        try {
            int millis = (int) Math.max(1, Math.min(timeout.toMillis(), Integer.MAX_VALUE));
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(millis);
            socket.connect(new InetSocketAddress(host, port), millis);
            return new RedisConsole(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Speaks over a connection that is there already, such as one over TLS, and closes it in the end. */
    public static RedisConsole over(Socket socket) throws IOException {
        return new RedisConsole(socket);
    }

    /** Logs in; without a user, as {@code default}. */
    public RedisConsole login(@Nullable String user, String password) throws IOException {
        send("AUTH", user == null ? "default" : user, password);
        return this;
    }

    /** Sends a command and gives its answer. */
    public @Nullable Object send(String... args) throws IOException {
        return send(bytes(args));
    }

    /** Returns the same for arguments that are no text. */
    public @Nullable Object send(byte[]... args) throws IOException {
        write(args);
        Object reply = reader.read();
        if (reply instanceof RedisErrorReply error) {
            throw error;
        }
        return reply;
    }

    /** Sends a command whose answer nobody waits for, such as one that runs for long; the connection is of no more use then. */
    void sendOnly(String... args) throws IOException {
        write(bytes(args));
    }

    /** What the server says of itself: run id, uptime, role. */
    public ServerInfo info() throws IOException {
        return ServerInfo.parse(send("INFO", "server") + "\n" + send("INFO", "replication"));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // What was sent is sent, and nothing more is wanted.
        }
    }

    private void write(byte[][] args) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ascii("*" + args.length + "\r\n"));
        for (byte[] arg : args) {
            out.writeBytes(ascii("$" + arg.length + "\r\n"));
            out.writeBytes(arg);
            out.writeBytes(ascii("\r\n"));
        }
        socket.getOutputStream().write(out.toByteArray());
        socket.getOutputStream().flush();
    }

    private static byte[][] bytes(String... args) {
        return Arrays.stream(args)
                .map(arg -> arg.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
