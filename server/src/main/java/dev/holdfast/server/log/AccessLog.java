package dev.holdfast.server.log;

import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.time.Ticker;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A log with one JSON line for each answered request. The {@link AuditLog} has the requests that were rejected because of their caller. A line contains nothing
 * that a client has sent except the method: never an id, a token, a path or a parameter. Thread-safe.
 */
public final class AccessLog implements RequestLog {

    /** The logger for the lines if there is no file, at the level DEBUG. */
    static final String LOGGER = "dev.holdfast.server.access";

    /** The attribute of a request for its route, or for a name that stands for all files of the dashboard. */
    public static final String ROUTE = "holdfast.route";

    /** The attribute for the request's client: a token's name. */
    public static final String CLIENT = "holdfast.client";

    /** The attribute for the reason of the rejection. */
    public static final String REFUSED = "holdfast.refused";

    private static final int LONGEST_METHOD = 20;

    private final LineLog log;
    private final AuditLog audit;
    private final Ticker ticker;

    AccessLog(LineLog log, AuditLog audit, Ticker ticker) {
        this.log = log;
        this.audit = audit;
        this.ticker = ticker;
    }

    @Override
    public void log(Request request, Response response) {
        String client = text(request.getAttribute(CLIENT));
        Object route = request.getAttribute(ROUTE);
        String path = route == null ? "none" : route.toString();
        String address = Request.getRemoteAddr(request);
        int status = response.getStatus();
        String why = text(request.getAttribute(REFUSED));
        if (why != null) {
            audit.refused(client, address, path, status, why);
        }
        if (!log.isRead()) {
            return;
        }
        ObjectNode line = Json.object();
        line.put("at", LineLog.time(ticker.wallMillis()));
        line.put("client", client == null ? address : client);
        line.put("method", Printable.of(request.getMethod(), LONGEST_METHOD));
        line.put("route", path);
        line.put("status", status);
        // The web server reads the monotonic clock itself. Outside of tests, the ticker reads the same clock.
        line.put("millis", (ticker.nanos() - request.getBeginNanoTime()) / 1_000_000);
        log.add(Json.text(line));
    }

    private static @Nullable String text(@Nullable Object attribute) {
        return attribute instanceof String text ? text : null;
    }
}
