package dev.holdfast.server.http;

import dev.holdfast.server.caller.ClientAddress;
import dev.holdfast.server.log.AccessLog;
import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Body;
import dev.holdfast.server.message.Headers;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import dev.holdfast.time.Ticker;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** A request whose body has arrived, and its response. */
final class Exchange {

    /** The replacement for bytes that are not UTF-8. */
    private static final char NOT_UTF_8 = '\uFFFD';

    /** The same character, where a client has sent it. */
    private static final String NOT_UTF_8_ENCODED = "%EF%BF%BD";

    /** The longest answer that the client has to read within the idle timeout. A backup of a cluster may be longer. */
    private static final int USUAL_ANSWER_BYTES = 1 << 20;

    final Request request;
    final Response response;
    final Callback callback;
    private final Connections connections;
    private final ByteBuffer body;

    Exchange(Connections connections, Request request, Response response, Callback callback, ByteBuffer body) {
        this.connections = connections;
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.body = body;
    }

    String method() {
        return request.getMethod();
    }

    /** Returns the path as the client has sent it. No path of this server needs an escape, so the server decodes none. */
    String path() {
        return String.valueOf(request.getHttpURI().getPath());
    }

    /** Rejects a path with a malformed escape. */
    void requireValidPath() {
        if (path().equals(PlainConnections.MALFORMED)) {
            throw Problem.badRequest("The path has a '%' without two hexadecimal digits, or the escape '%00'.");
        }
    }

    /** Returns the id in the path of a lease's route. */
    String leaseId() {
        String[] parts = path().split("/", -1);
        return parts[Route.ID_PART];
    }

    @Nullable
    String header(String name) {
        return request.getHeaders().get(name);
    }

    /** Returns how many ns ago the first byte of the request arrived, by the monotonic clock. Outside of tests, the ticker uses the same clock. */
    long nanos(Ticker ticker) {
        return Math.max(ticker.nanos() - request.getBeginNanoTime(), 0);
    }

    /** Returns the address of the client, as {@link ClientAddress} names it. */
    String address() {
        return ClientAddress.of(request.getConnectionMetaData().getRemoteSocketAddress());
    }

    EndPoint connection() {
        return request.getConnectionMetaData().getConnection().getEndPoint();
    }

    /** Records for the access log which {@link Route} this request is for, or the name of another resource. */
    void recordRoute(Object route) {
        request.setAttribute(AccessLog.ROUTE, route);
    }

    /** Records for the access log which token the client has used. */
    void recordClient(String client) {
        request.setAttribute(AccessLog.CLIENT, client);
    }

    /** Records for the audit log why the server rejects the request. */
    void recordRefusal(@Nullable String why) {
        request.setAttribute(AccessLog.REFUSED, why);
    }

    /**
     * Returns the fields of the body.
     *
     * @param known the allowed fields
     * @throws Problem if the body is not a JSON object, has other fields, or the query has parameters
     */
    Body body(String... known) {
        query();
        String encoding = header("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw new Problem(
                            Problem.Kind.UNSUPPORTED_MEDIA_TYPE,
                            "The body is encoded as '" + Printable.of(encoding) + "'; this server takes bodies without"
                                    + " Content-Encoding.")
                    .header("Accept-Encoding", "identity");
        }
        return Body.of(header("Content-Type"), body, known);
    }

    /**
     * Returns the parameters of the query. An unknown parameter is an error, as an unknown field is.
     *
     * @param known the allowed parameters, each at most once
     * @throws Problem if the query has other parameters, or one is not percent-encoded UTF-8
     */
    Map<String, String> query(String... known) {
        Map<String, String> parameters = new LinkedHashMap<>();
        String query = request.getHttpURI().getQuery();
        if (query == null || query.isEmpty()) {
            return parameters;
        }
        for (String part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = decoded(equals < 0 ? part : part.substring(0, equals), "name");
            if (!List.of(known).contains(name)) {
                throw Problem.badRequest("The parameter '" + Printable.of(name) + "' is not known; known are: "
                        + (known.length == 0 ? "none" : String.join(", ", known)) + ".");
            }
            if (parameters.put(name, decoded(equals < 0 ? "" : part.substring(equals + 1), name)) != null) {
                throw Problem.badRequest("The parameter '" + name + "' is given more than once.");
            }
        }
        return parameters;
    }

    private static String decoded(String text, String what) {
        try {
            String decoded = URLDecoder.decode(text, StandardCharsets.UTF_8);
            if (decoded.indexOf(NOT_UTF_8) < 0 || text.toUpperCase(Locale.ROOT).contains(NOT_UTF_8_ENCODED)) {
                return decoded;
            }
        } catch (IllegalArgumentException e) {
            // This is a percent sign without two hexadecimal digits.
        }
        throw Problem.badRequest("The parameter '" + what + "' is not percent-encoded UTF-8.");
    }

    /** Writes the headers of every answer, and these. */
    void writeHead(int status, String contentType, Map<String, String> headers) {
        response.setStatus(status);
        Headers.of(request.isSecure()).forEach(response.getHeaders()::put);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        headers.forEach((name, value) -> response.getHeaders().put(new HttpField(name, value)));
    }

    void write(Answer answer) {
        writeHead(answer.status(), answer.contentType(), answer.headers());
        ByteBuffer bytes = answer.body();
        if (bytes.remaining() <= USUAL_ANSWER_BYTES) { // from here on, the server waits for the client
            connections.markSilent(connection());
        }
        response.write(true, bytes, callback);
    }
}
