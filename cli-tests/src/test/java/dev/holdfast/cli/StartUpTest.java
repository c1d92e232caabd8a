package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.redis.process.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The classes that a start loads. It counts them, since a time would depend on the machine: loading takes most of a short command. */
class StartUpTest {

    private static final String ARCHIVED = "shared objects file";
    private static final Pattern OF_THE_JDK = Pattern.compile("^(java|javax|jdk|sun|com\\.sun)\\.");

    @TempDir
    Path folder;

    /** The classes that a run loads, each with its source. */
    private List<String> loadedBy(String... arguments) throws IOException, InterruptedException {
        Path log = folder.resolve("loaded.txt");
        List<String> command = new ArrayList<>(Launcher.COMMAND);
        command.add(1, "-Xlog:class+load:file=" + log + ":none");
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.txt").toFile())
                .start();
        assertThat(process.waitFor()).as(() -> "exit code of " + command).isZero();
        return Files.readAllLines(log).stream()
                .filter(line -> line.contains(" source: "))
                .toList();
    }

    private static List<String> outsideOfTheArchives(List<String> loaded) {
        return loaded.stream().filter(line -> !line.contains(ARCHIVED)).toList();
    }

    /** The classes of Holdfast and its libraries. The JVM adds a thousand of its own, and a newer one more of them. */
    private static List<String> withoutThoseOfTheJdk(List<String> loaded) {
        return loaded.stream().filter(line -> !OF_THE_JDK.matcher(line).find()).toList();
    }

    private static List<String> unused(List<String> loaded, String... prefixes) {
        return loaded.stream()
                .filter(line -> Stream.of(prefixes).anyMatch(line::startsWith))
                .toList();
    }

    @Test
    void e25_theVersionLoadsNoCommand() throws Exception {
        List<String> loaded = loadedBy("--version");

        assertThat(unused(loaded, "dev.holdfast.cli.command.RunCommand ", "dev.holdfast.Holdfast "))
                .isEmpty();
        assertThat(loaded.size()).as("classes").isLessThan(Runtime.version().feature() < 24 ? 1_400 : 1_600);
        assertThat(withoutThoseOfTheJdk(loaded)).hasSizeLessThan(250);
        assertThat(outsideOfTheArchives(loaded)).hasSizeLessThan(60);
    }

    @Test
    void e25_statusLoadsNothingThatItDoesNotUse() throws Exception {
        try (RedisProcess server = RedisProcess.start()) {
            List<String> loaded = loadedBy("--node", server.uri().toString(), "status", "stock");

            assertThat(unused(
                            loaded,
                            "dev.holdfast.cli.command.ServeCommand ",
                            "java.text.DecimalFormat ",
                            "jdk.jfr.internal.EventWriter ",
                            "io.lettuce.core.dynamic."))
                    .isEmpty();
            assertThat(loaded.size()).as("classes").isLessThan(4_200);
            assertThat(withoutThoseOfTheJdk(loaded)).hasSizeLessThan(2_200);
            assertThat(outsideOfTheArchives(loaded)).hasSizeLessThan(200);
        }
    }

    @Test
    void e25_runLoadsNothingThatItDoesNotUse() throws Exception {
        try (RedisProcess server = RedisProcess.start()) {
            List<String> loaded =
                    loadedBy("run", "--node", server.uri().toString(), "--ttl", "2s", "stock", "--", "true");

            assertThat(unused(
                            loaded,
                            "dev.holdfast.internal.observe.RecorderObserver$LockWaitEvent ",
                            "jdk.jfr.internal.EventWriter ",
                            "java.lang.runtime.ObjectMethods "))
                    .isEmpty();
            assertThat(loaded.size()).as("classes").isLessThan(4_300);
            assertThat(withoutThoseOfTheJdk(loaded)).hasSizeLessThan(2_300);
            assertThat(outsideOfTheArchives(loaded)).hasSizeLessThan(200);
        }
    }
}
