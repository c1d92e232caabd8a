package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every page states the figures of the torture reports, which are the only sources of them. */
class TortureFiguresTest {

    private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
    private static final String REPORT = "torture-report.md";
    private static final Path REPORTS = PROJECT.resolve("docs/reference");

    /** A count of a run: one with a thousands separator, one of four digits or more, or both of a share. */
    private static final Pattern COUNT =
            Pattern.compile("\\b(\\d{1,3}(?:,\\d{3})+|\\d{4,})\\b|\\b(\\d[\\d,]*) of (\\d[\\d,]*)\\b");

    private static final Pattern ABOUT = Pattern.compile("torture[ -](?:report|run)");
    private static final Pattern LINK = Pattern.compile("torture-report[a-z-]*[.]md");

    private static List<String> cells(String row) {
        return Arrays.stream(row.split("\\|"))
                .skip(1)
                .map(cell -> cell.strip().replace(",", ""))
                .toList();
    }

    private static List<String> row(String text, String start) {
        List<String> rows = text.lines()
                .filter(line -> line.startsWith("| " + start + " |"))
                .toList();
        assertThat(rows).as("rows that begin with '%s'", start).hasSize(1);
        return cells(rows.get(0));
    }

    @Test
    void c17_theGuaranteesStateTheFiguresOfTheTortureReport() throws IOException {
        String report = Files.readString(REPORTS.resolve(REPORT));
        String page = Files.readString(PROJECT.resolve("docs/explanation/guarantees.md"));

        // report: phase, promised, violations, double holders, stale unguarded, stale guarded, lost updates,
        // acquisitions
        List<String> textbook = row(report, "textbook, under the assumptions");
        assertThat(row(page, "textbook Redlock").subList(1, 4))
                .containsExactly(textbook.get(7), textbook.get(3), textbook.get(4));
        assertThat(row(page, "textbook Redlock").get(5)).isEqualTo(textbook.get(6));

        List<String> holdfast = row(report, "Holdfast, under the assumptions");
        assertThat(row(page, "Holdfast, token not checked").subList(1, 4))
                .containsExactly(holdfast.get(7), holdfast.get(3), holdfast.get(4));
        assertThat(row(page, "Holdfast, token not checked").get(5)).isEqualTo(holdfast.get(6));
        List<String> checked = row(page, "Holdfast, token checked at the resource");
        assertThat(List.of(checked.get(1), checked.get(2), checked.get(4)))
                .containsExactly(holdfast.get(7), holdfast.get(3), holdfast.get(5));
    }

    /** Each line about torture may state only counts of the reports that it links to, or of the first one if it links to none. */
    @Test
    void c17_noPageStatesAnotherCountForTheRunOfTheTortureReport() throws IOException {
        for (Path page : pages()) {
            for (String line : Files.readString(page).lines().toList()) {
                if (ABOUT.matcher(line).find()) {
                    assertThat(reported(line))
                            .as("%s: %s", page, line)
                            .containsAll(counts(line.replaceAll("\\]\\([^)]*\\)", "")));
                }
            }
        }
    }

    private static Set<String> reported(String line) throws IOException {
        Set<String> reports =
                LINK.matcher(line).results().map(MatchResult::group).collect(Collectors.toSet());
        Set<String> numbers = new TreeSet<>();
        for (String report : reports.isEmpty() ? Set.of(REPORT) : reports) {
            Pattern.compile("\\d+")
                    .matcher(Files.readString(REPORTS.resolve(report)))
                    .results()
                    .forEach(number -> numbers.add(number.group()));
        }
        assertThat(numbers).as("%s", reports).hasSizeGreaterThan(50);
        return numbers;
    }

    private static Set<String> counts(String text) {
        return COUNT.matcher(text)
                .results()
                .flatMap(TortureFiguresTest::numbers)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> numbers(MatchResult found) {
        return Stream.of(found.group().split(" of ")).map(number -> number.replace(",", ""));
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(PROJECT.resolve("docs"))) {
            return Stream.concat(files, Stream.of(PROJECT.resolve("README.md")))
                    .filter(file -> file.toString().endsWith(".md")
                            && !LINK.matcher(file.getFileName().toString()).matches())
                    .filter(file -> !file.startsWith(PROJECT.resolve("docs/decisions")))
                    .toList();
        }
    }
}
