package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cluster.ClusterConfig;
import dev.holdfast.server.node.ServedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboard, the alerts and the docs name series that a server has. Series of clients are looked up in the module micrometer. */
class ObservedSeriesTest {

    private static final Path DOCS = Path.of("../docs");
    private static final Pattern NAMED = Pattern.compile("\\bholdfast_server_[a-z_]+");
    private static final Pattern SCRAPED = Pattern.compile("^holdfast_server_[a-z_]+", Pattern.MULTILINE);

    /** There only with TLS; its own test is in {@link ServerTlsTest}. */
    private static final String OF_TLS = "holdfast_server_certificate_end_seconds";

    private static final List<String> SERVERS = List.of("a", "b", "c");
    private static final String LAG = "holdfast_server_cluster_server_lag{server=\"%s\"}";
    private static final String UP = "holdfast_server_cluster_server_up{server=\"%s\"}";
    private static final int ENTRIES_FOR_A_SNAPSHOT = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private static Path folder;

    private static String ofCluster;

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> scraped() {
        return found(SCRAPED, liveScrape());
    }

    /** Returns the scrape of a server on its own node, and that of a server of a cluster. */
    private static String liveScrape() {
        return alone() + ofCluster;
    }

    @BeforeAll
    static void scrapeACluster() {
        ofCluster = ofCluster();
    }

    private static String ofCluster() {
        try (ServedCluster cluster = new ServedCluster(
                folder, new ClusterConfig.Options(1, Duration.ofSeconds(1), Duration.ofSeconds(1), null))) {
            Http http = cluster.http(cluster.leader());
            for (int i = 0; i < ENTRIES_FOR_A_SNAPSHOT; i++) {
                String lock = "{'lock':'a" + i + "','ttl':'1h'}";
                await().atMost(PATIENCE).until(() -> http.acquire(lock).status() == 201);
            }
            System.gc(); // the registry refers weakly to what some meters read, which must survive this
            return await("the state of all servers, without values that are not known yet")
                    .atMost(PATIENCE)
                    .until(
                            () -> http.get("/metrics").is(200).response().body(),
                            scrape -> SERVERS.stream()
                                            .allMatch(server -> scrape.contains(LAG.formatted(server))
                                                    && scrape.contains(UP.formatted(server) + " 1.0\n"))
                                    && scrape.lines()
                                            .noneMatch(line -> line.startsWith("holdfast_server_cluster")
                                                    && line.endsWith(" NaN")));
        }
    }

    private static String alone() {
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

    /** The values that the docs explain. */
    @Test
    void aClustersLeaderCountsItsEntriesAndItsServers() {
        String scrape = ofCluster;

        assertThat(value(scrape, "holdfast_server_cluster_leads")).isEqualTo(1);
        assertThat(value(scrape, "holdfast_server_cluster_leader_known")).isEqualTo(1);
        assertThat(value(scrape, "holdfast_server_cluster_term")).isPositive();
        assertThat(value(scrape, "holdfast_server_cluster_leader_changes_total"))
                .isPositive();
        assertThat(value(scrape, "holdfast_server_cluster_log_applied")).isPositive();
        assertThat(value(scrape, "holdfast_server_cluster_log_last"))
                .isGreaterThanOrEqualTo(value(scrape, "holdfast_server_cluster_log_committed"));
        assertThat(value(scrape, "holdfast_server_cluster_snapshot_bytes")).isPositive();
        assertThat(value(scrape, "holdfast_server_cluster_snapshot_age_seconds"))
                .isBetween(0.0, (double) PATIENCE.toSeconds());
        assertThat(value(scrape, "holdfast_server_cluster_commit_seconds_count"))
                .isPositive();
        for (String server : SERVERS) {
            assertThat(value(scrape, UP.formatted(server))).isEqualTo(1);
        }
    }

    private static double value(String scrape, String series) {
        return scrape.lines()
                .filter(line -> line.startsWith(series + " "))
                .map(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + series + " in\n" + scrape));
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
