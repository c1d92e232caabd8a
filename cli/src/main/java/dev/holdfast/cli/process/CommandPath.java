package dev.holdfast.cli.process;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Printable;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The path lookup of commands, which follows {@code execvp}. With it, {@code run} and {@code elect} reject a command that cannot be run before they acquire a lock. */
public final class CommandPath {

    private CommandPath() {}

    /**
     * Checks that a command can be run, as far as that is visible without running it.
     *
     * @throws Failure with 127 if it does not exist, 126 if it is not executable
     */
    public static void require(String command, String path) {
        String shown = "'" + Printable.line(command, 200) + "'";
        List<Path> found = candidates(command, path).filter(Files::exists).toList();
        if (found.isEmpty()) {
            throw new Failure(ExitCode.NO_COMMAND, "command not found: " + shown);
        }
        if (found.stream().noneMatch(CommandPath::isRunnable)) {
            String why = Files.isDirectory(found.get(0)) ? "it is a directory" : "permission denied";
            throw new Failure(ExitCode.CANNOT_RUN, "command cannot be run: " + shown + ": " + why);
        }
    }

    /** Returns the first program of this name on the path. */
    static Optional<Path> find(String command, String path) {
        return candidates(command, path).filter(CommandPath::isRunnable).findFirst();
    }

    private static Stream<Path> candidates(String command, String path) {
        try {
            return command.isEmpty() || command.contains("/")
                    ? Stream.of(command).filter(c -> !c.isEmpty()).map(Path::of)
                    : Stream.of(path.split(File.pathSeparator, -1)).map(folder -> Path.of(folder, command));
        } catch (InvalidPathException e) {
            return Stream.empty();
        }
    }

    private static boolean isRunnable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}
