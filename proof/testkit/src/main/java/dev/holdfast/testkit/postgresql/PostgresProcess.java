package dev.holdfast.testkit.postgresql;

import dev.holdfast.redis.process.OsProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A PostgreSQL server in a process of its own, which was started before: by another program, or as a standby of another server. For Linux and macOS, and
 * for one thread.
 */
public final class PostgresProcess implements AutoCloseable {

    private static final Duration START_WITHIN = Duration.ofMinutes(2);
    private static final Duration CHANGE_WITHIN = Duration.ofMinutes(1);
    private static final int STATE_AT = 16; // in the control file of all versions, after its id and two version numbers
    private static final int IN_PRODUCTION = 6;
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    private final Path data;
    private boolean paused;

    private PostgresProcess(Path data) {
        this.data = data;
    }

    /** Returns the server of a data directory, which was started at least once. */
    public static PostgresProcess of(Path data) {
        return new PostgresProcess(data);
    }

    /** Returns the port at which the server listens. */
    public int port() {
        List<String> command = command();
        return Integer.parseInt(command.get(command.indexOf("-p") + 1));
    }

    /** Returns the process id of the server, which runs. */
    public long pid() {
        return Long.parseLong(lines("postmaster.pid").get(0).strip());
    }

    /** Returns whether the server's main process exists. */
    public boolean isRunning() {
        return postmaster().isPresent();
    }

    private Optional<ProcessHandle> postmaster() {
        if (!Files.exists(data.resolve("postmaster.pid"))) {
            return Optional.empty();
        }
        return ProcessHandle.of(pid()).filter(ProcessHandle::isAlive);
    }

    /** Kills all processes of the server with SIGKILL, as a crash of its machine does. Has no effect if it does not run. */
    public void kill() {
        paused = false;
        postmaster().ifPresent(postmaster -> {
            List<ProcessHandle> all = all(postmaster);
            all.forEach(ProcessHandle::destroyForcibly);
            all.forEach(
                    process -> await("the end of process " + process.pid(), CHANGE_WITHIN, () -> !process.isAlive()));
        });
    }

    /** Stops all processes of the server with SIGSTOP. */
    public void pause() {
        paused = true;
        postmaster().ifPresent(postmaster -> all(postmaster).forEach(process -> signal("STOP", process)));
    }

    /** Resumes all processes of the server with SIGCONT. */
    public void resume() {
        paused = false;
        postmaster().ifPresent(postmaster -> all(postmaster).forEach(process -> signal("CONT", process)));
    }

    /** Returns the main process first, so that it starts no other one in the meantime. */
    private static List<ProcessHandle> all(ProcessHandle postmaster) {
        return Stream.concat(Stream.of(postmaster), postmaster.children()).toList();
    }

    private static void signal(String name, ProcessHandle process) {
        run(List.of("kill", "-" + name, Long.toString(process.pid())), false);
    }

    /** Starts the server after {@link #kill}. Returns once it accepts connections. */
    public void restart() {
        long end = System.nanoTime() + START_WITHIN.toNanos();
        while (true) { // the memory of the killed server may still be in use
            Process process = launch();
            await("the start of the server in " + data, START_WITHIN, () -> !process.isAlive() || isReady());
            if (process.isAlive()) {
                OsProcess.endingWithThisJvm(process.toHandle());
                return;
            }
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("the server in " + data + " does not start; see " + log());
            }
        }
    }

    private Process launch() {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U")); // a server refuses to run as root
        }
        command.addAll(command());
        try {
            Files.deleteIfExists(data.resolve("postmaster.pid"));
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path log() {
        return data.resolveSibling(data.getFileName() + ".log");
    }

    private boolean isReady() {
        return List.of("ready", "standby").contains(status());
    }

    /** Returns what the server says of itself; empty if it says nothing yet. */
    private String status() {
        if (!Files.exists(data.resolve("postmaster.pid"))) {
            return "";
        }
        List<String> lines = lines("postmaster.pid");
        return lines.size() < 8 ? "" : lines.get(7).strip();
    }

    /** Returns whether {@link #pause} has stopped the server. */
    public boolean isPaused() {
        return paused;
    }

    /**
     * Kills this server, copies its data, and starts it again, and the copy as a hot standby that follows it.
     *
     * @param copy the data directory of the standby, which does not exist yet
     * @param name the name under which the standby connects
     * @param port a free port
     */
    public PostgresProcess standby(Path copy, String name, int port) {
        kill();
        run(List.of("cp", "-a", data.toString(), copy.toString()), true);
        try {
            Files.deleteIfExists(copy.resolve("postmaster.pid"));
            Files.createFile(copy.resolve("standby.signal"));
            Files.writeString(
                    copy.resolve("postgresql.auto.conf"),
                    "primary_conninfo = 'host=localhost port=" + port() + " user=postgres application_name=" + name
                            + "'\n",
                    StandardOpenOption.APPEND);
            String options = Files.readString(data.resolve("postmaster.opts"))
                    .replace("\"" + data + "\"", "\"" + copy + "\"")
                    .replace("\"" + port() + "\"", "\"" + port + "\"");
            Files.writeString(copy.resolve("postmaster.opts"), options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        restart();
        PostgresProcess standby = new PostgresProcess(copy);
        standby.restart();
        return standby;
    }

    /** Promotes the server, a hot standby, to a primary. Returns once it accepts writes. */
    public void promote() {
        ProcessHandle postmaster = postmaster().orElseThrow();
        try {
            Files.createFile(data.resolve("promote"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        signal("USR1", postmaster);
        await("the promotion in " + data, CHANGE_WITHIN, () -> status().equals("ready") && isInProduction());
    }

    /** Returns whether the server's control file says that it accepts writes. The status of a hot standby is "ready" before its promotion too. */
    private boolean isInProduction() {
        try (InputStream control = Files.newInputStream(data.resolve("global/pg_control"))) {
            ByteBuffer begin = ByteBuffer.wrap(control.readNBytes(STATE_AT + Integer.BYTES));
            return begin.order(ByteOrder.nativeOrder()).getInt(STATE_AT) == IN_PRODUCTION;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the server without a word, and deletes its data. */
    @Override
    public void close() {
        resume();
        kill();
        run(List.of("rm", "-rf", data.toString()), true);
    }

    /** Returns the command line of the last start. */
    private List<String> command() {
        List<String> command = new ArrayList<>();
        Matcher words = WORD.matcher(lines("postmaster.opts").get(0));
        while (words.find()) {
            command.add(words.group(1) == null ? words.group(2) : words.group(1));
        }
        return command;
    }

    private List<String> lines(String file) {
        try {
            return Files.readAllLines(data.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(List<String> command, boolean mustSucceed) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0 && mustSucceed) {
                throw new IllegalStateException(command + ": " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(String what, Duration within, BooleanSupplier condition) {
        long end = System.nanoTime() + within.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(what + " took more than " + within.toSeconds() + " s");
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
