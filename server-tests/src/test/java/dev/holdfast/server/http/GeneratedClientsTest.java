package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.server.AccessToken;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Right;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients that OpenAPI Generator makes from the server's document. Maven generates them, and rejects an invalid document. This class compiles each client with a
 * short program of {@code server-tests/clients}, and lets the program use a live server.
 */
@Tag("slow")
class GeneratedClientsTest {

    private static final Path PROGRAMS = Path.of("clients").toAbsolutePath();
    private static final Path GENERATED = Path.of("target", "clients").toAbsolutePath();
    private static final String SECRET = "generated-clients-0123456789abcdef";

    private static LockServer server;

    @BeforeAll
    static void start() {
        server = LockServer.builder()
                .port(0)
                .tokens(List.of(new AccessToken("generated", SECRET, List.of("generated:"), EnumSet.of(Right.ACQUIRE))))
                .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theJavaClientAcquiresExtendsAndReleases() throws Exception {
        Path classes = Files.createDirectories(GENERATED.resolve("java-classes"));
        String libraries = System.getProperty("java.class.path");
        List<String> arguments =
                new ArrayList<>(List.of("-proc:none", "-nowarn", "-cp", libraries, "-d", classes.toString()));
        arguments.add(PROGRAMS.resolve("java/TryClient.java").toString());
        arguments.addAll(filesBelow(GENERATED.resolve("java/src/main/java"), ".java"));

        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .as("the generated client compiles; see the output of this test")
                .isZero();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        assertUses(run(GENERATED, java, "-cp", classes + File.pathSeparator + libraries, "TryClient", uri(), SECRET));
    }

    @Test
    void theTypeScriptClientAcquiresExtendsAndReleases() throws Exception {
        Path compiler = PROGRAMS.resolve("typescript/node_modules/typescript/bin/tsc");
        assumeTrue(
                Files.exists(compiler),
                "skipped: TypeScript is not installed; run 'npm ci' in server-tests/clients/typescript");
        Path folder = GENERATED.resolve("typescript");
        for (String file : List.of("try-client.ts", "tsconfig.json", "package.json")) {
            Files.copy(
                    PROGRAMS.resolve("typescript").resolve(file),
                    folder.resolve(file),
                    StandardCopyOption.REPLACE_EXISTING);
        }

        run(folder, "node", compiler.toString(), "--project", ".", "--outDir", "out");
        assertUses(run(folder, "node", "out/try-client.js", uri(), SECRET));
    }

    private static String uri() {
        return server.uri().toString();
    }

    private static void assertUses(String output) {
        assertThat(output).containsPattern("acquired, extended and released with tokens [0-9]+ and [0-9]+");
    }

    private static List<String> filesBelow(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(ending))
                    .toList();
        }
    }

    /** Runs a command that has to end with 0, and returns its output. */
    private static String run(Path folder, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(GENERATED, "output", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(2, TimeUnit.MINUTES);
            String text = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(ended).as("%s ended in time%n%s", List.of(command), text).isTrue();
            assertThat(process.exitValue()).as("%s", text).isZero();
            return text;
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(output);
        }
    }
}
