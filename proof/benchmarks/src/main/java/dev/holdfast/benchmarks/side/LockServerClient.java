package dev.holdfast.benchmarks.side;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** A client of a lock server, over HTTP and JSON. */
final class LockServerClient implements LockClient {

    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    private final JsonOverHttp server;
    private final Map<String, NamedLock> locks = new ConcurrentHashMap<>();

    LockServerClient(String server) {
        this.server = new JsonOverHttp(server);
    }

    @Override
    public NamedLock lock(String name) {
        return locks.computeIfAbsent(name, first -> new RenamedLock(first, this::only));
    }

    private NamedLock only(String name) {
        String wanted = "{\"lock\":\"" + name + "\",\"ttl\":\"30s\",\"wait\":\"1h\"}";
        return () -> {
            String id = server.post("/v1/leases", wanted, ID);
            return () -> release(id);
        };
    }

    private void release(String id) {
        try {
            server.post("/v1/leases/" + id + "/release", "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        // nothing to close: the JDK's client ends once it is garbage-collected
    }
}
