package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            http.acquire("{'lock':'a'}").is(201);
            Set<String> there =
                    found(SCRAPED, http.get("/metrics").is(200).response().body());
            there.add(OF_TLS);
            return there;
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
