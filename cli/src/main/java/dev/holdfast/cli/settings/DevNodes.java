package dev.holdfast.cli.settings;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Messages;
import dev.holdfast.redis.process.FleetNode;
import dev.holdfast.redis.process.FleetNode.State;
import dev.holdfast.redis.process.RedisFleet;
import dev.holdfast.redis.process.RedisStartException;
import dev.holdfast.server.client.FileProblem;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** The development nodes of this machine: real Redis servers that outlive the command. They are numbered from 1. */
public final class DevNodes {

    /** The default number of nodes. */
    public static final int USUAL = 5;

    public static final int MOST = 31;

    private static final String FOLDER = "HOLDFAST_DEV_DIR";
    private static final String SERVER = "HOLDFAST_REDIS_SERVER";

    private final Map<String, String> environment;
    private final Path directory;
    private final RedisFleet fleet;

    private DevNodes(Map<String, String> environment, Path directory) {
        this.environment = environment;
        this.directory = directory;
        this.fleet = RedisFleet.in(directory);
    }

    /** Returns the nodes in {@code HOLDFAST_DEV_DIR}, or else those in the home directory. */
    public static DevNodes of(Map<String, String> environment) {
        String named = environment.getOrDefault(FOLDER, "");
        String home = environment.getOrDefault("HOME", System.getProperty("user.home", "."));
        return new DevNodes(environment, named.isBlank() ? Path.of(home, ".holdfast", "dev") : Path.of(named));
    }

    private boolean isSet(String variable) {
        return !environment.getOrDefault(variable, "").isBlank();
    }

    public Path directory() {
        return directory;
    }

    public List<FleetNode> status() {
        return saying(fleet::status);
    }

    /** Starts nodes until this many are up. */
    public List<FleetNode> up(int count) {
        return saying(() -> fleet.up(count));
    }

    public void down() {
        saying(() -> {
            fleet.down();
            return true;
        });
    }

    public FleetNode kill(int number) {
        return change(number, fleet::kill);
    }

    public FleetNode pause(int number) {
        return change(number, fleet::pause);
    }

    public FleetNode resume(int number) {
        return change(number, fleet::resume);
    }

    public FleetNode restart(int number, boolean forget) {
        return change(number, index -> fleet.restart(index, forget));
    }

    /**
     * Returns the URIs of all nodes, including those that are down, so that a majority stays a majority. If none is up, starts them and reports that
     * on standard error.
     */
    List<String> uris() {
        List<FleetNode> nodes = status();
        if (nodes.stream().allMatch(node -> node.state() == State.GONE)) {
            boolean again = !nodes.isEmpty();
            nodes = up(again ? nodes.size() : USUAL);
            Messages.say(
                    again
                            ? "the " + nodes.size()
                                    + " development nodes were down and were restarted; they vote once their"
                                    + " quarantine has ended"
                            : "no nodes were given, so " + USUAL + " development nodes were started; they keep running"
                                    + " until 'holdfast dev down'");
        }
        return nodes.stream().map(node -> node.uri().toString()).toList();
    }

    /** A step on one existing node. */
    private interface Change {

        FleetNode apply(int index);
    }

    private FleetNode change(int number, Change change) {
        List<Integer> known = status().stream().map(node -> node.index() + 1).toList();
        if (!known.contains(number)) {
            throw Failure.usage("there is no development node " + number
                    + (known.isEmpty() ? ": none is up, see 'holdfast dev up'" : "; there are " + known));
        }
        return saying(() -> change.apply(number - 1));
    }

    /** Returns the failure of a folder that cannot be used, and the remedy if the user chose the folder. */
    Failure unusable(String what, Path folder, UncheckedIOException e) {
        String problem = what + ", " + folder + ", " + FileProblem.ofFolder(Objects.requireNonNull(e.getCause()));
        return isSet(FOLDER)
                ? new Failure(ExitCode.USAGE, problem + "; set " + FOLDER + " to another folder, or unset it", e)
                : new Failure(ExitCode.INTERNAL, problem, e);
    }

    private <T> T saying(Supplier<T> work) {
        try {
            return work.get();
        } catch (RedisStartException e) {
            String why = String.valueOf(e.getMessage()).strip().replaceAll("\\s*\\R\\s*", " | ");
            String problem = "a development node failed to start: ";
            if (!isSet(SERVER)) {
                throw new Failure(ExitCode.INTERNAL, problem + why, e);
            }
            String full = why.startsWith(SERVER)
                    ? why
                    : SERVER + "=" + environment.get(SERVER)
                            + " must be the path of a redis-server or valkey-server, or be unset [" + why + "]";
            throw new Failure(ExitCode.USAGE, problem + full, e);
        } catch (UncheckedIOException e) {
            throw unusable("the folder of the development nodes", directory, e);
        } catch (IllegalStateException e) {
            throw new Failure(ExitCode.USAGE, String.valueOf(e.getMessage()), e); // such as pausing a node that is down
        }
    }
}
