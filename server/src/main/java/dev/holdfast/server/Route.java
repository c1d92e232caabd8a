package dev.holdfast.server;

import org.jspecify.annotations.Nullable;

/** Every path there is, with its method and the right it takes. */
enum Route {
    ACQUIRE("POST", "/v1/leases", Right.ACQUIRE),
    LEASE("GET", "/v1/leases/{id}", Right.ACQUIRE),
    EXTEND("POST", "/v1/leases/{id}/extend", Right.ACQUIRE),
    RELEASE("POST", "/v1/leases/{id}/release", Right.ACQUIRE),
    SEAL("POST", "/v1/leases/{id}/seal", Right.ACQUIRE),
    VALUE("POST", "/v1/leases/{id}/value", Right.ACQUIRE),
    STATUS("GET", "/v1/status", Right.READ),
    LIST("GET", "/v1/locks", Right.READ),
    BREAK("POST", "/v1/break", Right.ADMIN),
    NODES("GET", "/v1/nodes", Right.READ),
    EVENTS("GET", "/v1/events", Right.READ, "text/event-stream"),
    OVERVIEW("GET", "/v1/overview", Right.READ),
    TABLE("GET", "/v1/table", Right.READ),
    HISTORY("GET", "/v1/history", Right.READ),
    SESSION("GET", "/v1/session", Right.ACQUIRE),
    NODE("GET", "/v1/node", Right.ACQUIRE),
    OPENAPI("GET", "/v1/openapi.json", null),
    HEALTH("GET", "/healthz", null),
    READY("GET", "/readyz", null),
    METRICS("GET", "/metrics", Right.READ, Metrics.TYPE);

    final String method;
    final String path;

    /** As people and metrics call it. */
    final String word;

    /** Null if everybody may. */
    final @Nullable Right right;

    /** The form of its answer. */
    final String type;

    /** Whether what is asked for is a WebSocket. */
    boolean isWebSocket() {
        return this == NODE || this == SESSION;
    }

    Route(String method, String path, @Nullable Right right) {
        this(method, path, right, Json.TYPE);
    }

    Route(String method, String path, @Nullable Right right, String type) {
        this.method = method;
        this.path = path;
        this.word = Json.word(this);
        this.right = right;
        this.type = type;
    }
}
