package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The build compiles and runs the code on these pages: each block of Java or Kotlin names the example that it is from. */
class ShownCodeTest {

    private static final Path ROOT = Path.of("../..");
    private static final String FROM = "From [";
    private static final Pattern LINK =
            Pattern.compile("From \\[(\\w+)]\\((?:\\.\\./)+([a-z/-]+/src/[\\w/]+\\.(java|kt))\\)");

    private static final String OMITTED = " // not shown";

    @ParameterizedTest
    @CsvSource({
        "docs/guides/recipes.md, 8",
        "docs/guides/migrating.md, 8",
        "docs/guides/kotlin.md, 6",
        "docs/tutorials/first-lock-redis.md, 1"
    })
    void showsTheExamplesAsTheyAre(String name, int blocksAtLeast) throws IOException {
        check(name, blocksAtLeast, false);
    }

    /** Pages of which only some blocks are from examples. */
    @ParameterizedTest
    @CsvSource({"docs/guides/spring-boot.md, 4", "docs/guides/cdi.md, 2"})
    void showsTheNamedExamplesAsTheyAre(String name, int blocksAtLeast) throws IOException {
        check(name, blocksAtLeast, true);
    }

    private static void check(String name, int blocksAtLeast, boolean namedOnly) throws IOException {
        List<String> page = Files.readAllLines(ROOT.resolve(name));
        String example = "";
        int blocks = 0;
        for (int line = 0; line < page.size(); line++) {
            if (page.get(line).startsWith(FROM)) {
                Matcher link = LINK.matcher(page.get(line));
                assertThat(link.matches()).as(page.get(line)).isTrue();
                assertThat(link.group(2)).endsWith("/" + link.group(1) + "." + link.group(3));
                example = link.group(2);
            } else if (page.get(line).equals("```java") || page.get(line).equals("```kotlin")) {
                List<String> shown = new ArrayList<>();
                for (line++; !page.get(line).equals("```"); line++) {
                    shown.add(page.get(line));
                }
                if (namedOnly && example.isEmpty()) {
                    continue;
                }
                assertThat(marked(example))
                        .as("%s, as %s shows it", example, name)
                        .contains(shown);
                blocks++;
                example = namedOnly ? "" : example;
            }
        }
        assertThat(blocks).isGreaterThanOrEqualTo(blocksAtLeast);
    }

    /** Returns the parts of an example between its marks, without their indentation. */
    private static List<List<String>> marked(String example) throws IOException {
        List<List<String>> parts = new ArrayList<>();
        boolean within = false;
        int indentation = 0;
        for (String line : Files.readAllLines(ROOT.resolve(example))) {
            if (line.contains("recipe:begin") || line.contains("readme:begin")) {
                parts.add(new ArrayList<>());
                within = true;
                indentation = line.indexOf("//");
            } else if (line.contains("recipe:end") || line.contains("readme:end")) {
                within = false;
            } else if (within && !line.endsWith(OMITTED)) {
                parts.get(parts.size() - 1).add(line.isEmpty() ? line : line.substring(indentation));
            }
        }
        return parts;
    }
}
