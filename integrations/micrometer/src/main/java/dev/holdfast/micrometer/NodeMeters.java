package dev.holdfast.micrometer;

import dev.holdfast.Holdfast;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.observe.RequestOutcome;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The meters of nodes.
 *
 * <ul>
 *   <li>{@code holdfast.node.request}, a timer by {@code node}, {@code operation} and {@code outcome}
 *   <li>{@code holdfast.node.up}, a gauge by {@code node}: 1 if it votes
 * <li>{@code holdfast.node.clock.offset}, a gauge by {@code node}: its wall clock minus this machine's; NaN while unknown
 *   <li>{@code holdfast.quorum.available}, a gauge: 1 if a majority of the nodes votes
 * </ul>
 */
final class NodeMeters {

    private static final List<RequestOutcome> OF_VOTES = List.of(
            RequestOutcome.GRANTED,
            RequestOutcome.QUEUED,
            RequestOutcome.DENIED,
            RequestOutcome.SEALED,
            RequestOutcome.QUARANTINED,
            RequestOutcome.UNAVAILABLE,
            RequestOutcome.TIMEOUT);
    private static final Map<NodeOperation, List<RequestOutcome>> OUTCOMES = Map.of(
            NodeOperation.ACQUIRE,
            OF_VOTES,
            NodeOperation.EXTEND,
            OF_VOTES.stream()
                    .filter(outcome -> outcome != RequestOutcome.QUEUED)
                    .toList(),
            NodeOperation.RELEASE,
            List.of(
                    RequestOutcome.RELEASED,
                    RequestOutcome.ABSENT,
                    RequestOutcome.UNAVAILABLE,
                    RequestOutcome.TIMEOUT));

    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<String, Requests> requests = new ConcurrentHashMap<>();

    NodeMeters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
    }

    Timer request(String node, NodeOperation operation, RequestOutcome outcome) {
        return requestsTo(node).timer(operation, outcome);
    }

    private Requests requestsTo(String node) {
        Requests known = requests.get(node);
        return known != null ? known : requests.computeIfAbsent(node, Requests::new);
    }

    void watch(Holdfast holdfast, Duration patience) {
        NodeStates states = new NodeStates(holdfast, registry.config().clock(), patience);
        Gauge.builder("holdfast.quorum.available", states, NodeStates::quorum)
                .description("1 if a majority of the nodes votes")
                .tags(tags)
                .strongReference(true)
                .register(registry);
        List<String> names = holdfast.admin().nodeNames();
        for (int i = 0; i < names.size(); i++) {
            String node = names.get(i);
            int place = i;
            requestsTo(node);
            Gauge.builder("holdfast.node.up", states, all -> all.up(place))
                    .description("1 if the node votes")
                    .tags(tags.and("node", node))
                    .strongReference(true)
                    .register(registry);
            TimeGauge.builder(
                            "holdfast.node.clock.offset",
                            states,
                            TimeUnit.MILLISECONDS,
                            all -> all.clockOffsetMillis(place))
                    .description("The node's wall clock minus this machine's, to within half a round trip")
                    .tags(tags.and("node", node))
                    .strongReference(true)
                    .register(registry);
        }
    }

    /** The timers of one node. */
    private final class Requests {

        private final String node;
        private final PerValue<NodeOperation, Map<RequestOutcome, Timer>> timers;

        Requests(String node) {
            this.node = node;
            timers = new PerValue<>(NodeOperation.class, operation -> new ConcurrentHashMap<>());
            OUTCOMES.forEach((operation, outcomes) -> outcomes.forEach(outcome -> timer(operation, outcome)));
        }

        Timer timer(NodeOperation operation, RequestOutcome outcome) {
            return timers.of(operation).computeIfAbsent(outcome, what -> made(operation, what));
        }

        private Timer made(NodeOperation operation, RequestOutcome outcome) {
            return Timer.builder("holdfast.node.request")
                    .description("Requests to nodes")
                    .tags(tags.and(
                            "node", node, "operation", LockMeters.text(operation), "outcome", LockMeters.text(outcome)))
                    .register(registry);
        }
    }
}
