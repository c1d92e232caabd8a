package dev.holdfast.server.view;

import dev.holdfast.server.lease.Owners;
import dev.holdfast.server.message.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The wait-for graph: which clients wait for which holders, across locks. A {@link Party#key} tells which owners count as one client. That is an assumption, since
 * the threads of one client wait independently: a circle is a possible deadlock, not a proof.
 *
 * <p>The threads of one process often wait for each other and for those of another process without a deadlock. Their waits are part of a circle only after
 * {@value #LONG_WAIT_MILLIS} ms, and a process forms no circle with itself.
 */
final class WaitGraph {

    private static final int MOST_EDGES = 500;
    private static final long LONG_WAIT_MILLIS = 5_000;

    private final Owners owners;
    private final long nowMillis;
    private final Map<String, Party> clients = new LinkedHashMap<>();
    private final List<Edge> edges = new ArrayList<>();
    private final Map<String, Set<String>> waitsFor = new HashMap<>();
    private final Map<String, Integer> circles = new HashMap<>();

    /** A client that waits for a lock that another client holds, and whether the wait may be part of a circle. */
    private record Edge(String waiter, String holder, String lock, boolean counts) {}

    /**
     * Returns the graph of these locks.
     *
     * @param nowMillis the time in ms of this server's wall clock
     */
    WaitGraph(List<LockRow> rows, Owners owners, long nowMillis) {
        this.owners = owners;
        this.nowMillis = nowMillis;
        for (LockRow row : rows) {
            if (row.state() == LockRow.State.HELD && row.kind() != LockKind.ELECTION) {
                row.queue().forEach(waiter -> row.holding().forEach(holder -> add(row, waiter, holder)));
            }
        }
        findCircles();
    }

    private void add(LockRow row, Party waiter, Party holder) {
        if (waiter.owner().equals(holder.owner())) {
            return; // one node still has it in the queue
        }
        String from = waiter.key();
        String to = holder.key();
        clients.putIfAbsent(from, waiter);
        clients.putIfAbsent(to, holder);
        boolean counts = waiter.client() != null || (!from.equals(to) && waitsLong(waiter));
        if (counts) {
            waitsFor.computeIfAbsent(from, key -> new LinkedHashSet<>()).add(to);
        }
        edges.add(new Edge(from, to, row.lock(), counts));
    }

    private boolean waitsLong(Party waiter) {
        LockRow.Since since = LockRow.Since.of(waiter, owners);
        return since != null && nowMillis - since.atMillis() >= LONG_WAIT_MILLIS;
    }

    /** Numbers the circles: the strongly connected components of more than one client, and clients that wait for themselves. Tarjan's algorithm would recurse. */
    private void findCircles() {
        Map<String, Set<String>> waitedForBy = new HashMap<>();
        waitsFor.forEach((from, all) -> all.forEach(
                to -> waitedForBy.computeIfAbsent(to, key -> new HashSet<>()).add(from)));
        int circle = 0;
        for (String client : clients.keySet()) {
            if (!circles.containsKey(client)) {
                Set<String> both = reachable(client, waitsFor);
                both.retainAll(reachable(client, waitedForBy));
                if (!both.isEmpty()) {
                    circle++;
                    for (String one : both) {
                        circles.put(one, circle);
                    }
                }
            }
        }
    }

    /** Returns the clients that a path of at least one edge reaches. */
    private static Set<String> reachable(String start, Map<String, Set<String>> graph) {
        Set<String> reached = new LinkedHashSet<>();
        Deque<String> next = new ArrayDeque<>(graph.getOrDefault(start, Set.of()));
        while (!next.isEmpty()) {
            String one = next.remove();
            if (reached.add(one)) {
                next.addAll(graph.getOrDefault(one, Set.of()));
            }
        }
        return reached;
    }

    /** Returns the number of the circle that the edge is part of; null if there is none. */
    private @Nullable Integer circle(Edge edge) {
        Integer from = circles.get(edge.waiter());
        return edge.counts() && from != null && from.equals(circles.get(edge.holder())) ? from : null;
    }

    /** Returns the locks for which a client of a circle waits for another one of it. */
    Set<String> locksInCircles() {
        return edges.stream()
                .filter(edge -> circle(edge) != null)
                .map(Edge::lock)
                .collect(Collectors.toSet());
    }

    /** Returns the graph; edges of circles come first, and at most 500 edges are present. */
    ObjectNode json() {
        ObjectNode json = Json.object();
        List<Edge> shown = new ArrayList<>(edges);
        shown.sort(Comparator.comparing((Edge edge) -> circle(edge) == null));
        int more = Math.max(0, shown.size() - MOST_EDGES);
        shown = shown.subList(0, shown.size() - more);
        Map<String, Integer> numbers = new HashMap<>();
        ArrayNode array = json.putArray("clients");
        ArrayNode waits = json.putArray("waits");
        for (Edge edge : shown) {
            ObjectNode wait = waits.addObject();
            wait.put("waiter", number(edge.waiter(), numbers, array));
            wait.put("holder", number(edge.holder(), numbers, array));
            wait.put("lock", edge.lock());
            wait.put("circle", circle(edge));
        }
        json.put("circles", circles.values().stream().distinct().count());
        json.put("more", more);
        return json;
    }

    private int number(String key, Map<String, Integer> numbers, ArrayNode array) {
        return numbers.computeIfAbsent(key, added -> {
            Party client = Objects.requireNonNull(clients.get(key));
            ObjectNode shown = array.addObject().put("owner", client.owner());
            Party.put(shown, client);
            shown.put("circle", circles.get(key));
            return numbers.size();
        });
    }
}
