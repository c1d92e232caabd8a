package dev.holdfast.server.view;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.event.Event;
import dev.holdfast.server.lease.Owners;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.node.NodeWatch;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The server's views of locks and nodes, mainly for the dashboard. Thread-safe; methods that ask the nodes block until they answer. */
public final class LockViews {

    private static final int MOST_PICTURES = 16;
    private static final int MOST_LOSSES = 500;

    private final Holdfast holdfast;
    private final Timing timing;
    private final Owners owners;
    private final NodeWatch nodes;
    private final RecentHistory history;
    private final SeenTtls ttls = new SeenTtls();
    private final Map<String, LockSnapshots> snapshotsByPrefix = new LinkedHashMap<>(16, 0.75f, true);

    public LockViews(Holdfast holdfast, Timing timing, Owners owners, NodeWatch nodes, LockHistory history) {
        this.holdfast = holdfast;
        this.timing = timing;
        this.owners = owners;
        this.nodes = nodes;
        this.history = history.recent();
    }

    /** The locks of a caller, as of a moment ago. */
    private record VisibleLocks(List<LockRow> rows, boolean complete, int unread, long ageMillis) {}

    private VisibleLocks visible(Caller caller, String prefix) {
        return visible(caller, prefix, LockSnapshots::recent);
    }

    /** Returns the locks of the caller with this prefix; those read so far if it would take long to read all. */
    private VisibleLocks visibleSoon(Caller caller, String prefix) {
        return visible(caller, prefix, LockSnapshots::soon);
    }

    private VisibleLocks visible(
            Caller caller, String prefix, Function<LockSnapshots, LockSnapshots.Snapshot> request) {
        Map<String, LockRow> rows = new TreeMap<>();
        boolean complete = true;
        int unread = 0;
        long ageMillis = 0;
        for (String allowed : caller.prefixes()) {
            String wanted = prefix.startsWith(allowed) ? prefix : allowed;
            if (wanted.startsWith(prefix)) {
                LockSnapshots.Snapshot snapshot = snapshot(wanted, request);
                snapshot.rows().stream()
                        .filter(row -> row.lock().startsWith(wanted))
                        .forEach(row -> rows.put(row.lock(), row));
                complete &= snapshot.complete();
                unread += snapshot.unread();
                ageMillis = Math.max(ageMillis, snapshot.ageMillis(timing));
            }
        }
        return new VisibleLocks(List.copyOf(rows.values()), complete, unread, ageMillis);
    }

    /** Returns the snapshot of all locks if it is in use and complete; otherwise that of the prefix, which has fewer locks. */
    private LockSnapshots.Snapshot snapshot(String prefix, Function<LockSnapshots, LockSnapshots.Snapshot> request) {
        if (!prefix.isEmpty() && isKnown("")) {
            LockSnapshots.Snapshot all = request.apply(snapshots(""));
            if (all.complete()) {
                return all;
            }
        }
        return request.apply(snapshots(prefix));
    }

    private synchronized boolean isKnown(String prefix) {
        return snapshotsByPrefix.containsKey(prefix);
    }

    private synchronized LockSnapshots snapshots(String prefix) {
        LockSnapshots snapshots = snapshotsByPrefix.computeIfAbsent(
                prefix, wanted -> new LockSnapshots(holdfast, timing, owners, nodes, history, wanted));
        if (snapshotsByPrefix.size() > MOST_PICTURES) {
            snapshotsByPrefix.remove(snapshotsByPrefix.keySet().iterator().next());
        }
        return snapshots;
    }

    // ---- overview

    /** Returns the nodes, and a summary of the caller's locks in a few numbers. */
    public ObjectNode overview(Caller caller) {
        VisibleLocks visible = visibleSoon(caller, "");
        ObjectNode json = Json.object();
        json.put("atMillis", timing.ticker().wallMillis());
        json.put("client", caller.client());
        ArrayNode rights = json.putArray("rights");
        caller.rights().stream().sorted().forEach(right -> rights.add(Json.word(right)));
        ArrayNode prefixes = json.putArray("prefixes");
        caller.prefixes().forEach(prefixes::add);
        putNodes(json);
        json.put(
                "locks",
                visible.rows().stream()
                        .filter(row -> row.state() != LockRow.State.FREE)
                        .count());
        json.put("complete", visible.complete());
        json.put("unread", visible.unread());
        json.put("ageMillis", visible.ageMillis());
        Map<LockRow.State, Long> states =
                visible.rows().stream().collect(Collectors.groupingBy(LockRow::state, Collectors.counting()));
        ObjectNode counts = json.putObject("states");
        for (LockRow.State state : LockRow.State.values()) {
            counts.put(Json.word(state), states.getOrDefault(state, 0L));
        }
        json.put("waiting", visible.rows().stream().mapToLong(LockRow::waiting).sum());
        json.put(
                "standingBy",
                visible.rows().stream()
                        .filter(row -> row.kind() == LockKind.ELECTION)
                        .mapToLong(LockRow::waiting)
                        .sum());
        RecentHistory.Losses losses = history.losses(caller::covers);
        json.put("lost", losses.lost());
        json.put("expired", losses.expired());
        json.put("lossesMillis", RecentHistory.LOSSES_MILLIS);
        json.set("longestHold", longest(visible, row -> row.state() == LockRow.State.HELD, LockRow::since));
        json.set("longestWait", longest(visible, row -> row.kind() != LockKind.ELECTION, LockRow::waits));
        return json;
    }

    private void putNodes(ObjectNode json) {
        List<NodeStatus> statuses = nodes.latest();
        json.put("hasMajority", hasMajority(statuses));
        json.put("majority", holdfast.admin().nodeNames().size() / 2 + 1);
        json.put("nodesAgeMillis", nodes.ageMillis());
        ArrayNode array = json.putArray("nodes");
        statuses.forEach(status -> array.add(json(status).put("sinceMillis", nodes.changedMillis(status.name()))));
    }

    private @Nullable ObjectNode longest(
            VisibleLocks visible, Predicate<LockRow> of, Function<LockRow, LockRow.@Nullable Since> what) {
        return visible.rows().stream()
                .filter(of.and(row -> what.apply(row) != null))
                .min(Comparator.comparingLong(
                        row -> Objects.requireNonNull(what.apply(row)).atMillis()))
                .map(row -> {
                    LockRow.Since since = Objects.requireNonNull(what.apply(row));
                    ObjectNode json = Json.object()
                            .put("lock", row.lock())
                            .put("owner", since.party().owner());
                    putParty(json, since.party());
                    return json.put("sinceMillis", since.atMillis()).put("sinceExact", since.exact());
                })
                .orElse(null);
    }

    /** Returns whether more than half of the nodes vote. */
    public static boolean hasMajority(List<NodeStatus> statuses) {
        return statuses.stream()
                        .filter(status -> status.state() == NodeStatus.State.UP)
                        .count()
                > statuses.size() / 2;
    }

    public static ObjectNode json(NodeStatus status) {
        return Json.object()
                .put("node", status.name())
                .put("state", Json.word(status.state()))
                .put("detail", status.detail())
                .put("version", status.server().version())
                .put("roundTripMicros", micros(status.roundTrip()))
                .put("clockOffsetMillis", Json.millis(status.server().clockOffset()))
                .put("quarantineMillis", status.quarantine().toMillis());
    }

    private static @Nullable Long micros(@Nullable Duration roundTrip) {
        return roundTrip == null ? null : Long.valueOf(roundTrip.toNanos() / 1_000);
    }

    // ---- table of locks

    /** Returns one page of the caller's locks. The latest snapshot selects the locks; the nodes are asked now for their state. */
    public ObjectNode table(Caller caller, TableQuery query) {
        VisibleLocks visible = visibleSoon(caller, query.prefix());
        Map<String, Event> losses = history.lossesByLock();
        Function<LockRow, Attention> attention = attention(visible.rows(), losses);
        List<LockRow> matching = visible.rows().stream()
                .filter(row -> query.state() == null || row.state() == query.state())
                .filter(row -> query.kind() == null || row.kind() == query.kind())
                .filter(row -> row.contains(query.contains()))
                .sorted(order(query, attention))
                .toList();
        List<String> names = matching.stream()
                .skip(query.offset())
                .limit(query.limit())
                .map(LockRow::lock)
                .toList();
        ObjectNode json = Json.object();
        ArrayNode locks = json.putArray("locks");
        snapshots("").rows(names).forEach(row -> {
            Attention.Reason reason = attention.apply(row).reason();
            ObjectNode lock =
                    row.json(owners).put("attention", reason == Attention.Reason.NONE ? null : Json.word(reason));
            Event loss = losses.get(row.lock());
            if (reason.isLoss() && loss != null) {
                lock.set("loss", Json.MAPPER.readTree(loss.data()));
            }
            locks.add(lock);
        });
        json.put("atMillis", timing.ticker().wallMillis());
        ArrayNode nodeNames = json.putArray("nodes");
        holdfast.admin().nodeNames().forEach(nodeNames::add);
        json.put("total", visible.rows().size());
        json.put("matching", matching.size());
        json.put("offset", query.offset());
        json.put("complete", visible.complete());
        json.put("unread", visible.unread());
        json.put("ageMillis", visible.ageMillis());
        return json;
    }

    /** Returns the order of the rows. Rows without a known value come last in either direction. */
    private static Comparator<LockRow> order(TableQuery query, Function<LockRow, Attention> attention) {
        Comparator<LockRow> byName = Comparator.comparing(LockRow::lock);
        if (query.sort() == TableQuery.Sort.ATTENTION) {
            Map<LockRow, Attention> known = new HashMap<>();
            Comparator<LockRow> byUrgency =
                    Comparator.comparing(row -> known.computeIfAbsent(row, attention), Attention.MOST_URGENT_FIRST);
            return (query.descending() ? byUrgency.reversed() : byUrgency).thenComparing(byName);
        }
        if (query.sort() == TableQuery.Sort.NAME) {
            return query.descending() ? byName.reversed() : byName;
        }
        ToLongFunction<LockRow> key = key(query);
        Comparator<LockRow> byKey = Comparator.comparingLong(key);
        Comparator<LockRow> known = Comparator.comparing(row -> key.applyAsLong(row) == Long.MIN_VALUE);
        return known.thenComparing(query.descending() ? byKey.reversed() : byKey)
                .thenComparing(byName);
    }

    private Attention.Facts attention(List<LockRow> rows, Map<String, Event> losses) {
        long now = timing.ticker().wallMillis();
        Set<String> circles = new WaitGraph(rows, owners, now).locksInCircles();
        return new Attention.Facts(losses, circles, history.holds(), owners, ttls, now);
    }

    private static ToLongFunction<LockRow> key(TableQuery query) {
        return switch (query.sort()) {
            case NAME, ATTENTION -> throw new IllegalStateException("the order by " + query.sort() + " has no number");
            case HELD ->
                row -> row.since() == null ? Long.MIN_VALUE : -row.since().atMillis();
            case REMAINING ->
                row -> row.holder() == null
                        ? Long.MIN_VALUE
                        : row.holder().remaining() == null
                                ? Long.MAX_VALUE
                                : row.holder().remaining().toMillis();
            case TOKEN ->
                row -> row.holder() == null ? Long.MIN_VALUE : row.holder().token();
            case QUEUE -> LockRow::waiting;
        };
    }

    /** Returns the last losses of the caller's leases in the last five minutes, the latest first. */
    public ObjectNode losses(Caller caller) {
        ObjectNode json = Json.object();
        json.put("atMillis", timing.ticker().wallMillis());
        json.put("lossesMillis", RecentHistory.LOSSES_MILLIS);
        ArrayNode array = json.putArray("losses");
        history.latestLosses(caller::covers, MOST_LOSSES)
                .forEach(event -> array.add(Json.MAPPER.readTree(event.data())));
        return json;
    }

    /** Returns which of the caller's clients wait for which, across locks. */
    public ObjectNode waits(Caller caller) {
        VisibleLocks visible = visible(caller, "");
        ObjectNode json = new WaitGraph(visible.rows(), owners, timing.ticker().wallMillis()).json();
        json.put("atMillis", timing.ticker().wallMillis());
        return json.put("ageMillis", visible.ageMillis()).put("complete", visible.complete());
    }

    /** Returns the caller's locks in groups by the next part of their names after the prefix. */
    public ObjectNode groups(Caller caller, String prefix) {
        VisibleLocks visible = visible(caller, prefix);
        List<LockRow> rows = visible.rows().stream()
                .filter(row -> row.lock().startsWith(prefix))
                .toList();
        ObjectNode json = Json.object();
        json.put("atMillis", timing.ticker().wallMillis());
        new LockGroups(prefix, rows, attention(rows, history.lossesByLock())).putInto(json);
        return json.put("ageMillis", visible.ageMillis()).put("complete", visible.complete());
    }

    // ---- one lock

    /** Returns the state of a lock, for all nodes together and for each node. */
    public ObjectNode status(String lock) throws InterruptedException {
        LockStatus status = holdfast.admin().status(lock);
        ObjectNode json = Json.object();
        json.put("lock", status.name());
        json.put("atMillis", timing.ticker().wallMillis());
        json.put("state", Json.word(LockRow.of(status, owners, nodes::votes).state()));
        json.put("hasMajority", status.hasQuorum());
        json.put("answered", status.answered());
        json.put("voting", LockRow.voting(status, nodes::votes));
        json.set("seal", status.seal().map(Json::of).orElse(null));
        json.put("value", status.value().orElse(null));
        json.put("kind", Json.word(LockKind.of(status)));
        json.put("candidate", LockKind.candidate(status));
        json.set("holds", history.holds().of(status.name()).json());
        ArrayNode holders = json.putArray("holders");
        for (LockStatus.Holder holder : status.holders()) {
            ObjectNode object = holders.addObject()
                    .put("owner", Owners.withoutRound(holder.owner()))
                    .put("kind", Json.word(holder.kind()))
                    .put("mode", holder.mode().name())
                    .put("token", holder.token())
                    .put("remainingMillis", Json.millis(holder.remaining()))
                    .put("votes", holder.votes())
                    .put("hasMajority", holder.hasMajority());
            putSince(object, Party.of(holder));
        }
        ArrayNode waiters = json.putArray("waiters");
        for (LockStatus.Waiter waiter : status.waiters()) {
            ObjectNode object = waiters.addObject()
                    .put("owner", Owners.withoutRound(waiter.owner()))
                    .put("mode", waiter.mode().name())
                    .put("remainingMillis", waiter.remaining().toMillis());
            putSince(object, Party.of(waiter));
        }
        ArrayNode told = json.putArray("nodes");
        status.nodes().forEach(node -> told.add(json(node)));
        return json;
    }

    private static ObjectNode json(LockStatus.NodeState node) {
        ObjectNode json = Json.object();
        json.put("node", node.node()).put("problem", node.problem().isEmpty() ? null : node.problem());
        node.state().ifPresent(state -> {
            json.put("fence", state.fence())
                    .put("votes", state.holders().size())
                    .put("waiters", state.waiters().size());
            ArrayNode holders = json.putArray("holders");
            for (LockStatus.Vote holder : state.holders()) {
                holders.addObject()
                        .put("owner", Owners.withoutRound(holder.owner()))
                        .put("mode", holder.mode().name())
                        .put("fence", holder.fence())
                        .put("remainingMillis", Json.millis(holder.remaining()));
            }
            ArrayNode queue = json.putArray("queue");
            state.waiters().forEach(waiter -> queue.add(Owners.withoutRound(waiter.owner())));
        });
        return json;
    }

    private void putSince(ObjectNode json, Party party) {
        putParty(json, party);
        LockRow.Since since = LockRow.Since.of(party, owners);
        json.put("sinceMillis", since == null ? null : Long.valueOf(since.atMillis()));
        json.put("sinceExact", since != null && since.exact());
    }

    private void putParty(ObjectNode json, Party party) {
        Party.put(json, party);
        Owners.Known known = owners.find(party.owner());
        json.put("ttlMillis", known == null ? null : Long.valueOf(known.ttlMillis()));
    }
}
