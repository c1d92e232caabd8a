package dev.holdfast.server.lease;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.node.OwnerId;
import dev.holdfast.server.message.Json;
import dev.holdfast.time.Ticker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which client of this server stands behind an owner id at the nodes, as long as it waits or holds. Of others' owners nothing is known here. Thread-safe.
 */
public final class Owners {

    /**
     * One of this server's clients, waiting for a lock or holding it.
     *
     * @param owner the owner id without its round
     * @param client a token's name, or an address
     * @param label what the client calls itself; null if it does not
     * @param sinceMillis when it was queued, and once it holds, when it was granted, by this server's wall clock
     * @param ttlMillis the ttl that it asked for
     */
    public record Known(
            String owner, String client, @Nullable String label, LockMode mode, long sinceMillis, long ttlMillis) {

        /** As events tell it. */
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

    /** Stands in line from now on. */
    Known waits(String owner, String client, LockRequest request) {
        return put(owner, client, request);
    }

    /** Holds from now on. */
    void holds(Lease lease, String client, LockRequest request) {
        put(owner(lease), client, request);
    }

    private Known put(String owner, String client, LockRequest request) {
        Known made = new Known(
                owner,
                client,
                request.label(),
                request.mode(),
                ticker.wallMillis(),
                request.ttl().toMillis());
        known.put(owner, made);
        return made;
    }

    void forget(String owner) {
        known.remove(owner);
    }

    /** Null for who is not a client of this server. */
    public @Nullable Known find(String owner) {
        return known.get(owner);
    }

    /** Of a lease of this server, also when it has just been forgotten. */
    Known of(ServedLease lease) {
        String owner = owner(lease.lease);
        Known found = known.get(owner);
        return found != null
                ? found
                : new Known(owner, lease.client, null, lease.lease.mode(), 0, lease.ttl.toMillis());
    }

    /** As the nodes' holders are told apart. */
    static String owner(Lease lease) {
        return withoutRound(lease.owner());
    }

    public static String withoutRound(String owner) {
        return OwnerId.parse(owner).map(OwnerId::withoutRound).orElse(owner);
    }
}
