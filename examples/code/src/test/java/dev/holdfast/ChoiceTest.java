package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The comparison in docs/guides/choose-a-setup.md: each cell links to the test that shows it, or says that there is none, and each figure is one of the
 * report. {@link DocsTest} checks that the tests exist.
 */
class ChoiceTest {

    private static final Path DOCS = Path.of("../../docs").toAbsolutePath().normalize();
    private static final int SETUPS = 4;

    private static final Pattern TEST = Pattern.compile("]\\([^)]*Test\\.java(#\\w+)?\\)");
    private static final Pattern NO_TEST = Pattern.compile("\\bno test\\b|^does not apply");
    private static final Pattern LINK = Pattern.compile("]\\([^)]*\\)");
    private static final Pattern REPORT = Pattern.compile("]\\(\\.\\./benchmarks/README\\.md#[\\w-]+\\)");
    private static final Pattern FIGURE = Pattern.compile("\\d[\\d,.]*\\d");

    /** The rows of the table below a heading, each with its cells behind the first. */
    private static List<List<String>> table(String page, String heading) {
        String part = page.substring(page.indexOf("\n### " + heading + "\n") + 1);
        int end = part.indexOf("\n#");
        return part.substring(0, end < 0 ? part.length() : end)
                .lines()
                .filter(line -> line.startsWith("| **"))
                .map(line -> Stream.of(line.substring(2).split("\\|"))
                        .map(String::strip)
                        .skip(1)
                        .toList())
                .toList();
    }

    private static boolean hasTest(String cell) {
        return TEST.matcher(cell).find() || NO_TEST.matcher(cell).find();
    }

    /** Returns the figures of a cell that the report does not have; all of them if the cell links to nothing. */
    private static List<String> unknownFigures(String cell, String report) {
        String text = LINK.matcher(cell).replaceAll("]");
        boolean isLinked = LINK.matcher(cell).find();
        boolean isOfTheReport = REPORT.matcher(cell).find();
        List<String> unknown = new ArrayList<>();
        FIGURE.matcher(text).results().map(figure -> figure.group()).forEach(figure -> {
            Pattern whole = Pattern.compile("(?<![\\d,.])" + Pattern.quote(figure) + "(?![\\d,.]*\\d)");
            if (!isLinked || (isOfTheReport && !whole.matcher(report).find())) {
                unknown.add(figure);
            }
        });
        return unknown;
    }

    private static String read(String file) throws IOException {
        return Files.readString(DOCS.resolve(file));
    }

    @Test
    void everyCellNamesItsTest() throws IOException {
        String page = read("guides/choose-a-setup.md");
        for (String heading : List.of("Guarantees", "Assumptions", "When something fails")) {
            List<List<String>> rows = table(page, heading);
            assertThat(rows).as(heading).hasSizeGreaterThanOrEqualTo(3);
            for (List<String> cells : rows) {
                assertThat(cells).as(heading).hasSize(SETUPS).allMatch(ChoiceTest::hasTest, "has a test");
            }
        }
    }

    @Test
    void everyFigureIsOneOfTheReport() throws IOException {
        String report = read("benchmarks/README.md");
        List<List<String>> rows = table(read("guides/choose-a-setup.md"), "Cost");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(4);
        for (List<String> cells : rows) {
            assertThat(cells).hasSize(SETUPS);
            for (String cell : cells) {
                assertThat(unknownFigures(cell, report)).as(cell).isEmpty();
            }
        }
    }

    @Test
    void aCellWithoutATestOrWithAnOldFigureIsNoticed() {
        String page = "\n### One\n\n| | a | b |\n|---|---|---|\n| **row** | x: [test](../A.java) | y |\n\n## Two\n";
        String report = "20,396 (18,824) and 12.5";

        assertThat(table(page, "One")).containsExactly(List.of("x: [test](../A.java)", "y"));
        assertThat(hasTest("x: [test](../A.java)")).isFalse();
        assertThat(hasTest("y: [test](../ATest.java#does)")).isTrue();
        assertThat(hasTest("y (no test)")).isTrue();
        assertThat(unknownFigures("20,396 and 12.5: [report](../benchmarks/README.md#a)", report))
                .isEmpty();
        assertThat(unknownFigures("20,39 and 12: [report](../benchmarks/README.md#a)", report))
                .containsExactly("20,39", "12");
        assertThat(unknownFigures("12.5", report)).containsExactly("12.5");
    }
}
