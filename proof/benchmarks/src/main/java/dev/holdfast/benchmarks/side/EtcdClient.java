package dev.holdfast.benchmarks.side;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * A client of etcd's lock service, over HTTP and JSON. Each lock has a lease, as in a client's session. The lease is
 * granted at the first acquire, and lasts longer than the measurement.
 */
final class EtcdClient implements LockClient {

    private static final String GRANT = "{\"TTL\":3600}";
    private static final Pattern LEASE = Pattern.compile("\"ID\":\"([0-9]+)\"");
    private static final Pattern KEY = Pattern.compile("\"key\":\"([^\"]+)\"");

    private final JsonOverHttp server;
    private final Map<String, NamedLock> locks = new ConcurrentHashMap<>();

    EtcdClient(String server) {
        this.server = new JsonOverHttp(server);
    }

    @Override
    public NamedLock lock(String name) {
        return locks.computeIfAbsent(name, first -> new RenamedLock(first, this::only));
    }

    private NamedLock only(String name) {
        return new NamedLock() {
            private String wanted = "";

            @Override
            public Held acquire() throws InterruptedException {
                if (wanted.isEmpty()) {
                    String coded = Base64.getEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8));
                    wanted = "{\"name\":\"" + coded + "\",\"lease\":\"" + server.post("/v3/lease/grant", GRANT, LEASE)
                            + "\"}";
                }
                String key = server.post("/v3/lock/lock", wanted, KEY);
                return () -> release(key);
            }
        };
    }

    private void release(String key) {
        try {
            server.post("/v3/lock/unlock", "{\"key\":\"" + key + "\"}");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        // the JDK's client ends once nothing refers to it
    }
}
