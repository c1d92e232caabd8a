package dev.holdfast.server.http;

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

    /** What stands for bytes that are not UTF-8. */
    private static final char NOT_UTF_8 = '\uFFFD';

    final Request request;
    final Response response;
    final Callback callback;
    private final ByteBuffer body;

    Exchange(Request request, Response response, Callback callback, ByteBuffer body) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.body = body;
    }

    String method() {
        return request.getMethod();
    }

    /** The path as the client has sent it. No path of this server needs an escape, so none is decoded. */
    String path() {
        return String.valueOf(request.getHttpURI().getPath());
    }

    /** The id in the path of a route of a lease. */
    String leaseId() {
        String[] parts = path().split("/", -1);
        return parts[Route.ID_PART];
    }

    @Nullable
    String header(String name) {
        return request.getHeaders().get(name);
    }

    /** How long ago the first byte of the request came, by the monotonic clock, which is the ticker's in a process that serves. */
    long nanos(Ticker ticker) {
        return Math.max(ticker.nanos() - request.getBeginNanoTime(), 0);
    }

    /** The address of the client. */
    String address() {
        return Request.getRemoteAddr(request);
    }

    EndPoint connection() {
        return request.getConnectionMetaData().getConnection().getEndPoint();
    }

    /** Tells the access log what this request is: a {@link Route}, or the name of something else. */
    void recordRoute(Object route) {
        request.setAttribute(AccessLog.ROUTE, route);
    }

    /** Tells the access log which token the client has used. */
    void recordClient(String client) {
        request.setAttribute(AccessLog.CLIENT, client);
    }

    /** Tells the audit log why the server refuses the request. */
    void recordRefusal(@Nullable String why) {
        request.setAttribute(AccessLog.REFUSED, why);
    }

    /**
     * Returns the fields of the body.
     *
     * @param known the fields that it may have
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
     * Returns the parameters of the query. One that is not known is a mistake, as an unknown field is.
     *
     * @param known the parameters that it may have, each once
     * @throws Problem if it has others, or one is not percent-encoded UTF-8
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
            if (decoded.indexOf(NOT_UTF_8) < 0) {
                return decoded;
            }
        } catch (IllegalArgumentException e) {
            // a percent sign without two hexadecimal digits
        }
        throw Problem.badRequest("The parameter '" + what + "' is not percent-encoded UTF-8.");
    }

    /** Writes the headers that every answer has, and these. */
    void writeHead(int status, String contentType, Map<String, String> headers) {
        response.setStatus(status);
        Headers.of(request.isSecure()).forEach(response.getHeaders()::put);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        headers.forEach((name, value) -> response.getHeaders().put(new HttpField(name, value)));
    }

    void write(Answer answer) {
        writeHead(answer.status(), answer.contentType(), answer.headers());
        response.write(true, ByteBuffer.wrap(answer.body().getBytes(StandardCharsets.UTF_8)), callback);
    }
}
