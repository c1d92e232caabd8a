package dev.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.Holdfast;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Grafana dashboard and the alerts query series that exist. The server module tests the server's metrics at a running server. */
class DashboardTest {

    private static final Path FOLDER = Path.of("../../docs/observability");
    private static final Pattern SERIES = Pattern.compile("\\bholdfast_(?!server_)[a-z_]+");
    private static final Pattern SCRAPED = Pattern.compile("^holdfast_[a-z_]+", Pattern.MULTILINE);
    private static final Pattern TAG_VALUES = Pattern.compile("(outcome|reason)(=~|!~|!=|=)\\\\?\"([a-z|-]+)");

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String scraped() throws Exception {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        HoldfastMetrics metrics = new HoldfastMetrics(registry);
        try (Holdfast holdfast =
                Holdfast.builder().nodes("memory:").observer(metrics).connect()) {
            metrics.watchNodes(holdfast);
            holdfast.lock("x").acquire(Duration.ofSeconds(1)).close();
            return registry.scrape();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"grafana-dashboard.json", "alerts.yaml", "alerts.test.yaml"})
    void everySeriesIsThere(String file) throws Exception {
        String text = Files.readString(FOLDER.resolve(file));
        Set<String> there = found(SCRAPED, scraped());

        Set<String> asked = found(SERIES, text);
        assertThat(asked).hasSizeGreaterThan(5);
        assertThat(there).containsAll(asked);
    }

    @ParameterizedTest
    @ValueSource(strings = {"grafana-dashboard.json", "alerts.yaml", "alerts.test.yaml"})
    void everyOutcomeAndReasonIsOne(String file) throws Exception {
        String there = scraped();

        TAG_VALUES.matcher(Files.readString(FOLDER.resolve(file))).results().forEach(match -> {
            for (String value : match.group(3).split("\\|")) {
                assertThat(there).as("%s of %s", match.group(), file).contains(match.group(1) + "=\"" + value + "\"");
            }
        });
    }

    /** Where Prometheus's tool is installed. */
    @Test
    void theAlertsFireWhenTheyShouldAndElseNot() throws Exception {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, "promtool"))),
                "promtool is not installed");

        assertThat(promtool("check", "rules", "alerts.yaml")).contains("SUCCESS");
        assertThat(promtool("test", "rules", "alerts.test.yaml")).contains("SUCCESS");
    }

    private static String promtool(String... args) throws IOException, InterruptedException {
        String[] command = new String[args.length + 1];
        command[0] = "promtool";
        System.arraycopy(args, 0, command, 1, args.length);
        Process process = new ProcessBuilder(command)
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
