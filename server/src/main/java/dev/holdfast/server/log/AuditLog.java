package dev.holdfast.server.log;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.reload.Reloads;
import dev.holdfast.time.Ticker;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Who did what to the server, or was kept from it; a JSON object a line. Thread-safe. No secret, and no lease's id, is in it. */
public final class AuditLog {

    /** The logger that it goes to where it has no file. */
    static final String LOGGER = "dev.holdfast.server.audit";

    private static final int LONGEST = 300;

    /** Refusals of further addresses are counted together. */
    private static final int MOST_ADDRESSES = 1_000;

    private static final String OTHERS = "others";

    private final LineLog log;
    private final Ticker ticker;

    /** How many refusals of clients without a token there were since the last summary, by address. */
    private final Map<String, Long> repeated = new HashMap<>();

    AuditLog(LineLog log, Ticker ticker) {
        this.log = log;
        this.ticker = ticker;
    }

    private void add(String event, ObjectNode details) {
        ObjectNode line = Json.object();
        line.put("at", Instant.ofEpochMilli(ticker.wallMillis()).toString());
        line.put("event", event);
        line.setAll(details);
        log.add(Json.text(line));
    }

    /**
     * It serves.
     *
     * @param tokens the names of those whom it lets in; everybody, if there are none
     */
    public void started(URI uri, List<String> tokens) {
        ObjectNode details = Json.object().put("uri", uri.toString());
        tokens.forEach(token -> details.withArray("tokens").add(token));
        add("started", details);
    }

    /** It ends, and so many leases are left to their ttl. */
    public void stopped(int leases) {
        add("stopped", Json.object().put("leasesLeft", leases));
    }

    /** Something in a file has changed. */
    public void reloaded(Reloads.Outcome outcome, String said) {
        add("reloaded", Json.object().put("outcome", Json.word(outcome)).put("detail", said));
    }

    /**
     * Somebody broke a lease, or tried to.
     *
     * @param outcome what came of it
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

    /** A client that has this server as a node took the vote of another back there. */
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
     * The server has refused a request because of its caller. Of a client without a known token, and its address, the log has the first refusal of each minute, and how many more
     * followed: anybody can cause any number of them.
     *
     * @param client the name of its token, null if it has none that is known
     * @param route what it asked for
     * @param why the answer's detail
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

    /** Logs how many refusals each address caused beyond the first; once a minute, and in the end. */
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
