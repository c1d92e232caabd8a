package dev.holdfast.redis.process;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A program of this machine that a fault needs and that may be missing. */
record Program(Path path) {

    /** The directories of administrators' programs, which the {@code PATH} of many users lacks. */
    private static final String FOR_ADMINISTRATORS = "/usr/sbin" + File.pathSeparator + "/sbin";

    /** The output of a program, standard output and standard error together, and its exit status. */
    record Said(int status, String text) {

        boolean isGood() {
            return status == 0;
        }
    }

    /** Returns the first of these programs that is on the {@code PATH}. */
    static Optional<Program> find(String... names) {
        String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + FOR_ADMINISTRATORS;
        return Arrays.stream(names)
                .flatMap(name -> onPath(path, name))
                .findFirst()
                .map(Program::new);
    }

    private static Stream<Path> onPath(String path, String name) {
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file));
    }

    /** Runs the program and waits until it ends. */
    Said run(String... args) throws IOException {
        return runWith("", args);
    }

    /** Runs the program with this text as its standard input, and waits until it ends. */
    Said runWith(String input, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(path.toString()));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (OutputStream to = process.getOutputStream()) {
            to.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // The program ended without reading all of its input; its exit status says whether it failed.
        }
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Waiting.require(
                RedisConsole.DEFAULT_TIMEOUT,
                () -> path + " closed its output but did not end",
                () -> !process.isAlive());
        return new Said(process.exitValue(), text.strip());
    }
}
