package dev.holdfast.server.lease;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.SealedWork;
import dev.holdfast.node.OwnerId;
import dev.holdfast.server.message.Json;
import dev.holdfast.time.Ticker;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

        /** Returns the name for people: the label with the client, or the client alone. */
        public String name() {
            return label == null ? client : "'" + label + "' (" + client + ")";
        }

        /** Replaces the name of the server that acquired the lease by the client's name. The nodes know only the server. */
        String named(String text) {
            int end = owner.indexOf('~');
            return end < 0
                    ? text
                    : Pattern.compile("(by|behind) " + Pattern.quote(owner.substring(0, end)) + "(?=[\\s,;\\]]|$)")
                            .matcher(text)
                            .replaceAll("$1 " + Matcher.quoteReplacement(name()));
        }

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

    private static final int MOST_SEALERS = 1_000;

    private final Ticker ticker;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** The last clients that have declared work done, by their owner ids. Its monitor guards it. */
    private final Map<String, Known> sealers = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
            return size() > MOST_SEALERS;
        }
    };

    public Owners(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Adds an owner that waits from now on. */
    Known waits(String owner, String client, LockRequest request) {
        return put(owner, client, request);
    }

    /** Adds an owner that holds from now on. */
    void holds(ServedLease lease, LockRequest request) {
        put(lease.owner, lease.client, request);
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

    /** Remembers the client of a lease under which the work was declared done. */
    void sealed(ServedLease lease) {
        synchronized (sealers) {
            sealers.put(lease.owner, of(lease));
        }
    }

    /** Returns the client that has declared the work done; null if it is not one of the last clients of this server that have done so. */
    public @Nullable Known sealer(SealedWork work) {
        synchronized (sealers) {
            return sealers.get(withoutRound(work.by()));
        }
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

    public static String withoutRound(String owner) {
        return OwnerId.parse(owner).map(OwnerId::withoutRound).orElse(owner);
    }
}
