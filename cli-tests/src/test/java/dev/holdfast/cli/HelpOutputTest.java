package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Help, the version and the manual, printed to an output that takes no more. */
class HelpOutputTest {

    @TempDir
    Path folder;

    /** Runs a shell script with the command as {@code "$@"}; returns what it prints. */
    private String run(String script, String option) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
        command.addAll(Launcher.COMMAND);
        command.add(option);
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.waitFor();
        return Files.readString(output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "--version", "man"})
    void aFullDiskIsAnErrorThatIsNamed(String option) throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of("/dev/full")), "/dev/full");

        assertThat(run("\"$@\" > /dev/full; echo $?", option))
                .startsWith("holdfast: standard output cannot be written: ")
                .endsWith("\n74\n")
                .hasLineCount(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "--version", "man"})
    void aReaderThatIsGoneEndsTheCommandAsItEndsOthers(String option) throws Exception {
        assertThat(run("{ { sleep 2; \"$@\"; echo $? >&2; } | true; } 2>&1", option))
                .isEqualTo("141\n");
    }

    @Test
    void helpIsPrintedOnce() throws Exception {
        assertThat(run("\"$@\"", "--help")).containsOnlyOnce("Usage: ");
    }
}
