package dev.holdfast.server.node;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.server.event.Event;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.message.Json;
import dev.holdfast.time.Timing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A watch that asks the nodes for their state once a second, and reports each node that goes down, goes into quarantine, or comes back. */
public final class NodeWatch {

    private static final long PERIOD_NANOS = 1_000_000_000L;

    private final Holdfast holdfast;
    private final Timing timing;
    private final EventLog events;
    private final Map<String, NodeStatus.State> states = new ConcurrentHashMap<>();
    private final Map<String, Long> changedMillis = new ConcurrentHashMap<>();
    private volatile List<NodeStatus> latest = List.of();
    private volatile long latestNanos;
    private volatile boolean closed;

    public NodeWatch(Holdfast holdfast, Timing timing, EventLog events) {
        this.holdfast = holdfast;
        this.timing = timing;
        this.events = events;
    }

    public void start() {
        timing.scheduler().execute(this::look);
    }

    public void close() {
        closed = true;
    }

    private void look() {
        try {
            List<NodeStatus> statuses = holdfast.admin().nodes();
            compare(statuses);
            latestNanos = timing.ticker().nanos();
            latest = statuses;
        } catch (InterruptedException | HoldfastException e) {
            closed = true; // the server has been closed
        }
        if (!closed) {
            timing.scheduler().schedule(PERIOD_NANOS, () -> timing.scheduler().execute(this::look));
        }
    }

    private void compare(List<NodeStatus> statuses) {
        for (NodeStatus status : statuses) {
            boolean isUp = status.state() == NodeStatus.State.UP;
            NodeStatus.State before = states.put(status.name(), status.state());
            if (before != status.state()) {
                changedMillis.put(status.name(), timing.ticker().wallMillis());
            }
            if (before == null ? !isUp : before != status.state()) {
                events.add(
                        isUp ? Event.Type.NODE_UP : Event.Type.NODE_DOWN,
                        null,
                        Json.object()
                                .put("node", status.name())
                                .put("state", Json.word(status.state()))
                                .put("detail", status.detail()));
            }
        }
    }

    /** Returns the state of the nodes at the last check; empty before the first one. */
    public List<NodeStatus> latest() {
        return latest;
    }

    /** Returns whether a majority of the nodes voted at the last check; true before the first one. */
    public boolean hasMajority() {
        List<NodeStatus> statuses = latest;
        long votes = statuses.stream()
                .filter(status -> status.state() == NodeStatus.State.UP)
                .count();
        return statuses.isEmpty() || votes > statuses.size() / 2;
    }

    /** Returns how many ms ago the last check was. */
    public long ageMillis() {
        return (timing.ticker().nanos() - latestNanos) / 1_000_000;
    }

    /** Returns since when the node has been in its state, as this server has observed; in ms of the server's wall clock. */
    public long changedMillis(String node) {
        return changedMillis.getOrDefault(node, timing.ticker().wallMillis());
    }

    /** Returns whether a node voted at the last check; true before the first one. */
    public boolean votes(String node) {
        return states.getOrDefault(node, NodeStatus.State.UP) == NodeStatus.State.UP;
    }

    /** Returns which nodes voted at the last check, by name. */
    public Map<String, Boolean> nodes() {
        Map<String, Boolean> up = new HashMap<>();
        states.forEach((node, state) -> up.put(node, state == NodeStatus.State.UP));
        return up;
    }
}
