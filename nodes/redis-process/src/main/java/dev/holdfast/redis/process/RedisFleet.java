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
 * Servers that outlive this JVM, known by a directory in which any later JVM finds them again. For {@code holdfast dev}.
 *
 * <p>Each has {@code node-0}, {@code node-1} and so on in the directory. Whoever changes something holds a lock on the file
 * {@code lock} there, so two JVMs that call {@link #up} at once start no server twice; {@link #status} only looks. Thread-safe.
 *
 * <p>A server is known again by its pid <em>and</em> its command line, which names its own {@code redis.conf}: a pid that became
 * another program's after a reboot is neither believed nor signalled.
 */
public final class RedisFleet {

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(1);
    private static final String PREFIX = "node-";

    private final Path directory;

    private RedisFleet(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
    }

    /** Returns the fleet in this directory, which need not exist yet. Nothing is done. */
    public static RedisFleet in(Path directory) {
        return new RedisFleet(directory);
    }

    /** As {@link #up(int, RedisOptions)} with the defaults. */
    public List<FleetNode> up(int count) {
        return up(count, RedisOptions.defaults());
    }

    /**
     * Sees to it that the servers 0 to {@code count - 1} are there, and tells of all that are.
     *
     * <p>One that is there is left as it is, paused ones too; the options count for new ones only. One that is gone is started again
     * at its port, and not declared clean. More servers than {@code count} are left alone.
     *
     * @param options without a network of its own, which would end with this JVM
     * @throws RedisStartException if one doesn't start; the others stay
     */
    public List<FleetNode> up(int count, RedisOptions options) {
        if (options.network() != null) {
            throw new IllegalArgumentException("servers that outlive this JVM can't be in a network that ends with it");
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

    /** Ends all servers, paused ones too, and deletes their directories. Harmless if there are none. */
    public void down() {
        if (!Files.isDirectory(directory)) {
            return;
        }
        FleetLock.holding(directory, () -> {
            for (int index : indexes()) {
                killUnrecorded(index);
                ServerDirectory.deleteTree(root(index));
            }
            return 0;
        });
    }

    /** Returns all servers, in order, as they are now. */
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

    /** Makes a server stand still (SIGSTOP). */
    public FleetNode pause(int index) {
        return change(index, ServerControl::pause);
    }

    /** Lets a server go on (SIGCONT). */
    public FleetNode resume(int index) {
        return change(index, ServerControl::resume);
    }

    /** Starts a server again at its port, stopping it first if it runs; {@code forget} wipes its data. It is not declared clean. */
    public FleetNode restart(int index, boolean forget) {
        return change(index, forget ? server -> server.restartEmpty(false) : server -> server.restart(false));
    }

    /** Answers for a server that it has lost no vote (PROTOCOL §5). */
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

    /** By what the server wrote itself: its record may be missing, if the JVM that started it died at that moment. */
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
