package dev.holdfast.redis.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts a class of the tests in a process of its own. */
final class Jvm {

    private Jvm() {}

    static Process start(Class<?> main, Path log, List<String> args) {
        return start(main, log, args, System.getProperty("java.class.path"));
    }

    static Process start(Class<?> main, Path log, List<String> args, String classPath) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                classPath,
                main.getName()));
        command.addAll(args);
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
