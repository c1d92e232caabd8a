package dev.holdfast.torture.server;

import dev.holdfast.redis.process.OsProcess;
import dev.holdfast.torture.soak.Sample;
import dev.holdfast.torture.soak.Sample.Counter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A lock server that {@code ./holdfast serve} runs, and its counters. */
final class ServerUnderTrial implements AutoCloseable {

    static final String SECRET = "trial-trial-trial-trial-trial";

    private static final Pattern ADDRESS = Pattern.compile("Serving locks at (http://[0-9.]+:[0-9]+)");
    private static final Duration START = Duration.ofMinutes(5); // the launcher may have to build it first
    private static final long PAUSE_MILLIS = 50;
    private static final int MORE_THAN_REMEMBERED = 11_000;

    private final Process process;
    private final OsProcess handle;
    private final Path log;
    private final URI uri;

    private ServerUnderTrial(Process process, Path log) throws IOException, InterruptedException {
        this.process = process;
        this.handle = OsProcess.endingWithThisJvm(process.toHandle());
        this.log = log;
        long end = System.nanoTime() + START.toNanos();
        Matcher matcher = ADDRESS.matcher(Files.readString(log));
        while (!matcher.find()) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                throw new IOException("the lock server did not start: " + Files.readString(log));
            }
            Thread.sleep(PAUSE_MILLIS);
            matcher = ADDRESS.matcher(Files.readString(log));
        }
        uri = URI.create(matcher.group(1));
    }

    /**
     * Starts a server whose only token is {@link #SECRET}.
     *
     * @param name the name of its files in the folder
     * @param heap the maximum size of its heap, such as {@code 96m}
     * @param limits lines of its config file
     * @param options further options of {@code serve}
     */
    static ServerUnderTrial start(Path folder, String name, String heap, List<String> limits, String... options)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path config = folder.resolve(name + ".properties");
        List<String> lines = new ArrayList<>(limits);
        lines.addAll(List.of(
                "token.trial.secret = " + SECRET,
                "token.trial.prefixes = *",
                "token.trial.rights = acquire read admin"));
        Files.write(config, lines);
        Files.setPosixFilePermissions(config, java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
        Path log = folder.resolve(name + ".log");
        List<String> command =
                new ArrayList<>(List.of("./holdfast", "serve", "--port", "0", "--config", config.toString()));
        command.addAll(List.of(options));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Xmx" + heap);
        return new ServerUnderTrial(builder.start(), log);
    }

    URI uri() {
        return uri;
    }

    /** Returns everything that the server has printed. */
    String printed() throws IOException {
        return Files.readString(log);
    }

    /** Connects with the token, from 127.0.0.1. */
    Wire connect() throws IOException {
        return new Wire(uri, SECRET, 1);
    }

    /**
     * Acquires and releases more leases than the ended ones that a server remembers, so that its memory of them no
     * longer grows.
     */
    void fillMemoryOfEndedLeases() throws IOException {
        try (Wire wire = connect()) {
            for (int i = 0; i < MORE_THAN_REMEMBERED; i++) {
                turn(wire);
            }
        }
    }

    /** Acquires and releases a lock once. */
    static void turn(Wire wire) throws IOException {
        Wire.Answer answer = wire.post("/v1/leases", "{\"lock\":\"a lock\",\"ttl\":\"10s\"}");
        String lease = ReconnectingClient.group(ReconnectingClient.ID, answer.body());
        wire.post("/v1/leases/" + lease + "/release", "{}");
    }

    /** Returns the sum of all series of a metric, 0 if there are none. */
    double metric(String name, String labels) throws IOException {
        try (Wire wire = connect()) {
            return wire.get("/metrics")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                    .filter(line -> line.contains(labels))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }
    }

    /** Reads the counters, after a full garbage collection of the server. */
    Sample sample(Duration at) throws IOException, InterruptedException {
        collectGarbage();
        Map<Counter, Long> values = new EnumMap<>(Counter.class);
        values.put(Counter.LOCK_SERVER_HEAP_KB, (long) metric("jvm_memory_used_bytes", "area=\"heap\"") / 1_024);
        values.put(Counter.LOCK_SERVER_KB, status("VmRSS"));
        values.put(Counter.LOCK_SERVER_THREADS, status("Threads"));
        try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            values.put(Counter.LOCK_SERVER_DESCRIPTORS, all.count());
        }
        return new Sample(at, values);
    }

    private void collectGarbage() throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        int exit = new ProcessBuilder(jcmd, Long.toString(process.pid()), "GC.run")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectErrorStream(true)
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException("jcmd could not collect the server's garbage");
        }
    }

    /** Returns a number of the process's status, of memory in KiB. Linux only. */
    private long status(String key) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(line -> line.startsWith(key + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElse(0);
    }

    @Override
    public void close() {
        handle.kill();
    }
}
