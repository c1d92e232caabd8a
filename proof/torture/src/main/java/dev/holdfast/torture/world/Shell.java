package dev.holdfast.torture.world;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Programs of the operating system that set up machines and networks. */
final class Shell {

    private Shell() {}

    /**
     * Runs a program to its end, and returns what it printed.
     *
     * @throws IllegalStateException if it fails, with what it printed
     */
    static String run(String input, List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.onExit().join().exitValue() != 0) {
                throw new IllegalStateException(String.join(" ", command) + ": " + printed.strip());
            }
            return printed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String run(String... command) {
        return run("", List.of(command));
    }
}
