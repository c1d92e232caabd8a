package dev.holdfast.server.log;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.reload.Reloads;
import dev.holdfast.time.Ticker;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A log of actions on the server and of rejected callers, with one JSON object in each line. The log contains no secret and no lease id. Thread-safe. */
public final class AuditLog {

    /** The logger for the lines if there is no file. */
    static final String LOGGER = "dev.holdfast.server.audit";

    private static final int LONGEST = 300;

    private static final int LONGEST_NODES = 3_000;

    /** The limit above which the log counts the rejections of further addresses together. */
    private static final int MOST_ADDRESSES = 1_000;

    private static final String OTHERS = "others";

    private final LineLog log;
    private final Ticker ticker;

    /** The number of rejections since the last summary, by address, of clients without a token. */
    private final Map<String, Long> repeated = new HashMap<>();

    AuditLog(LineLog log, Ticker ticker) {
        this.log = log;
        this.ticker = ticker;
    }

    private void add(String event, ObjectNode details) {
        ObjectNode line = Json.object();
        line.put("at", LineLog.time(ticker.wallMillis()));
        line.put("event", event);
        line.setAll(details);
        log.add(Json.text(line));
    }

    /**
     * Logs that the server has started.
     *
     * @param tokens the names of the valid tokens; if there are none, the server admits every client
     */
    public void started(URI uri, List<String> tokens) {
        ObjectNode details = Json.object().put("uri", uri.toString());
        tokens.forEach(token -> details.withArray("tokens").add(token));
        add("started", details);
    }

    /** Logs that the server stops, and how many leases it leaves to their ttl. */
    public void stopped(int leases) {
        add("stopped", Json.object().put("leasesLeft", leases));
    }

    /** Logs a change of a file. */
    public void reloaded(Reloads.Outcome outcome, String said) {
        add("reloaded", Json.object().put("outcome", Json.word(outcome)).put("detail", said));
    }

    /**
     * Logs that a caller broke a lease, or tried to.
     *
     * @param outcome the outcome of the attempt
     */
    public void broke(Caller caller, String lock, long token, String reason, String outcome) {
        add(
                "break",
                Json.object()
                        .put("client", Printable.of(caller.client(), LONGEST))
                        .put("lock", Printable.of(lock, LONGEST))
                        .put("token", token)
                        .put("reason", Printable.of(reason, LONGEST))
                        .put("outcome", outcome));
    }

    /**
     * Logs that a caller bootstrapped this node, or tried to.
     *
     * @param nodes the set of nodes that the caller named
     */
    public void bootstrapped(Caller caller, String incarnation, String nodes, String outcome) {
        add(
                "bootstrap",
                Json.object()
                        .put("client", Printable.of(caller.client(), LONGEST))
                        .put("incarnation", Printable.of(incarnation, LONGEST))
                        .put("nodes", Printable.of(nodes, LONGEST_NODES))
                        .put("outcome", outcome));
    }

    /**
     * Logs that a caller changed the servers of the cluster or its leader, or made a backup, or tried to.
     *
     * @param change {@code add}, {@code remove}, {@code transfer} or {@code backup}
     * @param outcome {@code done}, or the reason why nothing was changed
     */
    public void changedCluster(Caller caller, String change, String server, String outcome) {
        add(
                "cluster",
                Json.object()
                        .put("client", Printable.of(caller.client(), LONGEST))
                        .put("change", change)
                        .put("server", Printable.of(server, LONGEST))
                        .put("outcome", Printable.of(outcome, LONGEST_NODES)));
    }

    /** Logs that a client of this node released the vote of another client here. */
    public void tookBack(Caller caller, String resource, String owner, String outcome) {
        add(
                "took-back",
                Json.object()
                        .put("client", Printable.of(caller.client(), LONGEST))
                        .put("resource", Printable.of(resource, LONGEST))
                        .put("owner", Printable.of(owner, LONGEST))
                        .put("outcome", outcome));
    }

    /**
     * Logs that the server has rejected a request because of its caller. For a client without a known token, the log has the first rejection per
     * minute and address, and the number of further rejections. Otherwise any client could flood the log.
     *
     * @param client the name of the client's token; null if it has no known token
     * @param route the requested route
     * @param why the detail of the answer
     */
    void refused(@Nullable String client, String address, String route, int status, String why) {
        ObjectNode details = Json.object()
                .put("client", client)
                .put("address", address)
                .put("route", route)
                .put("status", status)
                .put("why", Printable.of(why, LONGEST));
        if (client != null || isFirst(address)) {
            add("refused", details);
        }
    }

    private boolean isFirst(String address) {
        synchronized (repeated) {
            String known = repeated.containsKey(address) || repeated.size() < MOST_ADDRESSES ? address : OTHERS;
            return repeated.merge(known, 1L, Long::sum) == 1;
        }
    }

    /** Logs how many rejections each address caused beyond the first; runs once a minute, and at the end. */
    void summarize() {
        Map<String, Long> counted;
        synchronized (repeated) {
            counted = Map.copyOf(repeated);
            repeated.clear();
        }
        counted.forEach((address, count) -> {
            if (count > 1) {
                add("refused-more", Json.object().put("address", address).put("count", count - 1));
            }
        });
    }
}
