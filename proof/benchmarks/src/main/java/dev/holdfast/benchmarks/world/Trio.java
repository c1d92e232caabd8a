package dev.holdfast.benchmarks.world;

import dev.holdfast.benchmarks.world.ServerKind.Part;
import dev.holdfast.redis.process.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Three servers of one kind, as processes whose data are on a disk. A majority of them stores every change before the
 * cluster confirms it. Not thread-safe.
 */
public final class Trio implements AutoCloseable {

    /** The number of servers. */
    public static final int SERVERS = 3;

    private static final Duration READY_WITHIN = Duration.ofMinutes(2);
    private static final long ASK_EVERY_MILLIS = 50;

    private final ServerKind kind;
    private final Path data;
    private final Path log;
    private final List<TrioMember> members = new ArrayList<>();

    private Trio(ServerKind kind, Path data, Path log) {
        this.kind = kind;
        this.data = data;
        this.log = log;
    }

    /** Starts three servers with their data and their log in this directory, and waits until all take part. */
    public static Trio start(ServerKind kind, Path directory) throws IOException, InterruptedException {
        Path data = Files.createTempDirectory(directory.toAbsolutePath(), kind.name() + "-");
        Trio trio = new Trio(kind, data, directory.resolve(kind.name() + ".log"));
        try {
            for (int i = 0; i < SERVERS; i++) {
                trio.members.add(trio.begin(i));
            }
            trio.awaitAll();
            return trio;
        } catch (IOException | InterruptedException | RuntimeException e) {
            trio.close();
            throw e;
        }
    }

    private TrioMember begin(int index) throws IOException {
        Path folder = Files.createDirectories(data.resolve(Integer.toString(index)));
        return TrioMember.start(kind.command(index, folder), log);
    }

    /** Returns the addresses for clients. */
    public List<String> nodes() {
        return kind.nodes();
    }

    /** Kills the leader with SIGKILL. Its data stay for {@link #restart}. */
    public void kill(int leader) {
        members.get(leader).kill();
    }

    /** Starts the servers that do not run, with their data, and waits until all take part. */
    public void restart() throws IOException, InterruptedException {
        for (int i = 0; i < SERVERS; i++) {
            if (!members.get(i).isRunning()) {
                members.set(i, begin(i));
            }
        }
        awaitAll();
    }

    /** Returns the index of the leader, waiting until all servers take part. */
    public int awaitAll() throws InterruptedException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < READY_WITHIN.toNanos()) {
            OptionalInt leader = leaderOfAll();
            if (leader.isPresent()) {
                return leader.getAsInt();
            }
            TimeUnit.MILLISECONDS.sleep(ASK_EVERY_MILLIS);
        }
        throw new IllegalStateException(kind.name() + ": the three servers are not ready; see " + log);
    }

    private OptionalInt leaderOfAll() {
        List<Part> parts = IntStream.range(0, SERVERS).mapToObj(this::part).toList();
        boolean complete = !parts.contains(Part.NONE)
                && parts.stream().filter(part -> part == Part.LEADS).count() == 1;
        return complete ? OptionalInt.of(parts.indexOf(Part.LEADS)) : OptionalInt.empty();
    }

    private Part part(int index) {
        try {
            return kind.part(index);
        } catch (IOException e) {
            return Part.NONE;
        }
    }

    /** Returns the processor time of the servers so far, in microseconds. */
    public double cpuMicros() {
        return sum(TrioMember::cpuMicros);
    }

    /** Returns how many bytes the servers have written to the disk so far; 0 if the system does not report it. */
    public double writtenBytes() {
        return sum(TrioMember::writtenBytes);
    }

    /** Returns the time of the JIT compilers so far, in seconds of an average server; 0 for programs without one. */
    public double compilerSeconds() {
        return sum(TrioMember::compilerSeconds) / SERVERS;
    }

    private double sum(ToDoubleFunction<TrioMember> number) {
        return members.stream().mapToDouble(number).sum();
    }

    @Override
    public void close() {
        members.forEach(TrioMember::kill);
        FileTree.delete(data);
    }
}
