package dev.holdfast.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Many connections that never send a whole request, in a separate process: the system counts both ends of a connection as open files, and limits their number
 * in a process.
 */
public final class HalfOpenClients implements AutoCloseable {

    public static final String HEAD =
            "POST /v1/leases HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

    private final Process process;

    /** When all are open. */
    private final CompletableFuture<Void> open;

    private HalfOpenClients(Process process) {
        this.process = process;
        this.open = CompletableFuture.runAsync(this::awaitOpen);
    }

    public static HalfOpenClients start(URI server, int count) throws IOException {
        return new HalfOpenClients(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HalfOpenClients.class.getName(),
                        Integer.toString(server.getPort()),
                        Integer.toString(count))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    private void awaitOpen() {
        try {
            String line = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            if (line == null) {
                throw new IllegalStateException("not all connections could be opened");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether all are open, by their own account; throws if they can't be. */
    public boolean areOpen() {
        return open.isDone() && open.thenApply(done -> true).join();
    }

    /** Its main program: says that all are open, and keeps them until its input ends. Every other one has half a head, the others half a body. */
    public static void main(String[] arguments) throws IOException {
        InetSocketAddress server = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0]));
        int count = Integer.parseInt(arguments[1]);
        List<SocketChannel> channels = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open(server);
            channels.add(channel);
            String text = HEAD + (i % 2 == 0 ? "X-Half: " : "Content-Length: 1000\r\n\r\n{\"lock\":\"a\"");
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        }
        System.out.println(channels.size() + " are open");
        while (System.in.read() >= 0) {
            // the process that started it still runs
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
