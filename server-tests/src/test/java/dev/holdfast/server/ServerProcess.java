package dev.holdfast.server;

import dev.holdfast.Holdfast;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A lock server in a process of its own, which can be killed. */
public final class ServerProcess implements AutoCloseable {

    private static final Duration QUARANTINE = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofMillis(300);

    private final Process process;
    private final URI uri;
    private final Path log;

    private ServerProcess(Process process, URI uri, Path log) {
        this.process = process;
        this.uri = uri;
        this.log = log;
    }

    /** Starts a server in front of these nodes. */
    public static ServerProcess start(List<URI> nodes) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ServerProcess.class.getName()));
        nodes.forEach(node -> command.add(node.toString()));
        try {
            Path log = Files.createTempFile("server", ".log");
            log.toFile().deleteOnExit();
            Process process =
                    new ProcessBuilder(command).redirectError(log.toFile()).start();
            String uri = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            if (uri == null) {
                throw new IllegalStateException("the server has not started");
            }
            return new ServerProcess(process, URI.create(uri), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Http http() {
        return new Http(uri);
    }

    public URI uri() {
        return uri;
    }

    /** Everything that it has logged. */
    public String logged() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills it, as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Stops it gracefully, and waits for its end. */
    public void stop() {
        process.destroy();
        process.onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    /** The main program of the process: prints the URI, and runs until a signal ends it. */
    public static void main(String[] nodes) throws InterruptedException {
        LockServer server = LockServer.builder()
                .port(0)
                .client(Holdfast.builder().nodes(List.of(nodes)).restartQuarantine(QUARANTINE))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                server.stop(GRACE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        System.out.println(server.uri());
        new CountDownLatch(1).await();
    }
}
