package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/**
 * Checks of the test reports in {@code target/surefire-reports}: slow classes carry the tag, and no test that CI must run was skipped. This module is built
 * last, so the reports of the others exist.
 */
class BuildReportsTest {

    private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
    private static final double LONGEST_SECONDS = 5;

    /** The classes of which every test must have run. {@code .ci/run} names them, depending on what it has found or installed. */
    private static final Set<String> REQUIRED =
            Set.of(System.getProperty("holdfast.required.tests", "").split(","));

    /** One class of tests. */
    private record Report(String module, String name, double seconds, int skipped) {

        String simpleName() {
            return name.substring(name.lastIndexOf('.') + 1);
        }

        boolean isTaggedSlow() {
            Path source = PROJECT.resolve(module)
                    .resolve("src/test/java")
                    .resolve(name.replaceAll("\\$.*", "").replace('.', '/') + ".java");
            try {
                return !Files.exists(source) || Files.readString(source).contains("@Tag(\"slow\")");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static List<Report> reports() throws IOException {
        List<Report> reports = new ArrayList<>();
        for (ModulePom module : ModulePom.all()) {
            Path folder = PROJECT.resolve(module.folder()).resolve("target/surefire-reports");
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.list(folder)) {
                    files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                            .map(file -> read(module.folder(), file))
                            .forEach(reports::add);
                }
            }
        }
        return reports;
    }

    private static Report read(String module, Path file) {
        try {
            Element suite = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getDocumentElement();
            return new Report(
                    module,
                    suite.getAttribute("name"),
                    Double.parseDouble(suite.getAttribute("time")),
                    Integer.parseInt(suite.getAttribute("skipped")));
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalStateException("no readable report in " + file, e);
        }
    }

    /** Returns the limit for a test class: 5 s on an idle machine, and longer in proportion to the load of the machine. */
    private static double longestSeconds() throws IOException {
        return LONGEST_SECONDS * 2 * Math.max(load() / Runtime.getRuntime().availableProcessors(), 1);
    }

    /** Returns how many threads wanted a processor in the last minute, or in the last quarter of an hour if that is known and there were more. */
    private static double load() throws IOException {
        double lastMinute = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        Path loads = Path.of("/proc/loadavg");
        return !Files.isReadable(loads)
                ? lastMinute
                : Arrays.stream(Files.readString(loads).split(" "))
                        .limit(3)
                        .mapToDouble(Double::parseDouble)
                        .max()
                        .orElse(lastMinute);
    }

    @Test
    void aClassThatTakesLongIsTaggedSlow() throws IOException {
        double longest = longestSeconds();

        assertThat(reports().stream().filter(report -> report.seconds > longest && !report.isTaggedSlow()))
                .as("classes above %.1f s without @Tag(\"slow\"), which `make test` leaves out", longest)
                .isEmpty();
    }

    @Test
    void whatCiMustRunWasNotSkipped() throws IOException {
        List<Report> reports = reports();
        for (String required : REQUIRED) {
            if (!required.isEmpty()) {
                assertThat(reports.stream().filter(report -> report.simpleName().equals(required)))
                        .as("%s must run here, as all it needs is there", required)
                        .isNotEmpty()
                        .allMatch(report -> report.skipped == 0);
            }
        }
    }
}
