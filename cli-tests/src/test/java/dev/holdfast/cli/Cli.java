package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/** Starts the command line as users do: as a process of its own. The extension ends all processes that still run at the end. */
public final class Cli implements AutoCloseable {

    public static final Duration PATIENCE = Duration.ofSeconds(60);

    /** For commands that ask every node but once: how long an answer may take where the machine has much else to do. */
    public static final String SLOW_NODES = "--node-timeout=10s";

    private static final String PATIENT = "connect-timeout = 30s";

    private final Path folder;
    private final Map<String, String> environment = new TreeMap<>();
    private final List<Running> started = new ArrayList<>();
    private boolean terminal;

    /** A command line whose home is this folder. */
    public Cli(Path folder) {
        this.folder = folder;
        environment.put("HOME", folder.toString());
        environment.put("HOLDFAST_DEV_DIR", folder.resolve("dev").toString());
    }

    public Cli nodes(List<URI> nodes) {
        return with("HOLDFAST_NODES", nodes.stream().map(URI::toString).collect(Collectors.joining(",")));
    }

    /**
     * From now on connecting may take its time, as it does where the machine has much else to do.
     *
     * @param others what else is to be in the config file, a line each
     */
    public Cli patient(String... others) {
        try {
            Path config =
                    Files.writeString(folder.resolve("patient.properties"), PATIENT + "\n" + String.join("\n", others));
            return with("HOLDFAST_CONFIG", config.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Cli with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** From now on at a terminal of its own; what is printed there is its output, errors too. */
    public Cli atTerminal() {
        terminal = true;
        return this;
    }

    /** Runs a command to its end. */
    public Running run(String... arguments) {
        Running running = start(arguments);
        running.exitCode();
        return running;
    }

    public Running start(String... arguments) {
        List<String> command = new ArrayList<>(Launcher.COMMAND);
        command.addAll(List.of(arguments));
        if (terminal) {
            String line = command.stream()
                    .map(word -> "'" + word.replace("'", "'\\''") + "'")
                    .collect(Collectors.joining(" ", "exec ", ""));
            command = List.of("script", "-q", "-e", "-c", line, "/dev/null");
        }
        try {
            Path out = Files.createTempFile(folder, "out", ".txt");
            Path err = Files.createTempFile(folder, "err", ".txt");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
            builder.environment().remove("JAVA_TOOL_OPTIONS");
            builder.environment().putAll(environment);
            Running running = new Running(String.join(" ", arguments), builder.start(), out, err);
            started.add(running);
            return running;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        started.forEach(running -> running.process.destroyForcibly());
        started.forEach(running -> running.process.onExit().join());
    }

    /** One run of the command line. */
    public static final class Running {

        private final String shown;
        private final Process process;
        private final Path out;
        private final Path err;

        Running(String shown, Process process, Path out, Path err) {
            this.shown = shown;
            this.process = process;
            this.out = out;
            this.err = err;
        }

        public long pid() {
            return process.pid();
        }

        /** Waits for its end. */
        public int exitCode() {
            try {
                assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .as("%s ends; %s", shown, this)
                        .isTrue();
                return process.exitValue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        public String out() {
            return read(out);
        }

        public String err() {
            return read(err);
        }

        /** Waits until it has printed so many lines, and gives them. */
        public List<String> awaitLines(int count) {
            Awaitility.await(shown + " prints " + count + " lines")
                    .atMost(PATIENCE)
                    .failFast(
                            "it ended too soon",
                            () -> !process.isAlive() && out().lines().count() < count)
                    .until(() -> out().chars().filter(c -> c == '\n').count() >= count);
            return out().lines().toList();
        }

        public void type(String text) {
            try {
                OutputStream in = process.getOutputStream();
                in.write(text.getBytes(StandardCharsets.UTF_8));
                in.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        public void endInput() {
            try {
                process.getOutputStream().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        public void signal(String name) {
            Processes.signal(name, pid());
        }

        private static String read(Path file) {
            try {
                return Files.readString(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String toString() {
            return "out:\n" + out() + "err:\n" + err();
        }
    }
}
