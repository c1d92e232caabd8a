package dev.holdfast.server.http;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.LockListing;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.lease.ServersLocks;
import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Failures;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Problem;
import dev.holdfast.server.view.LockHistory;
import dev.holdfast.server.view.LockViews;
import dev.holdfast.server.view.TableQuery;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The routes that show locks and nodes. */
public final class ViewEndpoints {

    /** The most names that {@link dev.holdfast.HoldfastAdmin#list} returns. */
    private static final int MOST_NAMES = 10_000;

    private static final int USUAL_PAGE = 100;
    private static final int LARGEST_PAGE = 1_000;

    private final Holdfast holdfast;
    private final LockViews views;
    private final LockHistory history;
    private final WorkerQueue workers;

    public ViewEndpoints(Holdfast holdfast, LockViews views, LockHistory history, WorkerQueue workers) {
        this.holdfast = holdfast;
        this.views = views;
        this.history = history;
        this.workers = workers;
    }

    public void addTo(Map<Route, Action> actions) {
        actions.put(Route.STATUS, this::status);
        actions.put(Route.LIST, this::list);
        actions.put(Route.NODES, this::nodes);
        actions.put(Route.OVERVIEW, this::overview);
        actions.put(Route.TABLE, this::table);
        actions.put(Route.HISTORY, this::history);
        actions.put(Route.LOSSES, this::losses);
        actions.put(Route.WAITS, this::waits);
        actions.put(Route.GROUPS, this::groups);
    }

    private CompletionStage<Answer> status(Caller caller, Exchange exchange) {
        String lock = lock(caller, exchange);
        return workers.answer(caller, () -> {
            try {
                ServersLocks.reject(lock);
                return Answer.ok(views.status(lock));
            } catch (IllegalArgumentException e) {
                throw Problem.badRequest(Failures.sentence(e));
            }
        });
    }

    private static String lock(Caller caller, Exchange exchange) {
        return covered(caller, exchange.query("lock").get("lock"));
    }

    private static String covered(Caller caller, @Nullable String lock) {
        if (lock == null || lock.isEmpty()) {
            throw Problem.badRequest("The parameter 'lock' is " + (lock == null ? "missing." : "empty."));
        }
        caller.requireCovered(lock);
        return lock;
    }

    private CompletionStage<Answer> list(Caller caller, Exchange exchange) {
        Map<String, String> query = exchange.query("prefix", "after", "limit");
        String prefix = query.getOrDefault("prefix", "");
        String after = query.getOrDefault("after", "");
        int limit = limit(query.get("limit"));
        caller.requireCovered(prefix);
        return workers.answer(caller, () -> {
            LockListing listing = holdfast.admin().list(prefix, MOST_NAMES);
            if (!listing.hasQuorum()) {
                throw Problem.of(listing);
            }
            List<String> names = listing.names();
            List<String> page = names.stream()
                    .filter(name -> name.compareTo(after) > 0 && !ServersLocks.contain(name))
                    .limit(limit + 1L)
                    .toList();
            boolean more = page.size() > limit;
            ObjectNode json = Json.object();
            ArrayNode locks = json.putArray("locks");
            page.stream().limit(limit).forEach(locks::add);
            json.put("next", more ? page.get(limit - 1) : null);
            json.put("complete", names.size() < MOST_NAMES);
            return Answer.ok(json);
        });
    }

    private static int limit(@Nullable String text) {
        if (text == null) {
            return USUAL_PAGE;
        }
        if (!text.matches("[1-9][0-9]{0,3}") || Integer.parseInt(text) > LARGEST_PAGE) {
            throw Problem.badRequest("The parameter 'limit' must be a number from 1 to " + LARGEST_PAGE + ".");
        }
        return Integer.parseInt(text);
    }

    private CompletionStage<Answer> nodes(Caller caller, Exchange exchange) {
        exchange.query();
        return workers.answer(caller, () -> {
            List<NodeStatus> statuses = holdfast.admin().nodes();
            ObjectNode json = Json.object();
            json.put("hasMajority", LockViews.hasMajority(statuses));
            ArrayNode nodes = json.putArray("nodes");
            statuses.forEach(status -> nodes.add(LockViews.json(status)));
            return Answer.ok(json);
        });
    }

    private CompletionStage<Answer> overview(Caller caller, Exchange exchange) {
        exchange.query();
        return workers.answer(caller, () -> Answer.ok(views.overview(caller)));
    }

    private CompletionStage<Answer> table(Caller caller, Exchange exchange) {
        Map<String, String> given = exchange.query("prefix", "contains", "state", "kind", "sort", "offset", "limit");
        TableQuery query = TableQuery.of(given::get);
        return workers.answer(caller, () -> Answer.ok(views.table(caller, query)));
    }

    private CompletionStage<Answer> history(Caller caller, Exchange exchange) {
        Map<String, String> given = exchange.query("lock", "from", "to");
        String lock = covered(caller, given.get("lock"));
        Long from = millis("from", given.get("from"));
        Long to = millis("to", given.get("to"));
        if (from != null && to != null && from > to) {
            throw Problem.badRequest(
                    "The parameter 'from' is " + from + ", but must not be later than 'to', " + to + ".");
        }
        return workers.answer(caller, () -> Answer.ok(history.json(lock, from, to)));
    }

    private static @Nullable Long millis(String name, @Nullable String text) {
        if (text == null) {
            return null;
        }
        if (!text.matches("[0-9]{1,15}")) {
            throw Problem.badRequest("The parameter '" + name + "' must be a time in ms since 1970.");
        }
        return Long.valueOf(text);
    }

    private CompletionStage<Answer> losses(Caller caller, Exchange exchange) {
        exchange.query();
        return CompletableFuture.completedStage(Answer.ok(views.losses(caller)));
    }

    private CompletionStage<Answer> waits(Caller caller, Exchange exchange) {
        exchange.query();
        return workers.answer(caller, () -> Answer.ok(views.waits(caller)));
    }

    private CompletionStage<Answer> groups(Caller caller, Exchange exchange) {
        String prefix = exchange.query("prefix").getOrDefault("prefix", "");
        return workers.answer(caller, () -> Answer.ok(views.groups(caller, prefix)));
    }
}
