package dev.holdfast.redis.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Servers that outlive this JVM; any later JVM finds them again in their directory. {@code holdfast dev} uses them.
 *
 * <p>Each server has a directory of its own there: {@code node-0}, {@code node-1} and so on. Every change holds a lock
 * on the file {@code lock}, so two JVMs that call {@link #up} at once start no server twice; {@link #status} only
 * reads. Thread-safe.
 *
 * <p>Both its pid <em>and</em> its command line, which names its own {@code redis.conf}, identify a server. After a
 * reboot, another program may have the pid; the fleet never signals that program.
 */
public final class RedisFleet {

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(1);
    private static final String PREFIX = "node-";

    private final Path directory;

    private RedisFleet(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
    }

    /** Returns the fleet in this directory, which need not exist yet. Changes nothing. */
    public static RedisFleet in(Path directory) {
        return new RedisFleet(directory);
    }

    /** Starts servers as {@link #up(int, RedisOptions)} does, with the defaults. */
    public List<FleetNode> up(int count) {
        return up(count, RedisOptions.defaults());
    }

    /**
     * Starts the servers 0 to {@code count - 1} unless they are up, and returns all servers that are up.
     *
     * <p>A running server, even a paused one, stays as it is; the options apply to new servers only. A server that has
     * ended is started again at its port and not declared clean. Servers beyond {@code count} stay as they are.
     *
     * @param options the options of new servers, without a network of their own, which would end with this JVM
     * @throws RedisStartException if a server doesn't start; the others stay up
     */
    public List<FleetNode> up(int count, RedisOptions options) {
        if (options.network() != null) {
            throw new IllegalArgumentException(
                    "servers that outlive this JVM can't be in a network that ends with this JVM");
        }
        return FleetLock.holding(directory, () -> {
            for (int i = 0; i < count; i++) {
                ensureUp(i, options.directory(directory).forNode(i));
            }
            return status();
        });
    }

    private void ensureUp(int index, RedisOptions options) {
        Optional<ServerSetup> known = FleetRecord.read(root(index));
        if (known.isEmpty()) {
            killUnrecorded(index);
            ServerDirectory where = ServerDirectory.in(root(index), options.logFile());
            FleetRecord.write(ServerStart.first(options, where, true).setup());
        } else if (known.get().directory().process().isEmpty()) {
            ServerStart.again(known.get());
        }
    }

    /** Ends all servers, even paused ones, and deletes their directories. Has no effect if there are none. */
    public void down() {
        if (!Files.isDirectory(directory)) {
            return;
        }
        FleetLock.holding(directory, () -> {
            for (int index : indexes()) {
                killUnrecorded(index);
                FileTree.delete(root(index));
            }
            return 0;
        });
    }

    /** Returns the present state of all servers, in order. */
    public List<FleetNode> status() {
        List<FleetNode> nodes = new ArrayList<>();
        for (int index : indexes()) {
            FleetRecord.read(root(index)).ifPresent(setup -> nodes.add(look(index, setup)));
        }
        return nodes;
    }

    /** Ends a server at once (SIGKILL). */
    public FleetNode kill(int index) {
        return change(index, ServerControl::kill);
    }

    /** Pauses a server (SIGSTOP). */
    public FleetNode pause(int index) {
        return change(index, ServerControl::pause);
    }

    /** Resumes a server (SIGCONT). */
    public FleetNode resume(int index) {
        return change(index, ServerControl::resume);
    }

    /**
     * Restarts a server at its port, and stops it first if it runs. The server is not declared clean.
     *
     * @param forget whether to delete its data
     */
    public FleetNode restart(int index, boolean forget) {
        return change(index, forget ? server -> server.restartEmpty(false) : server -> server.restart(false));
    }

    /** Declares that a server has lost no vote (PROTOCOL §5). */
    public FleetNode declareClean(int index) {
        return change(index, server -> server.setup().ask(Epoch::declareClean));
    }

    private FleetNode change(int index, Consumer<ServerControl> change) {
        return FleetLock.holding(directory, () -> {
            ServerSetup setup = FleetRecord.read(root(index))
                    .orElseThrow(() -> new IllegalArgumentException(
                            "no node " + index + " in " + directory + ", which has " + indexes()));
            change.accept(ServerControl.of(setup));
            return look(index, setup);
        });
    }

    private static FleetNode look(int index, ServerSetup setup) {
        Optional<OsProcess> process = setup.directory().process();
        String runId = "";
        FleetNode.State state = FleetNode.State.GONE;
        if (process.isPresent() && process.get().isPaused()) {
            state = FleetNode.State.PAUSED;
        } else if (process.isPresent()) {
            runId = runId(setup, process.get().pid());
            state = runId.isEmpty() ? FleetNode.State.SILENT : FleetNode.State.RUNNING;
        }
        long pid = process.map(OsProcess::pid).orElse(0L);
        return new FleetNode(
                index, setup.uri(), state, pid, runId, setup.directory().root());
    }

    private static String runId(ServerSetup setup, long pid) {
        try (RedisConsole console = setup.connect(ANSWER_WITHIN)) {
            ServerInfo info = console.info();
            return info.pid() == pid ? info.runId() : "";
        } catch (IOException | RedisErrorReply e) {
            return "";
        }
    }

    /**
     * Kills the server by the pid that the server itself wrote. The record of a server is missing
     * if the JVM that started it died at that moment.
     */
    private void killUnrecorded(int index) {
        ServerDirectory.in(root(index), null).process().ifPresent(OsProcess::kill);
    }

    private Path root(int index) {
        return directory.resolve(PREFIX + index);
    }

    private List<Integer> indexes() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches(PREFIX + "\\d{1,4}"))
                    .map(name -> Integer.parseInt(name.substring(PREFIX.length())))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
