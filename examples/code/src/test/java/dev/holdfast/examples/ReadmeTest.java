package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The build compiles the code that README shows. */
class ReadmeTest {

    private static final Path ROOT = Path.of("../..");

    @Test
    void showsTheFirstLockAsItIs() throws IOException {
        List<String> source =
                Files.readAllLines(ROOT.resolve("examples/code/src/main/java/dev/holdfast/examples/FirstLock.java"));
        List<String> example = source.subList(indexOf(source, "readme:begin") + 1, indexOf(source, "readme:end"));
        List<String> readme = Files.readAllLines(ROOT.resolve("README.md"));
        int begin = readme.indexOf("```java") + 1;
        List<String> shown = readme.subList(begin, begin + example.size());

        assertThat(shown)
                .containsExactlyElementsOf(example.stream()
                        .map(line -> line.substring("        ".length()))
                        .toList());
        assertThat(readme.get(begin + example.size())).isEqualTo("```");
        assertThat(example).hasSizeLessThanOrEqualTo(8);
    }

    @Test
    void namesCommandsThatAreThere() throws IOException {
        assertThat(Files.readString(ROOT.resolve("README.md")))
                .contains("./mvnw verify")
                .contains("./holdfast run");
        assertThat(ROOT.resolve("mvnw")).isExecutable();
        assertThat(ROOT.resolve("holdfast")).isExecutable();
        assertThat(Files.readString(ROOT.resolve(".ci/run"))).contains("./mvnw").contains("verify");
    }

    private static int indexOf(List<String> lines, String mark) {
        return (int) lines.stream().takeWhile(line -> !line.contains(mark)).count();
    }
}
