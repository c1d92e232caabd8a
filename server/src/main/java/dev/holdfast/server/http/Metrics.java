package dev.holdfast.server.http;

import dev.holdfast.server.event.Event;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.lease.Leases;
import dev.holdfast.server.log.Logs;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.node.NodeClients;
import dev.holdfast.server.node.NodeWatch;
import dev.holdfast.server.reload.Reloads;
import dev.holdfast.server.session.Sessions;
import dev.holdfast.server.tls.TlsFiles;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What the server counts, in the text format of Prometheus (version 0.0.4). Thread-safe. */
public final class Metrics {

    static final String TYPE = "text/plain";

    private final Leases leases;
    private final EventLog events;
    private final NodeWatch nodes;
    private final Connections connections;
    private final Logs logs;
    private final Reloads reloads;
    private final @Nullable TlsFiles tls;
    private final Sessions sessions;
    private final NodeClients clients;
    private final Map<Requests, LongAdder> requests = new ConcurrentHashMap<>();

    /** Requests that are counted together. */
    private record Requests(String route, int status) {
        String labels() {
            return "route=\"" + route + "\",status=\"" + status + "\"";
        }
    }

    public Metrics(
            Leases leases,
            EventLog events,
            NodeWatch nodes,
            Connections connections,
            Logs logs,
            Reloads reloads,
            @Nullable TlsFiles tls,
            Sessions sessions,
            NodeClients clients) {
        this.sessions = sessions;
        this.clients = clients;
        this.logs = logs;
        this.connections = connections;
        this.reloads = reloads;
        this.tls = tls;
        this.leases = leases;
        this.events = events;
        this.nodes = nodes;
    }

    /** A request has been answered; none of a client's own words becomes a label. */
    void answered(String route, int status) {
        requests.computeIfAbsent(new Requests(route, status), fresh -> new LongAdder())
                .increment();
    }

    /** All of it. */
    String text() {
        StringBuilder text = new StringBuilder();
        head(text, "holdfast_server_leases", "gauge", "Leases that clients hold, attempts to get one included.");
        line(text, "holdfast_server_leases", "", leases.held());
        head(text, "holdfast_server_waiting", "gauge", "Requests that wait for a lock.");
        line(text, "holdfast_server_waiting", "", leases.waiting());
        head(text, "holdfast_server_sessions", "gauge", "Sessions that are open.");
        line(text, "holdfast_server_sessions", "", sessions.count());
        head(text, "holdfast_server_node_clients", "gauge", "Clients that use this server as a node.");
        line(text, "holdfast_server_node_clients", "", clients.count());
        head(text, "holdfast_server_node_up", "gauge", "Whether a node votes: 1 or 0.");
        new TreeMap<>(nodes.nodes())
                .forEach((node, up) ->
                        line(text, "holdfast_server_node_up", "node=\"" + escaped(node) + "\"", up ? 1 : 0));
        head(text, "holdfast_server_events_total", "counter", "What happened, as told at /v1/events.");
        for (Event.Type type : Event.Type.values()) {
            line(text, "holdfast_server_events_total", "type=\"" + Json.word(type) + "\"", events.count(type));
        }
        head(text, "holdfast_server_requests_total", "counter", "Requests that were answered.");
        Map<String, Long> counts = new TreeMap<>();
        requests.forEach((which, count) -> counts.put(which.labels(), count.sum()));
        counts.forEach((labels, count) -> line(text, "holdfast_server_requests_total", labels, count));
        head(text, "holdfast_server_connections", "gauge", "Connections that are open.");
        line(text, "holdfast_server_connections", "", connections.count());
        head(text, "holdfast_server_connections_closed_total", "counter", "Connections that the server closed early.");
        line(text, "holdfast_server_connections_closed_total", "why=\"too-many\"", connections.crowdedOut());
        line(text, "holdfast_server_connections_closed_total", "why=\"too-slow\"", connections.tooSlowOnes());
        head(text, "holdfast_server_log_lines_lost_total", "counter", "Lines that could not be written.");
        logs.lost()
                .forEach((log, lines) ->
                        line(text, "holdfast_server_log_lines_lost_total", "log=\"" + log + "\"", lines));
        addFiles(text);
        return text.toString();
    }

    /** What stands in files and may be changed there. */
    private void addFiles(StringBuilder text) {
        head(text, "holdfast_server_reloads_total", "counter", "Changes of files: in use, or refused.");
        reloads.results().forEach((what, result) -> {
            String label = "what=\"" + what + "\"";
            line(text, "holdfast_server_reloads_total", label + ",outcome=\"done\"", result.done());
            line(text, "holdfast_server_reloads_total", label + ",outcome=\"refused\"", result.refused());
        });
        head(text, "holdfast_server_reload_failed", "gauge", "Whether the last change was refused: 1 or 0.");
        reloads.results()
                .forEach((what, result) -> line(
                        text,
                        "holdfast_server_reload_failed",
                        "what=\"" + what + "\"",
                        result.last() == Reloads.Outcome.REFUSED ? 1 : 0));
        if (tls != null) {
            head(
                    text,
                    "holdfast_server_certificate_end_seconds",
                    "gauge",
                    "When the certificate in use ends, since 1970-01-01T00:00Z.");
            line(text, "holdfast_server_certificate_end_seconds", "", tls.end().getEpochSecond());
        }
    }

    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void line(StringBuilder text, String name, String labels, long value) {
        text.append(name);
        if (!labels.isEmpty()) {
            text.append('{').append(labels).append('}');
        }
        text.append(' ').append(value).append('\n');
    }

    private static String escaped(String label) {
        return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
