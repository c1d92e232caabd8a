package dev.holdfast.benchmarks.world;

import dev.holdfast.redis.process.OsProcess;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A lock server in a JVM of its own. Not thread-safe. */
public final class ServerProcess implements AutoCloseable {

    private final Process process;
    private final OsProcess handle;
    private final BufferedWriter orders;
    private final BufferedReader answers;
    private final URI uri;

    private ServerProcess(Process process) throws IOException {
        this.process = process;
        handle = OsProcess.endingWithThisJvm(process.toHandle());
        orders = process.outputWriter(StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
        uri = URI.create(answer());
    }

    /** Starts a lock server in front of these nodes; its other output goes to the file. */
    public static ServerProcess start(List<String> nodes, Path log) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(WorkerProcess.JVM_OPTIONS);
        command.addAll(List.of(
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                ServerMain.class.getName()));
        command.addAll(nodes);
        try {
            return new ServerProcess(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the lock server ended without an answer");
        }
        return line;
    }

    /** Returns its address. */
    public URI uri() {
        return uri;
    }

    /** Returns the size of its heap after a collection, in bytes. */
    public long heapBytes() {
        return ask(ServerMain.Question.HEAP);
    }

    /** Returns the time of its compiler's threads so far, in milliseconds. */
    public long compilerMillis() {
        return ask(ServerMain.Question.COMPILER);
    }

    private long ask(ServerMain.Question question) {
        try {
            orders.write(question.name());
            orders.newLine();
            orders.flush();
            return Long.parseLong(answer());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns its processor time so far, in microseconds. */
    public double cpuMicros() {
        return cpuMicros(process);
    }

    /** Returns the processor time of a process; 0 if the system does not report it. */
    static double cpuMicros(Process process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e3;
    }

    @Override
    public void close() {
        handle.kill();
    }
}
