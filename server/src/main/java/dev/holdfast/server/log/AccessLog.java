package dev.holdfast.server.log;

import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.time.Ticker;
import java.time.Instant;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A line for each request that was answered, a JSON object; and those that were refused for who they came from in the {@link AuditLog}. Of what a
 * client has sent, only its method is in a line: never an id, a token, a path or a parameter. Thread-safe.
 */
public final class AccessLog implements RequestLog {

    /** The logger that it goes to where it has no file, at the level DEBUG. */
    static final String LOGGER = "dev.holdfast.server.access";

    /** The attribute of a request that says for which route it is, as text, or that it is for a file of the page. */
    public static final String ROUTE = "holdfast.route";

    /** That of who makes it: a token's name. */
    public static final String CLIENT = "holdfast.client";

    /** That of why it was refused. */
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
        line.put("at", Instant.ofEpochMilli(ticker.wallMillis()).toString());
        line.put("client", client == null ? address : client);
        line.put("method", Printable.of(request.getMethod(), LONGEST_METHOD));
        line.put("route", path);
        line.put("status", status);
        // the web server's own reading of the monotonic clock, which is the ticker's in a process that serves
        line.put("millis", (ticker.nanos() - request.getBeginNanoTime()) / 1_000_000);
        log.add(Json.text(line));
    }

    private static @Nullable String text(@Nullable Object attribute) {
        return attribute instanceof String text ? text : null;
    }
}
