package dev.holdfast.benchmarks.world;

import dev.holdfast.redis.process.OsProcess;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One server of a {@link Trio}, and its costs as Linux reports them. Not thread-safe. */
final class TrioMember {

    private static final Pattern WRITTEN = Pattern.compile("(?m)^write_bytes: ([0-9]+)$");
    private static final Pattern COMPILER = Pattern.compile("\\(C[12] Compiler.*\\) .*");
    private static final double TICKS_PER_SECOND = 100;
    private static final int USER_TIME = 11; // fields after the name of the thread
    private static final int SYSTEM_TIME = 12;

    private final Process process;
    private final OsProcess handle;

    private TrioMember(Process process) {
        this.process = process;
        handle = OsProcess.endingWithThisJvm(process.toHandle());
    }

    /** Starts a server; its output goes to the file. */
    static TrioMember start(ProcessBuilder command, Path log) throws IOException {
        return new TrioMember(command.redirectInput(Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .start());
    }

    /** Returns a command that runs this main class with the class path and the heap of workers. */
    static ProcessBuilder java(List<String> properties, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(WorkerProcess.JVM_OPTIONS);
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        command.addAll(properties);
        command.add(main);
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        return builder;
    }

    boolean isRunning() {
        return handle.isRunning();
    }

    void kill() {
        handle.kill();
    }

    double cpuMicros() {
        return ServerProcess.cpuMicros(process);
    }

    double writtenBytes() {
        Matcher written = WRITTEN.matcher(text(proc("io")));
        return written.find() ? Double.parseDouble(written.group(1)) : 0;
    }

    double compilerSeconds() {
        try (Stream<Path> threads = Files.list(proc("task"))) {
            return threads.map(thread -> text(thread.resolve("stat")))
                    .filter(stat -> COMPILER.matcher(stat).find())
                    .mapToDouble(TrioMember::seconds)
                    .sum();
        } catch (IOException e) {
            return 0;
        }
    }

    private static double seconds(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Double.parseDouble(fields[USER_TIME]) + Double.parseDouble(fields[SYSTEM_TIME])) / TICKS_PER_SECOND;
    }

    private Path proc(String file) {
        return Path.of("/proc", Long.toString(process.pid()), file);
    }

    /** Returns the text of a file; empty if there is none, such as that of a thread that has ended. */
    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
