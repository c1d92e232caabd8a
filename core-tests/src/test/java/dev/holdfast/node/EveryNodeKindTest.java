package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every kind of node has a contract test. This test reads the sources, since no module has the tests of all others on its class path. It also sees a
 * new module from its first day.
 */
class EveryNodeKindTest {

    private static final Path ROOT = root();
    private static final String SERVICE = "src/main/resources/META-INF/services/dev.holdfast.node.NodeProvider";

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("mvnw"))) {
            here = here.getParent();
        }
        return here;
    }

    private static List<Path> modules() throws IOException {
        return Pattern.compile("<module>(.*?)</module>")
                .matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(module -> ROOT.resolve(module.group(1)))
                .toList();
    }

    private static List<String> providers() throws IOException {
        return modules().stream()
                .map(module -> module.resolve(SERVICE))
                .filter(Files::exists)
                .flatMap(file -> text(file).lines())
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    private static List<String> contractTests() throws IOException {
        return modules().stream()
                .map(module -> module.resolve("src/test/java"))
                .filter(Files::exists)
                .flatMap(EveryNodeKindTest::javaFiles)
                .map(EveryNodeKindTest::text)
                .filter(source -> source.contains("extends LockNodeContract"))
                .toList();
    }

    private static Stream<Path> javaFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith("Test.java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyKindOfNodeHasAContractTest() throws IOException {
        assertThat(providers()).contains("dev.holdfast.node.MemoryNodeProvider");
        List<String> tests = contractTests();
        for (String provider : providers()) {
            String mark = "@ContractOf(" + provider.substring(provider.lastIndexOf('.') + 1) + ".class)";
            assertThat(tests)
                    .as("a test that extends LockNodeContract and is marked " + mark)
                    .anyMatch(source -> source.contains(mark));
        }
    }

    @Test
    void everyProviderIsFoundByItsService() throws IOException {
        List<String> providers = providers();
        for (Path module : modules()) {
            Path sources = module.resolve("src/main/java");
            if (Files.exists(sources)) {
                try (Stream<Path> files = Files.walk(sources)) {
                    assertThat(files.filter(file -> file.toString().endsWith(".java"))
                                    .filter(file -> text(file).contains("implements NodeProvider"))
                                    .map(file -> sources.relativize(file)
                                            .toString()
                                            .replace(".java", "")
                                            .replace('/', '.')))
                            .as("providers of %s that its service file must name", module.getFileName())
                            .isSubsetOf(providers);
                }
            }
        }
    }
}
