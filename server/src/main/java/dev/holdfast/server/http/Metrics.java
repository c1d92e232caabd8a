package dev.holdfast.server.http;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.server.event.Event;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.lease.LeaseTimes;
import dev.holdfast.server.lease.Leases;
import dev.holdfast.server.log.Logs;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.node.Cluster;
import dev.holdfast.server.node.NodeClients;
import dev.holdfast.server.node.NodeWatch;
import dev.holdfast.server.reload.Reloads;
import dev.holdfast.server.session.Sessions;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.time.Ticker;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The server's metrics, in the text format of Prometheus. No text of a client becomes a label. Thread-safe. */
public final class Metrics implements AutoCloseable {

    static final String TYPE = "text/plain";

    private static final String PREFIX = "holdfast.server.";
    private static final Duration[] LATENCIES = durations(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000);
    private static final Duration[] WAITS =
            durations(10, 100, 1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000);

    private final PrometheusMeterRegistry registry;
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final MultiGauge nodeUp;
    private final MultiGauge nodeQuarantined;
    private @Nullable NodeWatch nodes;

    public Metrics(Ticker ticker) {
        registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), clock(ticker));
        collections.bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        nodeUp = MultiGauge.builder(PREFIX + "node.up")
                .description("Whether a node votes: 1 or 0.")
                .register(registry);
        nodeQuarantined = MultiGauge.builder(PREFIX + "node.quarantined")
                .description("Whether a node is in quarantine: 1 or 0.")
                .register(registry);
    }

    private static Clock clock(Ticker ticker) {
        return new Clock() {
            @Override
            public long wallTime() {
                return ticker.wallMillis();
            }

            @Override
            public long monotonicTime() {
                return ticker.nanos();
            }
        };
    }

    private static Duration[] durations(long... millis) {
        return Arrays.stream(millis).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }

    private <T> void gauge(String name, String help, T source, ToDoubleFunction<T> value) {
        gauge(name, help, Tags.empty(), source, value);
    }

    private <T> void gauge(String name, String help, Tags tags, T source, ToDoubleFunction<T> value) {
        Gauge.builder(PREFIX + name, source, value)
                .description(help)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private <T> void counter(String name, String help, Tags tags, T source, ToDoubleFunction<T> value) {
        FunctionCounter.builder(PREFIX + name, source, value)
                .description(help)
                .tags(tags)
                .register(registry);
    }

    private Timer timer(String name, String help, Tags tags, Duration... buckets) {
        return Timer.builder(PREFIX + name)
                .description(help)
                .tags(tags)
                .serviceLevelObjectives(buckets)
                .register(registry);
    }

    /** Adds the metrics of leases and waiters, and of their durations. */
    public void watch(Leases leases) {
        gauge("leases", "Leases that clients hold.", leases, Leases::held);
        gauge("waiting", "Requests that wait for a lock.", leases, Leases::waiting);
        Timer holds = timer("hold", "How long a lease lasted, from its grant to its end.", Tags.empty(), WAITS);
        String help = "How long an acquire took, from the request to the grant or the refusal.";
        Timer grants = timer("acquire", help, Tags.of("outcome", "granted"), WAITS);
        Timer refusals = timer("acquire", help, Tags.of("outcome", "refused"), WAITS);
        leases.onTimes(new LeaseTimes() {
            @Override
            public void acquired(boolean granted, long nanos) {
                (granted ? grants : refusals).record(nanos, TimeUnit.NANOSECONDS);
            }

            @Override
            public void held(long nanos) {
                holds.record(nanos, TimeUnit.NANOSECONDS);
            }
        });
    }

    public void watch(Sessions sessions, NodeClients clients) {
        gauge("sessions", "Sessions that are open.", sessions, Sessions::count);
        gauge("node.clients", "Clients that use this server as a node.", clients, NodeClients::count);
    }

    /** Adds the metrics of the cluster to which this server belongs. */
    public void watch(Cluster cluster) {
        cluster.addMetrics(registry);
    }

    public void watch(NodeWatch watched) {
        nodes = watched;
        gauge("majority", "Whether a majority of the nodes votes: 1 or 0.", watched, all -> all.hasMajority() ? 1 : 0);
    }

    public void watch(EventLog events) {
        for (Event.Type type : Event.Type.values()) {
            Tags tags = Tags.of("type", Json.word(type));
            counter("events", "Events, as /v1/events reports them.", tags, events, log -> log.count(type));
        }
    }

    public void watch(Connections connections) {
        String help = "Connections that the server closed early.";
        gauge("connections", "Connections that are open.", connections, Connections::count);
        counter("connections.closed", help, Tags.of("why", "too-many"), connections, Connections::crowdedOut);
        counter("connections.closed", help, Tags.of("why", "too-slow"), connections, Connections::tooSlowOnes);
    }

    public void watch(Logs logs) {
        logs.lost()
                .keySet()
                .forEach(log -> counter(
                        "log.lines.lost",
                        "Lines that could not be written.",
                        Tags.of("log", log),
                        logs,
                        all -> all.lost().getOrDefault(log, 0L)));
    }

    /** Adds the metrics of changed files. */
    public void watch(Reloads reloads, @Nullable TlsFiles tls) {
        String help = "Reloads of changed files, by whether the new content is in use or was rejected.";
        for (String what : reloads.results().keySet()) {
            Tags tags = Tags.of("what", what);
            counter(
                    "reloads",
                    help,
                    tags.and("outcome", "done"),
                    reloads,
                    all -> all.result(what).done());
            counter(
                    "reloads",
                    help,
                    tags.and("outcome", "refused"),
                    reloads,
                    all -> all.result(what).refused());
            gauge(
                    "reload.failed",
                    "Whether the last change was rejected: 1 or 0.",
                    tags,
                    reloads,
                    all -> all.result(what).last() == Reloads.Outcome.REFUSED ? 1 : 0);
        }
        if (tls != null) {
            gauge(
                    "certificate.end.seconds",
                    "When the certificate in use expires, in seconds since 1970-01-01T00:00Z.",
                    tls,
                    files -> files.end().getEpochSecond());
        }
    }

    /** Counts an answered request. */
    void answered(String route, int status, long nanos) {
        Counter.builder(PREFIX + "requests")
                .description("Requests that were answered.")
                .tag("route", route)
                .tag("status", String.valueOf(status))
                .register(registry)
                .increment();
        timer(
                        "request",
                        "How long a request took, including the wait of an acquire.",
                        Tags.of("route", route),
                        LATENCIES)
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Returns all metrics as text. */
    String text() {
        if (nodes != null) {
            List<NodeStatus> statuses = nodes.latest();
            nodeUp.register(rows(statuses, NodeStatus.State.UP), true);
            nodeQuarantined.register(rows(statuses, NodeStatus.State.QUARANTINED), true);
        }
        return registry.scrape();
    }

    private static List<MultiGauge.Row<?>> rows(List<NodeStatus> statuses, NodeStatus.State state) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        statuses.forEach(
                status -> rows.add(MultiGauge.Row.of(Tags.of("node", status.name()), status.state() == state ? 1 : 0)));
        return rows;
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
