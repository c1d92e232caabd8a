package dev.holdfast.micrometer;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.Refusal;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.observe.ExtensionObserver;
import dev.holdfast.observe.LeaseEnd;
import dev.holdfast.observe.LeaseObserver;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.observe.RequestObserver;
import dev.holdfast.observe.RequestOutcome;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a client. Pass it to {@link dev.holdfast.HoldfastBuilder#observer} before the client is built, and then pass the client to {@link
 * #watchNodes}:
 *
 * <pre>{@code
 * HoldfastMetrics metrics = new HoldfastMetrics(registry);
 * Holdfast holdfast = Holdfast.builder().nodes(nodes).observer(metrics).connect();
 * metrics.watchNodes(holdfast);
 * }</pre>
 *
 * <p>Series exist from the start, so that the first lost lease shows as an increase. The name of a lock is never a tag, because an application may
 * have a lock per order. {@link #HoldfastMetrics(MeterRegistry, Iterable, Function)} takes a function that maps names to a few groups. {@link
 * LockMeters} and {@link NodeMeters} list the meters. Thread-safe.
 */
public final class HoldfastMetrics implements ClientObserver {

    private static final Duration LONGEST_READ = Duration.ofSeconds(1);

    private final Groups groups;
    private final NodeMeters nodes;

    /** Creates metrics without groups and without additional tags. */
    public HoldfastMetrics(MeterRegistry registry) {
        this(registry, Tags.empty(), null);
    }

    /**
     * Creates metrics with additional tags, with groups, or with both.
     *
     * @param tags tags to add to every meter, such as the client's name in an application with several clients
     * @param groupOf maps a lock's name to its group, which becomes the tag {@code group} of the lock's meters; null for no such tag. The tag has at
     *     most {@value Groups#MOST} values, including {@code other} for all further groups, so a lock's name must not be used as its group
     */
    public HoldfastMetrics(MeterRegistry registry, Iterable<Tag> tags, @Nullable Function<String, String> groupOf) {
        this.groups = new Groups(registry, Tags.of(tags), groupOf);
        this.nodes = new NodeMeters(registry, Tags.of(tags));
    }

    /**
     * Adds gauges for the state of this client's nodes. A read of the registry queries the nodes, at most once a second, and waits for
     * their answers for at most one node timeout. The gauges are NaN if there are no answers.
     *
     * @return this
     */
    public HoldfastMetrics watchNodes(Holdfast holdfast) {
        return watchNodes(holdfast, LONGEST_READ);
    }

    HoldfastMetrics watchNodes(Holdfast holdfast, Duration patience) {
        nodes.watch(holdfast, patience);
        return this;
    }

    @Override
    public LeaseObserver attempt(String lock, LockMode mode) {
        LockMeters meters = groups.of(lock);
        meters.waiting.incrementAndGet();
        return new Course(meters, mode);
    }

    /** Observes the leadership as a hold. A candidate that waits while another one leads does not count as a waiting attempt. */
    @Override
    public LeaseObserver candidacy(String lock, LockMode mode) {
        return new Leader(groups.of(lock), mode);
    }

    @Override
    public void lost(Loss loss, LockMode mode, long token) {
        groups.of(loss.lock()).lost(loss.reason()).increment();
    }

    @Override
    public ExtensionObserver extension(String lock, LockMode mode) {
        LockMeters meters = groups.of(lock);
        return (ExtendOutcome outcome, Duration took) -> meters.renewal(outcome).record(took);
    }

    @Override
    public RequestObserver request(String node, NodeOperation operation) {
        return (RequestOutcome outcome, Duration took) ->
                nodes.request(node, operation, outcome).record(took);
    }

    /** The meters of one attempt and its lease. */
    private record Course(LockMeters meters, LockMode mode) implements LeaseObserver {

        @Override
        public void granted(Lease lease, Duration waited) {
            meters.waiting.decrementAndGet();
            meters.held.incrementAndGet();
            meters.acquired(mode).record(waited);
        }

        @Override
        public void refused(Refusal refusal) {
            meters.waiting.decrementAndGet();
            meters.refused(mode, refusal.reason()).record(refusal.waited());
        }

        @Override
        public void ended(LeaseEnd end) {
            meters.ended(mode, end);
        }
    }

    /** The meters of a candidate and its leadership. */
    private record Leader(LockMeters meters, LockMode mode) implements LeaseObserver {

        @Override
        public void granted(Lease lease, Duration waited) {
            meters.held.incrementAndGet();
        }

        @Override
        public void ended(LeaseEnd end) {
            meters.ended(mode, end);
        }
    }
}
