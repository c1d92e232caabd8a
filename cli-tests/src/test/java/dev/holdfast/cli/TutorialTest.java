package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.OsProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the shell commands of the tutorials in their order, as a newcomer does. Only the launcher is replaced, by one that runs the command line
 * from this build's class path, so that no build runs within the build.
 */
@Tag("slow")
class TutorialTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path TUTORIALS = ROOT.resolve("docs/tutorials");
    private static final Pattern COMMANDS = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");
    private static final String CLASS_PATH = Stream.of(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    private Path folder;

    @Test
    void theCommandsOfTheRedisTutorialWork() throws Exception {
        String output = run(commands("first-lock-redis.md").replace("'cli/target/lib/*'", "\"$CLASS_PATH\""));

        assertThat(output)
                .contains("working with token ")
                .containsSubsequence("first: token ", "second: token ")
                .contains("still working with token ")
                .contains("order 42 saved with token ");
        assertThat(token(output, "first: token ")).isLessThan(token(output, "second: token "));
    }

    @Test
    void theCommandsOfTheServerTutorialWork() throws Exception {
        String port = Integer.toString(FreePort.pick());
        String output = run("export HOLDFAST_SERVER=http://localhost:" + port + "\n"
                + commands("first-lock-server.md").replace("7420", port) + "\necho finished\n");

        assertThat(output)
                .contains("\"token\":")
                .contains("urn:holdfast:problem:held")
                .contains("\"outcome\":\"released\"")
                .contains("working with token ")
                .contains("finished");
    }

    private static String commands(String page) throws IOException {
        return COMMANDS.matcher(Files.readString(TUTORIALS.resolve(page)))
                .results()
                .map(block -> block.group(1))
                .collect(Collectors.joining("\n"))
                .replace(" examples/", " " + ROOT + "/examples/");
    }

    private static long token(String output, String before) {
        List<MatchResult> found = Pattern.compile(Pattern.quote(before) + "(\\d+)")
                .matcher(output)
                .results()
                .toList();
        return Long.parseLong(found.get(0).group(1));
    }

    /** The output of a script, which must end with 0. All processes that it starts have ended by then, or the test ends them. */
    private String run(String commands) throws Exception {
        Path launcher = Files.writeString(
                folder.resolve("holdfast"),
                Launcher.COMMAND.stream().collect(Collectors.joining("' '", "#!/bin/sh\nexec '", "' \"$@\"\n")));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
        Path script = Files.writeString(
                folder.resolve("script"),
                "set -e\ntrap './holdfast dev down > /dev/null 2>&1; kill $(jobs -p) 2> /dev/null || true' EXIT\n"
                        + commands);
        Path log = folder.resolve("log");
        ProcessBuilder builder = new ProcessBuilder("bash", script.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("CLASS_PATH", CLASS_PATH);
        builder.environment().put("PATH", Path.of(JAVA).getParent() + File.pathSeparator + System.getenv("PATH"));
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("HOLDFAST_DEV_DIR", folder.resolve("dev").toString());
        builder.environment().remove("HOLDFAST_NODES");
        Process process = builder.start();
        OsProcess.endingWithThisJvm(process.toHandle());
        boolean ended = process.waitFor(4, TimeUnit.MINUTES);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        String output = Files.readString(log);
        assertThat(ended && process.exitValue() == 0).as(output).isTrue();
        return output;
    }
}
