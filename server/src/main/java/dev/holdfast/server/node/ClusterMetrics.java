package dev.holdfast.server.node;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/** The metrics of a cluster, as one of its servers sees it. The names of servers, which operators choose, are labels. Thread-safe. */
final class ClusterMetrics {

    private static final String PREFIX = "holdfast.server.cluster.";

    private static final Duration[] LATENCIES = LongStream.of(
                    250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000)
            .mapToObj(micros -> Duration.ofNanos(micros * 1_000))
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final MultiGauge up;
    private final MultiGauge lag;

    /**
     * Another server of the cluster, or this one.
     *
     * @param up whether it takes part
     * @param lag how many entries of the leader's log it lacks, if that is known
     */
    record Server(String name, boolean up, OptionalLong lag) {}

    ClusterMetrics(MeterRegistry registry) {
        this.registry = registry;
        up = MultiGauge.builder(PREFIX + "server.up")
                .description("Whether a server of the cluster takes part, as this server sees it: 1 or 0.")
                .register(registry);
        lag = MultiGauge.builder(PREFIX + "server.lag")
                .description("How many entries of the leader's log a server of the cluster lacks.")
                .register(registry);
    }

    private void gauge(String name, String help, Supplier<Number> value) {
        Gauge.builder(PREFIX + name, value)
                .description(help)
                .strongReference(true)
                .register(registry);
    }

    void leads(Supplier<Number> value) {
        gauge("leads", "How many groups of locks this server leads. Most clusters have one group.", value);
    }

    void groups(Supplier<Number> value) {
        gauge("groups", "The number of groups of locks.", value);
    }

    void leaderKnown(Supplier<Number> value) {
        gauge("leader.known", "Whether this server knows the leader of every group: 1 or 0.", value);
    }

    void term(Supplier<Number> value) {
        gauge("term", "The term that this server has reached, the largest of all groups.", value);
    }

    void last(Supplier<Number> value) {
        gauge("log.last", "The last entry on this server's disk.", value);
    }

    void committed(Supplier<Number> value) {
        gauge("log.committed", "The last entry that this server knows to be on the disks of a majority.", value);
    }

    void applied(Supplier<Number> value) {
        gauge("log.applied", "The last entry that this server's locks contain.", value);
    }

    void snapshotSeconds(Supplier<Number> value) {
        gauge("snapshot.age.seconds", "The age of this server's last snapshot.", value);
    }

    void snapshotBytes(Supplier<Number> value) {
        gauge("snapshot.bytes", "The size of this server's last snapshot.", value);
    }

    /** Registers a counter of the source. The caller must keep the source reachable, since the registry refers to it weakly. */
    <T> void leaderChanges(T source, ToDoubleFunction<T> value) {
        FunctionCounter.builder(PREFIX + "leader.changes", source, value)
                .description("How often a server has become the leader, as this server has seen.")
                .register(registry);
    }

    /** Returns a receiver of durations in nanoseconds. */
    LongConsumer commits() {
        Timer timer = Timer.builder(PREFIX + "commit")
                .description(
                        "How long an entry of this leader took, from its proposal until it was committed and applied.")
                .serviceLevelObjectives(LATENCIES)
                .register(registry);
        return nanos -> timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Shows what is known of all servers now. */
    void servers(List<Server> servers) {
        List<MultiGauge.Row<?>> ups = new ArrayList<>();
        List<MultiGauge.Row<?>> lags = new ArrayList<>();
        for (Server server : servers) {
            Tags tags = Tags.of("server", server.name());
            ups.add(MultiGauge.Row.of(tags, server.up() ? 1 : 0));
            server.lag().ifPresent(entries -> lags.add(MultiGauge.Row.of(tags, entries)));
        }
        up.register(ups, true);
        lag.register(lags, true);
    }
}
