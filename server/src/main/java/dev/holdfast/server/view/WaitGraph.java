package dev.holdfast.server.view;

import dev.holdfast.server.lease.Owners;
import dev.holdfast.server.message.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
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
 *
 * <p>A lock may have thousands of holders and of waiters, so the graph never keeps the pairs of both. It has a node for each client and each lock instead.
 */
final class WaitGraph {

    private static final int MOST_EDGES = 500;
    private static final long LONG_WAIT_MILLIS = 5_000;

    /** Precedes the name of a lock, so that its node is never that of a client: no key of a client contains a line break. */
    private static final String LOCK = "\n";

    private final Owners owners;
    private final long nowMillis;
    private final Map<String, Party> clients = new LinkedHashMap<>();
    private final List<Contention> contentions = new ArrayList<>();
    private final Map<String, Set<String>> next = new HashMap<>();
    private final Map<String, Set<String>> previous = new HashMap<>();

    /** The clients that wait for a lock that they hold themselves, and that may form a circle alone. */
    private final Set<String> alone = new HashSet<>();

    private final Map<String, Integer> circles = new HashMap<>();

    /**
     * A holder or a waiter, with the key of its client.
     *
     * @param isServed whether it acts for a client of a lock server; otherwise it forms no circle with itself
     * @param counts whether its wait may be part of a circle
     */
    private record Member(String key, boolean isServed, boolean counts) {}

    /** A held lock with waiters. */
    private record Contention(String lock, List<Member> waiters, List<Member> holders) {

        long pairs() {
            return (long) waiters.size() * holders.size();
        }
    }

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
                add(row);
            }
        }
        findCircles();
    }

    private void add(LockRow row) {
        Set<String> holding = row.holding().stream().map(Party::owner).collect(Collectors.toSet());
        List<Party> queue = row.queue().stream()
                .filter(waiter -> !holding.contains(waiter.owner())) // one node may still have a holder in the queue
                .toList();
        if (queue.isEmpty()) {
            return;
        }
        List<Member> holders = row.holding().stream().map(this::member).toList();
        List<Member> waiters = queue.stream().map(this::member).toList();
        contentions.add(new Contention(row.lock(), waiters, holders));
        Set<String> keys = holders.stream().map(Member::key).collect(Collectors.toSet());
        String lock = LOCK + row.lock();
        keys.forEach(key -> link(lock, key));
        waiters.stream().filter(Member::counts).forEach(waiter -> {
            link(waiter.key(), lock);
            if (waiter.isServed() && keys.contains(waiter.key())) {
                alone.add(waiter.key());
            }
        });
    }

    private Member member(Party party) {
        String key = party.key();
        clients.putIfAbsent(key, party);
        boolean served = party.client() != null;
        return new Member(key, served, served || waitsLong(party));
    }

    private void link(String from, String to) {
        next.computeIfAbsent(from, key -> new LinkedHashSet<>()).add(to);
        previous.computeIfAbsent(to, key -> new LinkedHashSet<>()).add(from);
    }

    private boolean waitsLong(Party waiter) {
        LockRow.Since since = LockRow.Since.of(waiter, owners);
        return since != null && nowMillis - since.atMillis() >= LONG_WAIT_MILLIS;
    }

    // ---- circles

    /** Numbers the circles: the strongly connected components with several clients, or with one that forms a circle alone. */
    private void findCircles() {
        Map<String, Integer> numbers = new HashMap<>();
        Map<String, List<String>> components = components();
        for (String client : clients.keySet()) {
            List<String> component = components.getOrDefault(client, List.of());
            if (component.size() > 1 || alone.contains(client)) {
                circles.put(client, numbers.computeIfAbsent(component.get(0), first -> numbers.size() + 1));
            }
        }
    }

    /** Returns the clients of each strongly connected component, for each of these clients (Kosaraju's algorithm, without recursion). */
    private Map<String, List<String>> components() {
        Deque<String> finished = new ArrayDeque<>();
        Set<String> seen = new HashSet<>();
        next.keySet().forEach(start -> visit(start, seen, finished));
        Map<String, List<String>> components = new HashMap<>();
        Set<String> assigned = new HashSet<>();
        for (String start : finished) {
            List<String> component = new ArrayList<>();
            Deque<String> found = new ArrayDeque<>();
            if (assigned.add(start)) {
                found.add(start);
            }
            while (!found.isEmpty()) {
                String one = found.remove();
                if (clients.containsKey(one)) {
                    component.add(one);
                    components.put(one, component);
                }
                previous.getOrDefault(one, Set.of()).stream()
                        .filter(assigned::add)
                        .forEach(found::add);
            }
        }
        return components;
    }

    /** Visits the nodes that can be reached and have not been seen, and puts each in front of those that were finished earlier. */
    private void visit(String start, Set<String> seen, Deque<String> finished) {
        if (!seen.add(start)) {
            return;
        }
        Deque<String> path = new ArrayDeque<>(List.of(start));
        Deque<Iterator<String>> left = new ArrayDeque<>();
        left.push(next.getOrDefault(start, Set.of()).iterator());
        while (!path.isEmpty()) {
            Iterator<String> further = left.element();
            if (!further.hasNext()) {
                left.pop();
                finished.push(path.pop());
                continue;
            }
            String one = further.next();
            if (seen.add(one)) {
                path.push(one);
                left.push(next.getOrDefault(one, Set.of()).iterator());
            }
        }
    }

    /** Returns the number of the circle that the wait is part of; null if there is none. */
    private @Nullable Integer circle(Member waiter, Member holder) {
        Integer from = circles.get(waiter.key());
        boolean counts = waiter.counts() && (waiter.isServed() || !waiter.key().equals(holder.key()));
        return counts && from != null && from.equals(circles.get(holder.key())) ? from : null;
    }

    /** Returns the locks for which a client of a circle waits for another one of it. */
    Set<String> locksInCircles() {
        return contentions.stream()
                .filter(this::isInCircle)
                .map(Contention::lock)
                .collect(Collectors.toSet());
    }

    private boolean isInCircle(Contention contention) {
        Map<Integer, Set<String>> held = new HashMap<>();
        for (Member holder : contention.holders()) {
            Integer circle = circles.get(holder.key());
            if (circle != null) {
                held.computeIfAbsent(circle, number -> new HashSet<>()).add(holder.key());
            }
        }
        return contention.waiters().stream().filter(Member::counts).anyMatch(waiter -> {
            Set<String> holders = held.getOrDefault(circles.getOrDefault(waiter.key(), 0), Set.of());
            return holders.size() > (waiter.isServed() || !holders.contains(waiter.key()) ? 0 : 1);
        });
    }

    // ---- the answer

    /** A client that waits for a lock that another client holds. */
    private record Wait(
            String waiter,
            String holder,
            String lock,
            @Nullable Integer circle) {}

    /** Returns the graph; waits in circles come first, and at most 500 waits are present. */
    ObjectNode json() {
        List<Wait> shown = new ArrayList<>();
        contentions.forEach(contention -> show(contention, true, shown));
        contentions.forEach(contention -> show(contention, false, shown));
        ObjectNode json = Json.object();
        Map<String, Integer> numbers = new HashMap<>();
        ArrayNode array = json.putArray("clients");
        ArrayNode waits = json.putArray("waits");
        for (Wait one : shown) {
            ObjectNode wait = waits.addObject();
            wait.put("waiter", number(one.waiter(), numbers, array));
            wait.put("holder", number(one.holder(), numbers, array));
            wait.put("lock", one.lock());
            wait.put("circle", one.circle());
        }
        json.put("circles", circles.values().stream().distinct().count());
        json.put("more", contentions.stream().mapToLong(Contention::pairs).sum() - shown.size());
        return json;
    }

    /** Adds the waits for this lock that are part of a circle, or those that are not, as far as there is room. */
    private void show(Contention contention, boolean inCircles, List<Wait> shown) {
        for (Member waiter : contention.waiters()) {
            if (inCircles && !circles.containsKey(waiter.key())) {
                continue;
            }
            for (Member holder : contention.holders()) {
                if (shown.size() == MOST_EDGES) {
                    return;
                }
                Integer circle = circle(waiter, holder);
                if ((circle != null) == inCircles) {
                    shown.add(new Wait(waiter.key(), holder.key(), contention.lock(), circle));
                }
            }
        }
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
