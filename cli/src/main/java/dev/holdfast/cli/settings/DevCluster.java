package dev.holdfast.cli.settings;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.redis.process.FileTree;
import dev.holdfast.redis.process.FleetLock;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.OsProcess;
import dev.holdfast.redis.process.Waiting;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The development cluster of this machine: lock servers that outlive the command. They are called a, b, c and so on. */
public final class DevCluster {

    /** The default number of servers. */
    public static final int USUAL = 3;

    /** The largest number of servers. */
    public static final int MOST = 7;

    private static final String MAIN =
            "dev.holdfast.cli.Main"; // a reference to the class would close a circle of packages
    private static final String NAME = "dev";
    private static final String HOST = "127.0.0.1";
    private static final String GROUPS = "groups";

    /** The file that makes the data of a server valid. A server that ends before it has written the file may leave its folder. */
    private static final String IDENTITY = "cluster.properties";

    private static final Duration READY_WITHIN = Duration.ofSeconds(60);
    private static final Duration END_WITHIN = Duration.ofSeconds(20);
    private static final int LINES_SHOWN = 3;

    private final DevNodes nodes;
    private final Path directory;

    private DevCluster(DevNodes nodes) {
        this.nodes = nodes;
        this.directory = nodes.directory().resolve("cluster");
    }

    /** Returns the cluster in {@code HOLDFAST_DEV_DIR}, or else that in the home directory. */
    public static DevCluster of(Map<String, String> environment) {
        return new DevCluster(DevNodes.of(environment));
    }

    /** The state of a server's process. */
    public enum State {
        RUNNING,
        PAUSED,
        GONE
    }

    /**
     * One server.
     *
     * @param uri the address for clients
     * @param pid the process id; 0 if it does not run
     */
    public record Server(String name, String uri, State state, long pid) {}

    /** Returns the URI of the cluster for clients; empty if there is none. */
    public Optional<String> uri() {
        return servers().map(servers -> servers.uri("holdfast"));
    }

    /** Returns the servers; empty if there are none. */
    public List<Server> status() {
        List<Server> found = new ArrayList<>();
        servers().ifPresent(servers -> servers.uris("holdfast").forEach((name, uri) -> found.add(look(name, uri))));
        return found;
    }

    /**
     * Starts servers until all of a cluster of this size are up and one of them leads.
     *
     * @param groups the number of groups of locks
     */
    public List<Server> up(int count, int groups) {
        return changing(() -> {
            ServerList servers = servers().orElseGet(() -> created(count, groups));
            if (servers.servers().size() != count || groups() != groups) {
                throw Failure.usage("there is a development cluster of "
                        + inWords(servers.servers().size()) + (groups() == 1 ? "" : " with --groups " + groups())
                        + "; 'holdfast dev cluster down' removes it");
            }
            List<String> started = new ArrayList<>();
            for (String name : servers.servers().keySet()) {
                if (process(name).isEmpty()) {
                    start(name, servers);
                    started.add(name);
                }
            }
            started.forEach(this::awaitReady);
            return status();
        });
    }

    /** Ends all servers and deletes their data. */
    public void down() {
        if (Files.isDirectory(directory)) {
            changing(() -> {
                status().forEach(server -> process(server.name()).ifPresent(OsProcess::kill));
                FileTree.delete(directory);
                return true;
            });
        }
    }

    /** Kills a server, as a crash does. */
    public Server kill(String name) {
        return change(name, OsProcess::kill);
    }

    /** Pauses a server. */
    public Server pause(String name) {
        return change(name, OsProcess::pause);
    }

    /** Resumes a paused server. */
    public Server resume(String name) {
        return change(name, OsProcess::resume);
    }

    /** Stops a server if it runs, and starts it again. */
    public Server restart(String name) {
        return changing(() -> {
            ServerList servers = require(name);
            process(name).ifPresent(process -> {
                if (!process.terminate(END_WITHIN)) {
                    process.kill();
                }
            });
            start(name, servers);
            awaitReady(name);
            return look(name);
        });
    }

    private Server change(String name, Consumer<OsProcess> change) {
        return changing(() -> {
            require(name);
            change.accept(process(name)
                    .orElseThrow(() -> Failure.usage("server " + name + " does not run; 'holdfast dev cluster restart "
                            + name + "' starts it")));
            return look(name);
        });
    }

    private ServerList require(String name) {
        ServerList servers = servers()
                .orElseThrow(
                        () -> Failure.usage("there is no development cluster; 'holdfast dev cluster up' starts one"));
        if (!servers.servers().containsKey(name)) {
            throw Failure.usage(
                    "the development cluster has no server '" + Printable.line(name, 20) + "'; its servers are "
                            + String.join(", ", servers.servers().keySet()));
        }
        return servers;
    }

    private Server look(String name) {
        return status().stream()
                .filter(server -> server.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private Server look(String name, String uri) {
        Optional<OsProcess> process = process(name);
        State state = process.isEmpty() ? State.GONE : process.get().isPaused() ? State.PAUSED : State.RUNNING;
        return new Server(name, uri, state, process.map(OsProcess::pid).orElse(0L));
    }

    // ---- files

    private Path list() {
        return directory.resolve("servers");
    }

    private Path data(String name) {
        return directory.resolve(name);
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    private Path pid(String name) {
        return directory.resolve(name + ".pid");
    }

    private Optional<ServerList> servers() {
        return Files.exists(list()) ? Optional.of(ServerList.parse(read(list()).strip())) : Optional.empty();
    }

    private int groups() {
        return Integer.parseInt(read(directory.resolve(GROUPS)).strip());
    }

    private ServerList created(int count, int groups) {
        Map<String, ServerList.Server> servers = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            servers.put(
                    String.valueOf((char) ('a' + i)), new ServerList.Server(HOST, FreePort.pick(), FreePort.pick()));
        }
        ServerList made = new ServerList(servers);
        write(directory.resolve(GROUPS), Integer.toString(groups));
        write(list(), made.toString());
        return made;
    }

    // ---- processes

    /** Finds the process by its pid and by its arguments, since another program may have the pid after a reboot. */
    private Optional<OsProcess> process(String name) {
        return Files.exists(pid(name))
                ? OsProcess.find(Long.parseLong(read(pid(name)).strip()))
                        .filter(process -> process.wasStartedWith(data(name).toString()))
                : Optional.empty();
    }

    private void start(String name, ServerList servers) {
        List<String> command = new ArrayList<>(OsProcess.ownSession());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(archiveOptions());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx256m", "-XX:+UseSerialGC", MAIN, "serve"));
        command.addAll(List.of("--cluster", NAME, "--name", name, "--servers", servers.toString()));
        command.addAll(List.of("--groups", Integer.toString(groups())));
        command.addAll(List.of("--grace", "0s", "--data", data(name).toString()));
        if (!Files.exists(data(name).resolve("cluster").resolve(IDENTITY))) {
            command.add("--create");
        }
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectInput(Redirect.from(new File("/dev/null")))
                    .redirectErrorStream(true)
                    .redirectOutput(log(name).toFile());
            // Not as an argument: Java shows the arguments of a process, by which it is found again, only if they are
            // short.
            builder.environment().remove(Settings.NODES); // those of other commands
            builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
            write(pid(name), Long.toString(builder.start().pid()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the options with which this JVM found its archives of classes, which make a start quicker; empty if there are none. */
    private static List<String> archiveOptions() {
        return Stream.of(ProcessHandle.current().info().arguments().orElse(new String[0]))
                .takeWhile(argument -> !argument.equals(MAIN))
                .filter(argument -> argument.startsWith("-XX:SharedArchiveFile="))
                .toList();
    }

    private void awaitReady(String name) {
        Waiting.until(
                READY_WITHIN,
                () -> process(name).isEmpty() || isReady(name) || (hasStarted(name) && !majorityRuns(status())));
        if (!isReady(name)) {
            List<Server> servers = status();
            if (process(name).isPresent() && !majorityRuns(servers)) {
                throw new Failure(ExitCode.NO_QUORUM, withoutMajority(name, servers));
            }
            List<String> lines = read(log(name)).lines().toList();
            String last = String.join(" | ", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
            String state = process(name).isEmpty()
                    ? " has ended: "
                    : " is not ready after " + READY_WITHIN.toSeconds()
                            + " s. It goes on starting; once it is ready, its log says so: " + log(name)
                            + ". The log ends with: ";
            throw new Failure(
                    ExitCode.INTERNAL,
                    "server " + name + " of the development cluster" + state + Printable.line(last, 400));
        }
    }

    private boolean isReady(String name) {
        return read(log(name)).contains("Ready: ");
    }

    private boolean hasStarted(String name) {
        return read(log(name)).contains("Serving locks at ");
    }

    private static boolean majorityRuns(List<Server> servers) {
        return count(servers, State.RUNNING) > servers.size() / 2;
    }

    private static int count(List<Server> servers, State state) {
        return (int) servers.stream().filter(server -> server.state() == state).count();
    }

    private String withoutMajority(String name, List<Server> servers) {
        int running = count(servers, State.RUNNING);
        StringBuilder text = new StringBuilder("server " + name + " runs, and waits for a majority: " + running + " of "
                + inWords(servers.size()) + (running == 1 ? " runs" : " run") + ", and " + (servers.size() / 2 + 1)
                + " are needed.");
        if (count(servers, State.GONE) > 0) {
            text.append(" 'holdfast dev cluster up ")
                    .append(servers.size())
                    .append(groups() == 1 ? "" : " --groups " + groups())
                    .append("' starts those that are down.");
        }
        servers.stream()
                .filter(server -> server.state() == State.PAUSED)
                .forEach(server -> text.append(" 'holdfast dev cluster resume ")
                        .append(server.name())
                        .append("' resumes server ")
                        .append(server.name())
                        .append('.'));
        return text.toString();
    }

    private static String inWords(int servers) {
        return servers == 1 ? "1 server" : servers + " servers";
    }

    private <T> T changing(Supplier<T> work) {
        try {
            return FleetLock.holding(directory, work);
        } catch (UncheckedIOException e) {
            throw nodes.unusable("the folder of the development cluster", directory, e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
