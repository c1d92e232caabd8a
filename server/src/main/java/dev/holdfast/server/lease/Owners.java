package dev.holdfast.server.lease;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.OwnerId;
import dev.holdfast.server.message.Json;
import dev.holdfast.time.Ticker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The clients of this server by their owner ids at the nodes, while they wait or hold. The owners of other clients are unknown here. Thread-safe. */
public final class Owners {

    /**
     * A client of this server that waits for a lock or holds it.
     *
     * @param owner the owner id without its round
     * @param client a token's name, or an address
     * @param label the client's name for itself; null if it has none
     * @param sinceMillis when the client was queued, or when its lock was granted, in ms of this server's wall clock
     * @param ttlMillis the requested ttl in ms
     */
    public record Known(
            String owner, String client, @Nullable String label, LockMode mode, long sinceMillis, long ttlMillis) {

        /** Returns the form for events. */
        ObjectNode json() {
            return Json.object()
                    .put("owner", owner)
                    .put("client", client)
                    .put("label", label)
                    .put("mode", mode.name())
                    .put("sinceMillis", sinceMillis);
        }
    }

    private final Ticker ticker;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    public Owners(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Adds an owner that waits from now on. */
    Known waits(String owner, String client, LockRequest request) {
        return put(owner, client, request, ticker.wallMillis());
    }

    /** Adds an owner that has held since its grant. */
    void holds(ServedLease lease, LockRequest request) {
        put(lease.owner, lease.client, request, lease.grantedAtMillis());
    }

    private Known put(String owner, String client, LockRequest request, long sinceMillis) {
        Known made = new Known(
                owner,
                client,
                request.label(),
                request.mode(),
                sinceMillis,
                request.ttl().toMillis());
        known.put(owner, made);
        return made;
    }

    void forget(String owner) {
        known.remove(owner);
    }

    /** Returns the client with this owner id; null if it is not a client of this server. */
    public @Nullable Known find(String owner) {
        return known.get(owner);
    }

    /** Returns the owner of a lease of this server, even if it has just been removed. */
    Known of(ServedLease lease) {
        Known found = known.get(lease.owner);
        return found != null ? found : new Known(lease.owner, lease.client, null, lease.mode, 0, lease.ttl.toMillis());
    }

    /** Returns the owner id without its round and its label; all of the text if it is not an owner id. */
    public static String withoutRound(String owner) {
        return OwnerId.parse(owner).map(OwnerId::withoutRound).orElse(owner);
    }
}
