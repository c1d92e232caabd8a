package dev.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The names, types and tags of the metrics, and their values after events. */
class HoldfastMetricsTest {

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final HoldfastMetrics metrics = new HoldfastMetrics(registry);
    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a", builder -> builder.observer(metrics));
    private final FakeClient b = cluster.client("b");

    private static Set<String> described(Iterable<Meter> meters) {
        Set<String> all = new TreeSet<>();
        for (Meter meter : meters) {
            all.add(meter.getId().getName() + " " + meter.getId().getType() + " "
                    + meter.getId().getTags().stream().map(Tag::getKey).toList());
        }
        return all;
    }

    private long acquired(String mode, String outcome) {
        return registry.get("holdfast.lock.acquire")
                .tags("mode", mode, "outcome", outcome)
                .timer()
                .count();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private double seconds(String name, String... tags) {
        return registry.get(name).tags(tags).timer().totalTime(TimeUnit.SECONDS);
    }

    private long count(String name, String... tags) {
        return registry.get(name).tags(tags).timer().count();
    }

    @Test
    void allSeriesAreThereFromTheStart() {
        metrics.watchNodes(a.holdfast(), Duration.ZERO);

        assertThat(described(registry.getMeters()))
                .containsExactlyInAnyOrder(
                        "holdfast.lock.acquire TIMER [mode, outcome]",
                        "holdfast.lock.hold TIMER [mode, outcome]",
                        "holdfast.lock.held GAUGE []",
                        "holdfast.lock.waiting GAUGE []",
                        "holdfast.lock.lost COUNTER [reason]",
                        "holdfast.lock.renewal TIMER [outcome]",
                        "holdfast.lock.remaining TIMER []",
                        "holdfast.node.request TIMER [node, operation, outcome]",
                        "holdfast.node.up GAUGE [node]",
                        "holdfast.node.clock.offset GAUGE [node]",
                        "holdfast.quorum.available GAUGE []");
        assertThat(values("holdfast.lock.acquire", "outcome"))
                .containsExactlyInAnyOrder("acquired", "held", "lost", "no-quorum", "sealed", "cancelled", "closed");
        assertThat(values("holdfast.lock.acquire", "mode")).containsExactlyInAnyOrder("EX", "PR");
        assertThat(values("holdfast.lock.hold", "outcome"))
                .containsExactlyInAnyOrder("released", "sealed", "lost", "kept");
        assertThat(values("holdfast.lock.lost", "reason"))
                .containsExactlyInAnyOrder("expired", "released", "taken", "max-hold");
        assertThat(values("holdfast.lock.renewal", "outcome"))
                .containsExactlyInAnyOrder("extended", "unconfirmed", "lost");
        assertThat(values("holdfast.node.request", "operation"))
                .containsExactlyInAnyOrder("acquire", "extend", "release");
        assertThat(values("holdfast.node.request", "node")).containsExactlyInAnyOrder("fake:A", "fake:B", "fake:C");

        Set<Meter.Id> before = ids();
        cluster.await(a.acquire("x").releaseAsync());
        assertThat(ids()).isEqualTo(before);
    }

    /** docs/reference/observability.md lists each metric with its type and its tags. */
    @Test
    void theyAreDescribedAsTheyAre() throws IOException {
        metrics.watchNodes(a.holdfast(), Duration.ZERO);
        Set<String> documented = new TreeSet<>();
        for (String line : Files.readAllLines(Path.of("../../docs/reference/observability.md"))) {
            if (line.startsWith("| `holdfast.")) {
                String[] cells = line.split("\\|");
                String name = cells[1].replace("`", "").strip();
                documented.add(name + " " + cells[2].strip().toUpperCase(Locale.ROOT) + " ["
                        + cells[3].replace("`", "").strip() + "]");
            }
        }

        assertThat(documented).isEqualTo(described(registry.getMeters()));
    }

    private Set<String> values(String name, String key) {
        return registry.find(name).meters().stream()
                .map(meter -> String.valueOf(meter.getId().getTag(key)))
                .collect(Collectors.toSet());
    }

    private Set<Meter.Id> ids() {
        return registry.getMeters().stream().map(Meter::getId).collect(Collectors.toSet());
    }

    @Test
    void whatIsAcquiredHeldAndReleased() {
        Lease lease = a.acquire("x");
        assertThat(gauge("holdfast.lock.held")).isEqualTo(1);
        cluster.advance(Duration.ofSeconds(2));
        cluster.await(lease.releaseAsync());

        assertThat(acquired("EX", "acquired")).isEqualTo(1);
        assertThat(gauge("holdfast.lock.held")).isZero();
        assertThat(gauge("holdfast.lock.waiting")).isZero();
        assertThat(seconds("holdfast.lock.hold", "mode", "EX", "outcome", "released"))
                .isEqualTo(2);
        assertThat(seconds("holdfast.lock.remaining")).isBetween(27.0, 28.0);
        assertThat(count("holdfast.node.request", "node", "fake:B", "operation", "acquire", "outcome", "granted"))
                .isEqualTo(1);
        assertThat(count("holdfast.node.request", "node", "fake:B", "operation", "release", "outcome", "released"))
                .isEqualTo(1);
    }

    @Test
    void whoWaitsIsCountedMeanwhile() {
        Lease other = b.acquire("x");
        CompletableFuture<Lease> waiting = a.queue("x");
        cluster.advance(Duration.ofSeconds(3));
        assertThat(gauge("holdfast.lock.waiting")).isEqualTo(1);
        cluster.await(other.releaseAsync());
        cluster.await(waiting);

        assertThat(gauge("holdfast.lock.waiting")).isZero();
        assertThat(seconds("holdfast.lock.acquire", "mode", "EX", "outcome", "acquired"))
                .isEqualTo(3);
    }

    @Test
    void refusalsByTheirReason() {
        b.acquire("x");
        a.tryAcquire(a.lock("x").mode(LockMode.PR), Duration.ofSeconds(1));
        a.nodes(0, 1).forEach(node -> node.disconnect("cut"));
        a.tryAcquire("y");
        a.tryAcquire(a.lock("z").mode(LockMode.CW), Duration.ZERO);

        assertThat(acquired("PR", "held")).isEqualTo(1);
        assertThat(acquired("EX", "no-quorum")).isEqualTo(1);
        assertThat(acquired("CW", "no-quorum")).isEqualTo(1);
        assertThat(acquired("CW", "held")).isZero();
        assertThat(gauge("holdfast.lock.waiting")).isZero();
    }

    @Test
    void aLossAndTheRenewalsBeforeIt() {
        a.acquire("x");
        cluster.advance(Duration.ofSeconds(10));
        a.nodes(0, 1).forEach(node -> node.disconnect("cut"));
        cluster.advance(Duration.ofSeconds(31));

        assertThat(registry.get("holdfast.lock.lost")
                        .tag("reason", "expired")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(count("holdfast.lock.hold", "mode", "EX", "outcome", "lost")).isEqualTo(1);
        assertThat(count("holdfast.lock.renewal", "outcome", "extended")).isEqualTo(1);
        assertThat(count("holdfast.lock.renewal", "outcome", "unconfirmed")).isPositive();
        assertThat(gauge("holdfast.lock.held")).isZero();
        assertThat(count("holdfast.lock.remaining")).isZero();
        assertThat(count("holdfast.node.request", "node", "fake:A", "operation", "extend", "outcome", "unavailable"))
                .isPositive();
    }

    @Test
    void nodesAreAskedWhenSomebodyLooks() {
        metrics.watchNodes(a.holdfast(), Duration.ZERO);
        cluster.advance(Duration.ofMillis(1));
        assertThat(gauge("holdfast.quorum.available")).isEqualTo(1);
        assertThat(registry.get("holdfast.node.up")
                        .tag("node", "fake:A")
                        .gauge()
                        .value())
                .isEqualTo(1);
        assertThat(registry.get("holdfast.node.clock.offset")
                        .tag("node", "fake:A")
                        .timeGauge()
                        .value(TimeUnit.SECONDS))
                .isZero();

        a.nodes(0, 1).forEach(node -> node.disconnect("cut"));
        clock.add(Duration.ofMillis(999));
        assertThat(gauge("holdfast.quorum.available"))
                .as("an answer of this second")
                .isEqualTo(1);
        assertThat(registry.get("holdfast.node.up")
                        .tag("node", "fake:A")
                        .gauge()
                        .value())
                .as("a node that has failed within this second")
                .isEqualTo(1);
        clock.add(Duration.ofMillis(1));
        assertThat(gauge("holdfast.quorum.available"))
                .as("an answer that is one second old")
                .isNaN();
        cluster.advance(Duration.ofMillis(1));

        assertThat(gauge("holdfast.quorum.available")).isZero();
        assertThat(registry.get("holdfast.node.up")
                        .tag("node", "fake:A")
                        .gauge()
                        .value())
                .isZero();
        assertThat(registry.get("holdfast.node.up")
                        .tag("node", "fake:C")
                        .gauge()
                        .value())
                .isEqualTo(1);
        assertThat(registry.get("holdfast.node.clock.offset")
                        .tag("node", "fake:A")
                        .timeGauge()
                        .value())
                .isNaN();
    }

    @Test
    void aNodeInQuarantineIsNotUp() {
        metrics.watchNodes(a.holdfast(), Duration.ZERO);
        cluster.advance(Duration.ofMillis(1));
        a.node(0).quarantine(Duration.ofSeconds(60));
        clock.add(Duration.ofSeconds(6));
        gauge("holdfast.quorum.available");
        cluster.advance(Duration.ofMillis(1));

        assertThat(registry.get("holdfast.node.up")
                        .tag("node", "fake:A")
                        .gauge()
                        .value())
                .isZero();
        assertThat(gauge("holdfast.quorum.available")).isEqualTo(1);
    }

    @Test
    void aClientThatIsClosedHasNoQuorum() {
        metrics.watchNodes(a.holdfast(), Duration.ZERO);
        cluster.advance(Duration.ofMillis(1));
        a.holdfast().close();
        clock.add(Duration.ofSeconds(6));

        gauge("holdfast.quorum.available");

        assertThat(gauge("holdfast.quorum.available")).isZero();
    }

    @Test
    void groupsAreATagAndNamesAreNot() {
        SimpleMeterRegistry grouped = new SimpleMeterRegistry();
        FakeClient c = cluster.client(
                "c",
                builder -> builder.observer(new HoldfastMetrics(
                        grouped, Tags.of("client", "orders"), name -> name.substring(0, name.indexOf(':')))));
        for (int i = 0; i < 10; i++) {
            c.acquire("orders:" + i);
            c.acquire("bills:" + i);
        }

        assertThat(grouped.find("holdfast.lock.held").gauges().stream()
                        .sorted(Comparator.comparing(
                                gauge -> String.valueOf(gauge.getId().getTag("group"))))
                        .map(gauge -> gauge.getId().getTag("group") + "=" + gauge.value()))
                .containsExactly("bills=10.0", "orders=10.0", "other=0.0");
        assertThat(grouped.getMeters())
                .allMatch(meter -> "orders".equals(meter.getId().getTag("client")));
    }

    @Test
    void whoseGroupsAreNamesGetsNoMoreThanAFew() {
        SimpleMeterRegistry grouped = new SimpleMeterRegistry();
        FakeClient c = cluster.client(
                "c", builder -> builder.observer(new HoldfastMetrics(grouped, Tags.empty(), name -> name)));
        for (int i = 0; i < 200; i++) {
            c.acquire("x" + i);
        }

        assertThat(grouped.find("holdfast.lock.held").gauges()).hasSize(Groups.MOST);
        assertThat(grouped.get("holdfast.lock.held")
                        .tag("group", "other")
                        .gauge()
                        .value())
                .isEqualTo(200 - (Groups.MOST - 1));
    }

    @Test
    void aFunctionThatFailsHarmsNoLock() {
        FakeClient c = cluster.client(
                "c",
                builder -> builder.observer(new HoldfastMetrics(new SimpleMeterRegistry(), Tags.empty(), name -> {
                    throw new IllegalStateException("no group of " + name);
                })));

        assertThat(c.acquire("x").isHeld()).isTrue();
    }

    @Test
    void aRealClientInPrometheusText() throws Exception {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        HoldfastMetrics shown = new HoldfastMetrics(prometheus);
        try (Holdfast holdfast =
                Holdfast.builder().nodes("memory:").observer(shown).connect()) {
            shown.watchNodes(holdfast);
            holdfast.lock("x").acquire(Duration.ofSeconds(1)).close();
            String text = prometheus.scrape();

            assertThat(text)
                    .contains(
                            "holdfast_lock_acquire_seconds_count{mode=\"EX\",outcome=\"acquired\"} 1",
                            "holdfast_lock_lost_total{reason=\"taken\"} 0.0",
                            "holdfast_lock_held 0.0",
                            "holdfast_node_request_seconds_count{node=\""
                                    + holdfast.admin().nodeNames().get(0)
                                    + "\",operation=\"release\",outcome=\"released\"} 1");
        }
    }
}
