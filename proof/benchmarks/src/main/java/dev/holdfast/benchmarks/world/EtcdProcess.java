package dev.holdfast.benchmarks.world;

import dev.holdfast.redis.process.FileTree;
import dev.holdfast.redis.process.OsProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * An etcd cluster of one member. The program comes from the {@code PATH}; the data is in memory where the system allows that. Not thread-safe.
 */
public final class EtcdProcess implements AutoCloseable {

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long READY_WITHIN_NANOS = 30_000_000_000L;

    private final Process process;
    private final OsProcess handle;
    private final Path data;
    private final URI uri;

    private EtcdProcess(Process process, Path data, URI uri) {
        this.process = process;
        this.handle = OsProcess.endingWithThisJvm(process.toHandle());
        this.data = data;
        this.uri = uri;
    }

    /** Returns the version of etcd; empty where it is missing. */
    public static Optional<String> version() {
        try {
            Process asked = new ProcessBuilder("etcd", "--version")
                    .redirectErrorStream(true)
                    .start();
            asked.getOutputStream().close();
            String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return said.lines()
                    .filter(line -> line.startsWith("etcd Version: "))
                    .map(line -> line.substring("etcd Version: ".length()))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Starts etcd, and waits until it answers; its output goes to the file. */
    public static EtcdProcess start(Path log) throws InterruptedException {
        try {
            boolean inMemory = Files.isWritable(MEMORY);
            Path data = inMemory
                    ? Files.createTempDirectory(MEMORY, "holdfast-etcd-")
                    : Files.createTempDirectory("holdfast-etcd-");
            String client = "http://127.0.0.1:" + freePort();
            String peers = "http://127.0.0.1:" + freePort();
            Process process = new ProcessBuilder(
                            "etcd",
                            "--name=one",
                            "--data-dir=" + data,
                            "--listen-client-urls=" + client,
                            "--advertise-client-urls=" + client,
                            "--listen-peer-urls=" + peers,
                            "--initial-advertise-peer-urls=" + peers,
                            "--initial-cluster=one=" + peers)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            EtcdProcess started = new EtcdProcess(process, data, URI.create(client));
            started.awaitHealth();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitHealth() throws InterruptedException {
        long start = System.nanoTime();
        while (!isHealthy()) {
            if (System.nanoTime() - start > READY_WITHIN_NANOS || !process.isAlive()) {
                close();
                throw new IllegalStateException("etcd did not answer");
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private boolean isHealthy() {
        try {
            HttpURLConnection asked =
                    (HttpURLConnection) uri.resolve("/health").toURL().openConnection();
            return asked.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns its address. */
    public URI uri() {
        return uri;
    }

    /** Returns its processor time so far, in microseconds. */
    public double cpuMicros() {
        return ServerProcess.cpuMicros(process);
    }

    @Override
    public void close() {
        handle.kill();
        FileTree.delete(data);
    }
}
