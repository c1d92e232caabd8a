package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.redis.process.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ./holdfast} in a folder without sources, where it builds nothing. */
class HoldfastScriptTest {

    @TempDir
    Path home;

    private void install() throws IOException {
        Path jars = Path.of(Launcher.COMMAND.get(Launcher.COMMAND.indexOf("-cp") + 1))
                .getParent();
        Files.copy(Path.of("../holdfast"), home.resolve("holdfast"));
        Path installed = Files.createDirectories(home.resolve(".holdfast/cli"));
        try (Stream<Path> files = Files.list(jars)) {
            for (Path jar :
                    files.filter(file -> file.toString().endsWith(".jar")).toList()) {
                Files.createSymbolicLink(installed.resolve(jar.getFileName()), jar.toRealPath());
            }
        }
    }

    private void assertSaysItsVersionAndNothingElse() throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(List.of("sh", home.resolve("holdfast").toString(), "--version"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Path output = home.resolve("output");
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();

        assertThat(process.waitFor()).isZero();
        assertThat(Files.readAllLines(output)).singleElement().asString().startsWith("holdfast ");
    }

    @Test
    void worksWithoutArchives() throws Exception {
        install();

        assertSaysItsVersionAndNothingElse();
    }

    @Test
    void anArchiveThatThisJvmCannotUseChangesNothing() throws Exception {
        install();
        Files.writeString(home.resolve(".holdfast/cli/classes.jsa"), "no archive");

        assertSaysItsVersionAndNothingElse();
    }

    @Test
    void theCommandGetsVariablesThatItsOwnShellDrops() throws Exception {
        install();
        Path output = home.resolve("output");
        try (RedisProcess server = RedisProcess.start()) {
            ProcessBuilder builder = new ProcessBuilder(
                    "sh",
                    home.resolve("holdfast").toString(),
                    "run",
                    "--node",
                    server.uri().toString(),
                    "environment",
                    "--",
                    "env");
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            builder.environment().put("spring.datasource.url", "a\nb é");
            builder.environment().put("LC_ALL", "C.UTF-8");
            Process process = builder.redirectOutput(output.toFile()).start();

            assertThat(process.waitFor()).isZero();
        }
        assertThat(Files.readString(output))
                .contains("spring.datasource.url=a\nb é\n")
                .doesNotContain("HOLDFAST_DROPPED");
    }
}
