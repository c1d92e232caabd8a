package dev.holdfast.server.node;

import dev.holdfast.redis.process.FreePort;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.LockServerBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A lock server in a process of its own, which a test can kill. */
final class ServerProcess implements AutoCloseable {

    private final Process process;
    private final URI uri;

    private ServerProcess(Process process, URI uri) {
        this.process = process;
        this.uri = uri;
    }

    /** Starts one on a port, 0 for a free one that it can have again, and waits until it serves. */
    static ServerProcess start(int port, @Nullable Path data) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ServerProcess.class.getName(),
                Integer.toString(port == 0 ? FreePort.pick() : port)));
        if (data != null) {
            command.add(data.toString());
        }
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            BufferedReader out =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            String line = out.readLine();
            if (line == null) {
                throw new IllegalStateException("the server did not start; it ended with "
                        + process.onExit().join().exitValue());
            }
            return new ServerProcess(process, URI.create(line));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its main program: prints its address, and serves until it is killed. */
    public static void main(String[] arguments) throws InterruptedException {
        LockServerBuilder builder = LockServer.builder().port(Integer.parseInt(arguments[0]));
        if (arguments.length > 1) {
            builder.data(Path.of(arguments[1]));
        }
        LockServer server = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        System.out.println(server.uri());
        new CountDownLatch(1).await();
    }

    URI uri() {
        return uri;
    }

    String nodeUri() {
        return "holdfast://127.0.0.1:" + uri.getPort();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** SIGTERM. */
    void stop() {
        process.destroy();
        process.onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
