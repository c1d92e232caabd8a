package dev.holdfast.server.http;

import dev.holdfast.server.caller.Permission;
import dev.holdfast.server.message.Json;
import org.jspecify.annotations.Nullable;

/** Every path there is, with its method and the right it takes. */
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
    NODES("GET", "/v1/nodes", Permission.READ),
    EVENTS("GET", "/v1/events", Permission.READ, "text/event-stream"),
    OVERVIEW("GET", "/v1/overview", Permission.READ),
    TABLE("GET", "/v1/table", Permission.READ),
    HISTORY("GET", "/v1/history", Permission.READ),
    SESSION("GET", "/v1/session", Permission.ACQUIRE),
    NODE("GET", "/v1/node", Permission.ACQUIRE),
    OPENAPI("GET", "/v1/openapi.json", null),
    HEALTH("GET", "/healthz", null),
    READY("GET", "/readyz", null),
    METRICS("GET", "/metrics", Permission.READ, Metrics.TYPE);

    public final String method;
    public final String path;

    /** As people and metrics call it. */
    final String word;

    /** Null if everybody may. */
    public final @Nullable Permission right;

    /** The form of its answer. */
    final String type;

    /** Whether what is asked for is a WebSocket. */
    boolean isWebSocket() {
        return this == NODE || this == SESSION;
    }

    /** The path, as logs show it. */
    @Override
    public String toString() {
        return path;
    }

    Route(String method, String path, @Nullable Permission right) {
        this(method, path, right, Json.TYPE);
    }

    Route(String method, String path, @Nullable Permission right, String type) {
        this.method = method;
        this.path = path;
        this.word = Json.word(this);
        this.right = right;
        this.type = type;
    }
}
