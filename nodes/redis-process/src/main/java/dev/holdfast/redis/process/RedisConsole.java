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
 * One connection to a server that sends one command at a time, as {@code redis-cli} does for a person. Not thread-safe.
 *
 * <p>A reply is a {@code String} (UTF-8), {@code Long}, {@code List} of these, or {@code null}. An error reply is
 * thrown as a {@link RedisErrorReply}; within an array, such as the reply to {@code EXEC}, it is an element. After an
 * {@code IOException}, such as a timeout, the connection is unusable.
 */
public final class RedisConsole implements Closeable {

    /** The default limit for connecting and for each reply. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    private final Socket socket;
    private final RespReader reader;

    private RedisConsole(Socket socket) throws IOException {
        this.socket = socket;
        reader = new RespReader(new BufferedInputStream(socket.getInputStream()));
    }

    /** Connects to a server, with {@link #DEFAULT_TIMEOUT} as the limit for connecting and for each reply. */
    public static RedisConsole connect(String host, int port) throws IOException {
        return connect(host, port, DEFAULT_TIMEOUT);
    }

    /** Connects to a server, with {@code timeout} as the limit for connecting and for each reply. */
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

    /** Returns a console over an open connection, such as one with TLS. Closing the console closes the connection. */
    public static RedisConsole over(Socket socket) throws IOException {
        return new RedisConsole(socket);
    }

    /** Logs in; without a user, as {@code default}. */
    public RedisConsole login(@Nullable String user, String password) throws IOException {
        send("AUTH", user == null ? "default" : user, password);
        return this;
    }

    /** Sends a command and returns its reply. */
    public @Nullable Object send(String... args) throws IOException {
        return send(bytes(args));
    }

    /** Sends a command of binary arguments and returns its reply. */
    public @Nullable Object send(byte[]... args) throws IOException {
        write(args);
        Object reply = reader.read();
        if (reply instanceof RedisErrorReply error) {
            throw error;
        }
        return reply;
    }

    /**
     * Sends a command, such as a long-running one, and does not wait for its reply. The connection is unusable after that.
     */
    void sendOnly(String... args) throws IOException {
        write(bytes(args));
    }

    /** Returns the server's own description of itself: run id, uptime, role. */
    public ServerInfo info() throws IOException {
        return ServerInfo.parse(send("INFO", "server") + "\n" + send("INFO", "replication"));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // The command was sent, and its reply is not needed.
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
