package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboard, the alerts and the docs name series that a server has. Series of clients are looked up in the module micrometer. */
class ObservedSeriesTest {

    private static final Path DOCS = Path.of("../docs");
    private static final Pattern NAMED = Pattern.compile("\\bholdfast_server_[a-z_]+");
    private static final Pattern SCRAPED = Pattern.compile("^holdfast_server_[a-z_]+", Pattern.MULTILINE);

    /** There only with TLS; its own test is in {@link ServerTlsTest}. */
    private static final String OF_TLS = "holdfast_server_certificate_end_seconds";

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> scraped() {
        return found(SCRAPED, liveScrape());
    }

    private static String liveScrape() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            http.acquire("{'lock':'a'}").is(201);
            return http.get("/metrics").is(200).response().body() + OF_TLS + " 1.0\n";
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "observability/grafana-dashboard.json",
                "observability/alerts.yaml",
                "observability/alerts.test.yaml"
            })
    void everySeriesIsThere(String file) throws IOException {
        assertThat(scraped()).containsAll(found(NAMED, Files.readString(DOCS.resolve(file))));
    }

    /** Checks each label that a query selects, groups by or shows: the series has it in a live scrape, with every value that the query writes out. */
    @ParameterizedTest
    @ValueSource(strings = {"observability/grafana-dashboard.json", "observability/alerts.yaml"})
    void everyQueryNamesLabelsThatAreThere(String file) throws IOException {
        List<ServerQuery> queries = ServerQuery.in(Files.readString(DOCS.resolve(file)));
        String scrape = liveScrape();

        assertThat(queries).hasSizeGreaterThan(6);
        for (ServerQuery query : queries) {
            assertThat(query.missingFrom(scrape)).as("missing for %s", query).isEmpty();
        }
    }

    @Test
    void aQueryForWhatIsNotThereIsNoticed() {
        String scrape = "a_total{type=\"lost\",other=\"x\"} 1.0\nb_total 2.0\n";

        assertThat(new ServerQuery("sum by (type) (rate(a_total{type=~\"lost|gone\"}[5m]))", "{{type}}")
                        .missingFrom(scrape))
                .containsExactly("a_total{type=\"gone\"}");
        assertThat(new ServerQuery("max by (kind, job) (a_total) / max(b_total{type=\"lost\"})", "{{job}} {{what}}")
                        .missingFrom(scrape))
                .containsExactly("a_total{kind}", "b_total{type=\"lost\"}", "{{what}}");
        assertThat(new ServerQuery("c_total > 1", "").missingFrom(scrape)).containsExactly("c_total");
        assertThat(new ServerQuery("sum by (other) (a_total{instance=~\"$server\"}) > 0", "{{other}}")
                        .missingFrom(scrape))
                .isEmpty();
    }

    /** The docs name the families of series: a histogram, and not its buckets. */
    @Test
    void theDocsNameEverySeries() throws IOException {
        Set<String> families = scraped().stream()
                .map(name -> name.replaceFirst("_(bucket|count|sum|max)$", ""))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(found(NAMED, Files.readString(DOCS.resolve("reference/server.md"))))
                .containsAll(families);
    }
}
