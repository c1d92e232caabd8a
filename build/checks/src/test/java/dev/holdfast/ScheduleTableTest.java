package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every schedule of docs/explanation/guarantees.md has tests, and the table there names all of them. */
class ScheduleTableTest {

    private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
    private static final Set<Integer> NOT_IN_USE = Set.of(20, 22);
    private static final Pattern ROW = Pattern.compile("(?m)^\\| S(\\d+) \\|.*\\|([^|]*)\\|$");
    private static final Pattern NAMED = Pattern.compile("`(\\w+)\\.(s\\d\\d_\\w+)`");

    /** A method of a schedule behind an annotation that makes it a test. */
    private static final Pattern TEST =
            Pattern.compile("@(?:Parameterized)?Test\\b(?:(?!\\bvoid ).)*?\\bvoid (s(\\d\\d)_\\w+)\\(", Pattern.DOTALL);

    private static final Pattern ANY_SCHEDULE = Pattern.compile("\\bvoid (s\\d\\d_\\w+)\\(");

    /** Maps the number of each schedule to its {@code Class.method}. */
    private static Map<Integer, Set<String>> inTheTable() throws IOException {
        Map<Integer, Set<String>> tests = new TreeMap<>();
        String text = Files.readString(PROJECT.resolve("docs/explanation/guarantees.md"));
        for (MatchResult row : ROW.matcher(text).results().toList()) {
            tests.put(
                    Integer.valueOf(row.group(1)),
                    NAMED.matcher(row.group(2))
                            .results()
                            .map(named -> named.group(1) + "." + named.group(2))
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
        return tests;
    }

    private static Map<Integer, Set<String>> inTheSources() {
        Map<Integer, Set<String>> tests = new TreeMap<>();
        for (Path file : testSources()) {
            for (MatchResult test : TEST.matcher(text(file)).results().toList()) {
                tests.computeIfAbsent(Integer.valueOf(test.group(2)), number -> new TreeSet<>())
                        .add(className(file) + "." + test.group(1));
            }
        }
        return tests;
    }

    private static List<Path> testSources() {
        return ModulePom.all().stream()
                .map(module -> PROJECT.resolve(module.folder()).resolve("src/test/java"))
                .filter(Files::isDirectory)
                .flatMap(ScheduleTableTest::filesIn)
                .filter(file -> file.toString().endsWith("Test.java"))
                .toList();
    }

    private static Stream<Path> filesIn(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.toList().stream();
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

    private static String className(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    @Test
    void everyScheduleHasATestThatTheTableNames() throws IOException {
        List<Integer> numbers = IntStream.rangeClosed(1, 32)
                .boxed()
                .filter(number -> !NOT_IN_USE.contains(number))
                .toList();

        assertThat(inTheTable()).containsOnlyKeys(numbers).isEqualTo(inTheSources());
    }

    @Test
    void whatIsNamedLikeAScheduleIsRunAsATest() throws IOException {
        for (Path file : testSources()) {
            assertThat(ANY_SCHEDULE.matcher(text(file)).results().map(method -> method.group(1)))
                    .as("in %s", file)
                    .hasSameElementsAs(TEST.matcher(text(file))
                            .results()
                            .map(method -> method.group(1))
                            .toList());
        }
    }
}
