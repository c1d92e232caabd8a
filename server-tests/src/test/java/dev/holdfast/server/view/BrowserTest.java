package dev.holdfast.server.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The dashboard in a real Chromium: runs the tests of {@code server-tests/browser}, which look at the page as people do. Skipped where Node.js, Chromium or
 * playwright-core is missing; {@code HOLDFAST_CHROMIUM} names another browser.
 */
@Tag("slow")
class BrowserTest {

    private static final Path FOLDER = Path.of("browser").toAbsolutePath();
    private static final int PATIENCE_MINUTES = 8;
    private static final int OLDEST_NODE = 20;

    private static Lab lab;

    /** Their output, also when they passed: they measure, too. */
    private static final Path TOLD = Path.of("target", "browser").toAbsolutePath();

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(isNewEnough("node"), "skipped: there is no Node.js (node) of version " + OLDEST_NODE + " or later");
        assumeTrue(Files.isExecutable(chromium()), "skipped: there is no Chromium at " + chromium());
        assumeTrue(
                Files.isDirectory(FOLDER.resolve("node_modules/axe-core")),
                "skipped: playwright-core and axe-core are not installed; run 'npm ci' in server-tests/browser");
        lab = new Lab(folder);
    }

    @AfterAll
    static void stop() {
        if (lab != null) {
            lab.close();
        }
    }

    private static Path chromium() {
        return Path.of(System.getenv().getOrDefault("HOLDFAST_CHROMIUM", "/usr/bin/chromium"));
    }

    private static boolean isNewEnough(String node) {
        try {
            Process process = new ProcessBuilder(node, "--version")
                    .redirectErrorStream(true)
                    .start();
            String version = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0
                    && version.matches("(?s)v[0-9]+[.].*")
                    && Integer.parseInt(version.substring(1, version.indexOf('.'))) >= OLDEST_NODE;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the names of the tests, or with {@code make pictures} only that which takes the pictures of the docs. */
    static List<String> names() {
        return System.getenv("HOLDFAST_PICTURES") == null
                ? List.of(
                        "lanes", "seeing", "losing", "rights", "using", "asking", "timeline", "axe", "many", "cluster")
                : List.of("pictures");
    }

    @ParameterizedTest
    @MethodSource("names")
    void thePageIsAsItShouldBe(String name) throws Exception {
        Path output = Files.createDirectories(TOLD).resolve(name + ".txt");
        ProcessBuilder builder = new ProcessBuilder(List.of("node", "--test", name + ".test.mjs"))
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment()
                .putAll(Map.of(
                        "HOLDFAST_LAB",
                        lab.uri().toString(),
                        "HOLDFAST_CHROMIUM",
                        chromium().toString(),
                        "HOLDFAST_OPERATOR",
                        Lab.OPERATOR,
                        "HOLDFAST_READER",
                        Lab.READER));
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES);
            String told = Files.readString(output);
            assertThat(ended).as("ended in time%n%s", told).isTrue();
            assertThat(process.exitValue()).as("%s", told).isZero();
            assertThat(told).contains("# fail 0").doesNotContain("# pass 0");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
