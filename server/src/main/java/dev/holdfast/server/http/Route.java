package dev.holdfast.server.http;

import dev.holdfast.server.caller.Permission;
import dev.holdfast.server.message.Json;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The paths of the server, each with its method and the right that it needs. */
public enum Route {
    ACQUIRE("POST", "/v1/leases", Permission.ACQUIRE),
    LEASE("GET", "/v1/leases/{id}", Permission.ACQUIRE),
    EXTEND("POST", "/v1/leases/{id}/extend", Permission.ACQUIRE),
    RELEASE("POST", "/v1/leases/{id}/release", Permission.ACQUIRE),
    SEAL("POST", "/v1/leases/{id}/seal", Permission.ACQUIRE),
    VALUE("POST", "/v1/leases/{id}/value", Permission.ACQUIRE),
    STATUS("GET", "/v1/status", Permission.READ),
    LIST("GET", "/v1/locks", Permission.READ),
    BREAK("POST", "/v1/break", Permission.ADMIN),
    STANDING("GET", "/v1/bootstrap", Permission.ADMIN),
    BOOTSTRAP("POST", "/v1/bootstrap", Permission.ADMIN),
    NODES("GET", "/v1/nodes", Permission.READ),
    CLUSTER("GET", "/v1/cluster", Permission.READ),
    CLUSTER_ADD("POST", "/v1/cluster/add", Permission.ADMIN),
    CLUSTER_REMOVE("POST", "/v1/cluster/remove", Permission.ADMIN),
    CLUSTER_TRANSFER("POST", "/v1/cluster/transfer", Permission.ADMIN),
    CLUSTER_BACKUP("GET", "/v1/cluster/backup", Permission.ADMIN),
    EVENTS("GET", "/v1/events", Permission.READ, "text/event-stream"),
    OVERVIEW("GET", "/v1/overview", Permission.READ),
    TABLE("GET", "/v1/table", Permission.READ),
    HISTORY("GET", "/v1/history", Permission.READ),
    LOSSES("GET", "/v1/losses", Permission.READ),
    WAITS("GET", "/v1/waits", Permission.READ),
    GROUPS("GET", "/v1/groups", Permission.READ),
    SESSION("GET", "/v1/session", Permission.ACQUIRE),
    NODE("GET", "/v1/node", Permission.ACQUIRE),
    OPENAPI("GET", "/v1/openapi.json", null),
    HEALTH("GET", "/healthz", null),
    READY("GET", "/readyz", null),
    METRICS("GET", "/metrics", Permission.READ, Metrics.TYPE);

    /** The index of the id within a path that has one, counted from 0 in front of the first slash. */
    static final int ID_PART = 3;

    public final String method;
    public final String path;
    private final Pattern form;

    /** The route's name in metrics and for people. */
    final String word;

    /** The right that the route needs; null for none. */
    public final @Nullable Permission right;

    /** The media type of the route's answer. */
    final String type;

    Route(String method, String path, @Nullable Permission right) {
        this(method, path, right, Json.TYPE);
    }

    Route(String method, String path, @Nullable Permission right, String type) {
        this.method = method;
        this.path = path;
        this.form = Pattern.compile(path.replace(".", "\\.").replace("{id}", "[^/]+"));
        this.word = Json.word(this);
        this.right = right;
        this.type = type;
    }

    /** Returns whether the request checks the health of the server. */
    boolean isCheck() {
        return this == HEALTH || this == READY;
    }

    /** Returns whether the answer has data of locks or nodes, and the request changes nothing. */
    boolean isQuery() {
        return method.equals("GET") && right != null;
    }

    /** Returns whether the answer is a WebSocket. */
    boolean isWebSocket() {
        return this == NODE || this == SESSION;
    }

    boolean hasPath(String asked) {
        return form.matcher(asked).matches();
    }

    /** Returns the methods of the requests that the route answers; HEAD is a GET without a body. */
    Set<String> methods() {
        return method.equals("GET") && this != EVENTS ? Set.of(method, "HEAD") : Set.of(method);
    }

    boolean hasMethod(String asked) {
        return methods().contains(asked);
    }

    /** Returns the path, as logs show it. */
    @Override
    public String toString() {
        return path;
    }
}
