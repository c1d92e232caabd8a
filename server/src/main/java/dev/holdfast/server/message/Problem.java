package dev.holdfast.server.message;

import dev.holdfast.lock.LockListing;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Refusal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The reason for a rejected request, in the form of RFC 9457 ("Problem Details for HTTP APIs"). It has no stack trace, since no client may see one. */
public final class Problem extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** The kinds of problems, each with the last part of its {@code type}, its status, and its title. */
    public enum Kind {
        BAD_REQUEST(400, "The request is wrong"),
        UNAUTHORIZED(401, "A valid token is needed"),
        FORBIDDEN(403, "The token does not grant this right"),
        FOREIGN_ORIGIN(403, "The request comes from a page of another origin"),
        NOT_FOUND(404, "Not found"),
        METHOD_NOT_ALLOWED(405, "This path does not support the method"),
        NOT_ACCEPTABLE(406, "The request does not accept the type of the answer"),
        HELD(409, "Another client holds the lock"),
        SEALED(409, "The work under this lock was declared done"),
        WRONG_MODE(409, "The mode of the lease does not allow this"),
        NOT_NEW(409, "The node is not new"),
        CLUSTER_UNCHANGED(409, "The cluster was not changed"),
        KEY_SPENT(409, "The lease of this Idempotency-Key has ended"),
        LEASE_ENDED(410, "The lease has ended"),
        TOO_LARGE(413, "The request is too large"),
        UNSUPPORTED_MEDIA_TYPE(415, "The body must be JSON, without Content-Encoding"),
        MISDIRECTED(421, "The request was not meant for this server"),
        KEY_REUSED(422, "The Idempotency-Key was used for another request"),
        UPGRADE_REQUIRED(426, "This path is for WebSockets"),
        TOO_MANY(429, "A limit is reached"),
        INTERNAL(500, "The server failed"),
        NOT_IMPLEMENTED(501, "The server does not support the transfer coding"),
        NO_QUORUM(503, "No majority of nodes"),
        UNCONFIRMED(503, "No majority of nodes has confirmed it"),
        STOPPING(503, "The server is stopping");

        public final int status;
        final String title;

        Kind(int status, String title) {
            this.status = status;
            this.title = title;
        }

        /** Returns a URN, since there is no page to link to. */
        String type() {
            return "urn:holdfast:problem:" + word();
        }

        String word() {
            return Json.word(this);
        }
    }

    private final Kind kind;
    private final int status;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final transient ObjectNode more = Json.object();

    public Problem(Kind kind, String detail) {
        this(kind, kind.status, detail);
    }

    private Problem(Kind kind, int status, String detail) {
        super(detail, null, false, false);
        this.kind = kind;
        this.status = status;
    }

    /** Returns the problem for a status that the web server itself has set. The answer contains none of the web server's own text. */
    public static Problem ofStatus(int status) {
        return switch (status) {
            case 404 -> notFound();
            case 408 -> new Problem(Kind.BAD_REQUEST, status, "The request has not arrived in time.");
            case 413 -> new Problem(Kind.TOO_LARGE, "The body has more than " + Body.MOST_BODY_BYTES + " bytes.");
            case 414 -> new Problem(Kind.TOO_LARGE, status, "The path and the query are too long.");
            case 417 ->
                new Problem(
                        Kind.BAD_REQUEST, status, "The header 'Expect' is not known here, except with 100-continue.");
            case 426 -> ofStatus(505); // the web server answers HTTP/2.0 so
            case 431 -> new Problem(Kind.TOO_LARGE, status, "The headers are too large.");
            case 501 ->
                new Problem(
                        Kind.NOT_IMPLEMENTED,
                        "The header 'Transfer-Encoding' has another coding than 'chunked'; send the body with 'Transfer-Encoding: chunked' or with Content-Length.");
            case 503 -> stopping(); // the web server sets this status for no other reason
            case 505 ->
                new Problem(
                        Kind.BAD_REQUEST, status, "This server does not support this version of HTTP; send HTTP/1.1.");
            default ->
                status >= 400 && status < 500
                        ? new Problem(
                                Kind.BAD_REQUEST,
                                status,
                                "The request is not valid HTTP: its first line, a header or its body is malformed.")
                        : new Problem(Kind.INTERNAL, "The server failed; its log says why.");
        };
    }

    /** Returns why an attempt got no lease. */
    public static Problem of(Refusal refusal) {
        String message = refusal.message();
        Problem problem = switch (refusal.reason()) {
            case HELD, LOST -> new Problem(Kind.HELD, message);
            case SEALED -> new Problem(Kind.SEALED, message);
            case NO_QUORUM -> new Problem(Kind.NO_QUORUM, message);
            case CANCELLED, CLOSED -> stopping();
        };
        problem.more.put("lock", refusal.lock());
        problem.more.put("waitedMillis", refusal.waited().toMillis());
        ArrayNode nodes = problem.more.putArray("nodes");
        for (NodeReport report : refusal.nodes()) {
            nodes.add(node(report));
        }
        if (refusal.seal() != null) {
            problem.more.set("seal", Json.of(refusal.seal()));
        }
        return problem;
    }

    /** Returns why there is no list: too few nodes answered, so locks that are held may be missing. */
    public static Problem of(LockListing listing) {
        return new Problem(
                Kind.NO_QUORUM,
                "Only " + listing.answered() + " of " + listing.nodes() + " nodes listed their locks ["
                        + String.join("; ", listing.problems()) + "].");
    }

    private static ObjectNode node(NodeReport report) {
        Duration remaining = report.remaining();
        ObjectNode node = Json.object();
        node.put("node", report.node());
        node.put("answer", Json.word(report.kind()));
        node.put("detail", report.detail());
        node.put("remainingMillis", remaining == null ? null : Long.valueOf(remaining.toMillis()));
        node.put("place", report.place() > 0 ? Integer.valueOf(report.place()) : null);
        return node;
    }

    public static Problem badRequest(String detail) {
        return new Problem(Kind.BAD_REQUEST, detail);
    }

    public static Problem notFound() {
        return new Problem(
                Kind.NOT_FOUND, "There is nothing at this path; '/v1/openapi.json' describes what there is.");
    }

    /** Returns the problem for a correct path with a wrong method; the path takes only these methods. */
    public static Problem methodNotAllowed(SortedSet<String> methods) {
        String allowed = String.join(", ", methods);
        return new Problem(Kind.METHOD_NOT_ALLOWED, "This path takes " + allowed + " only.").header("Allow", allowed);
    }

    public static Problem stopping() {
        return new Problem(Kind.STOPPING, "The server is stopping and grants no more locks.")
                .header("Retry-After", "5");
    }

    public Problem header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    public Problem with(String name, @Nullable String value) {
        more.put(name, value);
        return this;
    }

    public Problem with(String name, long value) {
        more.put(name, value);
        return this;
    }

    /** Returns whether the server rejected the request because of its caller. */
    public boolean isForTheAudit() {
        return kind == Kind.UNAUTHORIZED
                || kind == Kind.FORBIDDEN
                || kind == Kind.FOREIGN_ORIGIN
                || kind == Kind.MISDIRECTED;
    }

    Kind kind() {
        return kind;
    }

    /** Returns the answer. */
    public Answer answer() {
        return new Answer(status, "application/problem+json", Json.text(json()), headers);
    }

    /** Returns the answer's body. */
    public ObjectNode json() {
        ObjectNode body = Json.object();
        body.put("type", kind.type());
        body.put("title", kind.title);
        body.put("status", status);
        body.put("detail", getMessage());
        body.setAll(more);
        return body;
    }
}
