package dev.holdfast.benchmarks.world;

import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.redis.process.OsProcess;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM with clients of one side, so that the compiler optimizes for that side alone. Not thread-safe. */
public final class WorkerProcess implements Worker {

    /** The JVM options, the same for all sides. */
    public static final List<String> JVM_OPTIONS = List.of("-Xms256m", "-Xmx1g", "-XX:+UseG1GC");

    private static final long END_WITHIN_SECONDS = 10;

    private final String name;
    private final Process process;
    private final OsProcess handle;
    private final BufferedWriter orders;
    private final BufferedReader answers;

    private WorkerProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        handle = OsProcess.endingWithThisJvm(process.toHandle());
        orders = process.outputWriter(StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts a worker; its other output goes to the file. */
    public static WorkerProcess start(Side side, ClientOptions options, List<String> nodes, Path log) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(List.of(
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerMain.class.getName(),
                side.name(),
                Long.toString(options.ttlMillis())));
        command.addAll(nodes);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            return new WorkerProcess(side.title, process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void tell(Order order) {
        try {
            orders.write(order.line());
            orders.newLine();
            orders.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " has ended", e);
        }
    }

    @Override
    public Answer answer() {
        try {
            String line = answers.readLine();
            if (line == null) {
                throw new IllegalStateException(name + " ended without an answer");
            }
            return Answer.of(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalStateException e) {
            throw new IllegalStateException(name + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void kill() {
        handle.kill();
    }

    @Override
    public void end() {
        try {
            orders.close();
        } catch (IOException e) {
            // The process has already ended.
        }
    }

    @Override
    public void close() {
        end();
        try {
            if (process.waitFor(END_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        handle.kill();
    }
}
