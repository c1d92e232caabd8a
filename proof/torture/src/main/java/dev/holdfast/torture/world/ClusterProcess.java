package dev.holdfast.torture.world;

import dev.holdfast.redis.process.ClockShim;
import dev.holdfast.redis.process.FileTree;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.OsProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One server of a cluster: a process that can be killed, stopped and started again, its clock and its disk. Thread-safe. */
public final class ClusterProcess implements AutoCloseable {

    private static final String MAIN = "dev.holdfast.cli.Main";
    private static final String CLUSTER = "torture";
    private static final Duration SERVING_WITHIN = Duration.ofMinutes(3);
    private static final Duration REQUEST = Duration.ofSeconds(20);

    /** The place of a server: its folders, its machine and its addresses. */
    record Place(
            String name, Path folder, Path disk, @Nullable Machine machine, String host, int port, int peerPort) {

        static Place of(String name, Path folder, Path disk, @Nullable Machine machine) {
            return machine == null
                    ? new Place(name, folder, disk, null, "127.0.0.1", FreePort.pick(), FreePort.pick())
                    : new Place(name, folder, disk, machine, machine.address(), 7420, 7520);
        }

        /** Returns its part of the list of servers. */
        String listed() {
            return name + "=" + host + ":" + port + ":" + peerPort;
        }

        String peerAddress() {
            return host + ":" + peerPort;
        }
    }

    private final Place place;
    private final String list;
    private final int groups;
    private final PeerKeys keys;
    private final boolean hasClock;
    private final ServerLog log;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    private boolean joins;
    private volatile boolean lost;
    private long servedBefore;
    private int folders;
    private @Nullable OsProcess process;

    ClusterProcess(Place place, String list, int groups, PeerKeys keys, boolean hasClock) {
        this.place = place;
        this.list = list;
        this.groups = groups;
        this.keys = keys;
        this.hasClock = hasClock;
        this.log = new ServerLog(place.folder().resolve("log"));
        if (hasClock) {
            ClockShim.install(place.folder());
        }
    }

    public String name() {
        return place.name();
    }

    String host() {
        return place.host();
    }

    int port() {
        return place.port();
    }

    /** Returns its address for clients, without the links of a run. */
    public String clientAddress() {
        return place.host() + ":" + place.port();
    }

    /** Returns its machine; empty if it is on the loopback. */
    public Optional<Machine> machine() {
        return Optional.ofNullable(place.machine());
    }

    // ---- the process

    /** Starts it with its data, unless it runs; waits until it accepts connections, or has ended. */
    public synchronized void start() {
        begin();
        awaitServing();
    }

    /** Starts it with its data, unless it runs; returns at once. */
    synchronized void begin() {
        if (isRunning()) {
            return;
        }
        servedBefore = log.timesServing();
        List<String> command = new ArrayList<>(
                place.machine() == null ? List.of() : place.machine().entrance());
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dorg.slf4j.simpleLogger.log.com.alipay.sofa.jraft.core.NodeImpl=info",
                MAIN,
                "serve"));
        command.addAll(List.of("--cluster", CLUSTER, "--name", name(), "--servers", list, "--insecure"));
        command.addAll(List.of("--groups", Integer.toString(groups)));
        command.addAll(List.of(
                "--grace",
                "0s",
                "--data",
                data().toString(),
                "--peer-keys",
                keys.file().toString()));
        command.add(joins ? "--join" : "--create");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectInput(Redirect.from(new File("/dev/null")))
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(log.file().toFile()));
            builder.environment().put("CLASSPATH", classPath());
            builder.environment().put("HOLDFAST_PEER_KEYS_PASSWORD", keys.password());
            if (hasClock) {
                builder.environment().putAll(ClockShim.install(place.folder()));
            }
            process = OsProcess.endingWithThisJvm(builder.start().toHandle());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitServing() {
        long end = System.nanoTime() + SERVING_WITHIN.toNanos();
        while (isRunning() && log.timesServing() == servedBefore) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("server " + name() + " does not serve; see " + log.file());
            }
            pauseBriefly();
        }
    }

    /** Returns the class path of this JVM with absolute names, since the server starts in another folder. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static void pauseBriefly() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Path data() {
        return place.disk().resolve("data-" + folders);
    }

    public synchronized boolean isRunning() {
        OsProcess last = process;
        return last != null && last.isRunning();
    }

    /** Ends it with SIGKILL. */
    public synchronized void kill() {
        OsProcess last = process;
        if (last != null && last.isRunning()) {
            last.kill();
        }
    }

    /** Ends it with SIGTERM, as an operator does. */
    public synchronized void terminate() {
        OsProcess last = process;
        if (last != null && !last.terminate(Duration.ofSeconds(30))) {
            last.kill();
        }
    }

    public synchronized boolean isPaused() {
        OsProcess last = process;
        return last != null && last.isPaused();
    }

    /** Stops it with SIGSTOP, if it runs. */
    public synchronized void pause() {
        OsProcess last = process;
        if (last != null && last.isRunning()) {
            last.pause();
        }
    }

    /** Resumes it with SIGCONT. */
    public synchronized void resume() {
        OsProcess last = process;
        if (last != null && last.isRunning()) {
            last.resume();
        }
    }

    /** Returns how often it has begun an election without waiting for the election timeout. */
    public long timesElectedAtOnce() {
        return log.timesElectedAtOnce();
    }

    /** Returns what it has printed. */
    ServerLog log() {
        return log;
    }

    // ---- its clock and its disk

    /** Sets its wall clock forward or back. */
    public void stepClock(Duration step) {
        ClockShim.step(place.folder(), step);
    }

    /** Makes each flush to its disk take this much longer. */
    public void slowDisk(Duration delay) {
        ClockShim.delayFlushes(place.folder(), delay);
    }

    /** Ends {@link #slowDisk}. */
    public void hurryDisk() {
        if (hasClock) {
            ClockShim.delayFlushes(place.folder(), Duration.ZERO);
        }
    }

    private Path dataFromHere() {
        Machine machine = place.machine();
        return machine == null ? data() : machine.disk().resolve(data().getFileName());
    }

    /** Copies the data of a server that does not run, and returns the copy. */
    public synchronized Path copyData() {
        Path copy = dataFromHere().resolveSibling("copy");
        FileTree.delete(copy);
        copy(dataFromHere(), copy);
        return copy;
    }

    /** Replaces the data of a server that does not run by an earlier copy, which no operator may do. */
    public synchronized void putBack(Path copy) {
        FileTree.delete(dataFromHere());
        copy(copy, dataFromHere());
    }

    /** Gives a server that does not run an empty disk. It joins when it starts again, once it has been removed. */
    public synchronized void loseDisk() {
        FileTree.delete(dataFromHere());
        folders++;
        joins = true;
        lost = true;
    }

    /** Returns whether it has lost its disk, and has not been added to the cluster again. */
    public boolean isLost() {
        return lost;
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- its HTTP

    /**
     * Asks it to change the cluster.
     *
     * @param made part of the refusal of a change that an earlier request has made
     * @return an empty text if the change is made, or else the reason why it is not
     */
    private String change(String route, String body, Optional<String> made) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + clientAddress() + "/v1/cluster/" + route))
                .header("Content-Type", "application/json")
                .timeout(REQUEST)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            boolean isMade = response.statusCode() == 200
                    || made.filter(response.body()::contains).isPresent();
            return isMade ? "" : response.body();
        } catch (IOException e) {
            return e.toString();
        }
    }

    /**
     * Asks it to remove another server. If a leader dies, the next one may complete a removal.
     *
     * @return an empty text if that one is no member, or else the reason why it still is
     */
    public String remove(ClusterProcess other) throws InterruptedException {
        String address = other.place.peerAddress();
        return change("remove", "{\"server\":\"" + address + "\"}", Optional.of("there is no member " + address));
    }

    /**
     * Asks it to add a server that has started to join.
     *
     * @return an empty text if that one is a member, or else the reason why it is not
     */
    public String add(ClusterProcess other) throws InterruptedException {
        String refusal = change(
                "add",
                "{\"name\":\"" + other.name() + "\",\"address\":\"" + other.place.peerAddress() + "\"}",
                Optional.empty());
        if (refusal.isEmpty()) {
            other.lost = false;
        }
        return refusal;
    }

    /** Asks it to let another server lead, and returns whether that one does. */
    public boolean transfer(String member) throws InterruptedException {
        return change("transfer", "{\"server\":\"" + member + "\"}", Optional.empty())
                .isEmpty();
    }

    /** Returns why it takes no part in the cluster; an empty text if it does, or if it is not meant to. */
    String missingPart() throws InterruptedException {
        if (lost || !isRunning()) {
            return "";
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + clientAddress() + "/readyz"))
                .timeout(REQUEST)
                .build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200 ? "" : response.body();
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
