package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/recipes.md shows is what the build compiles: each block of Java names the example that it is from. */
class RecipesDocTest {

    private static final Path ROOT = Path.of("..");
    private static final String FROM = "From [";
    private static final Pattern LINK = Pattern.compile("From \\[(\\w+)]\\(\\.\\./(examples/[\\w/]+\\.java)\\)");

    @Test
    void showsTheExamplesAsTheyAre() throws IOException {
        List<String> page = Files.readAllLines(ROOT.resolve("docs/recipes.md"));
        String example = "";
        int blocks = 0;
        for (int line = 0; line < page.size(); line++) {
            if (page.get(line).startsWith(FROM)) {
                Matcher link = LINK.matcher(page.get(line));
                assertThat(link.matches()).as(page.get(line)).isTrue();
                assertThat(link.group(2)).endsWith("/" + link.group(1) + ".java");
                example = link.group(2);
            } else if (page.get(line).equals("```java")) {
                List<String> shown = new ArrayList<>();
                for (line++; !page.get(line).equals("```"); line++) {
                    shown.add(page.get(line));
                }
                assertThat(marked(example))
                        .as("%s, as docs/recipes.md shows it", example)
                        .contains(shown);
                blocks++;
            }
        }
        assertThat(blocks).isGreaterThanOrEqualTo(8);
    }

    /** The parts of an example between its marks, without their indentation. */
    private static List<List<String>> marked(String example) throws IOException {
        List<List<String>> parts = new ArrayList<>();
        boolean within = false;
        for (String line : Files.readAllLines(ROOT.resolve(example))) {
            if (line.contains("recipe:begin")) {
                parts.add(new ArrayList<>());
                within = true;
            } else if (line.contains("recipe:end")) {
                within = false;
            } else if (within) {
                parts.get(parts.size() - 1).add(line.isEmpty() ? line : line.substring("        ".length()));
            }
        }
        return parts;
    }
}
