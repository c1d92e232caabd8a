package dev.holdfast.redis.connection;

import dev.holdfast.lock.Persistence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the handshake found out about a server. Times are by the server's clock.
 *
 * @param serverId what tells it from every other server
 * @param runId a new one for every start; null if it does not tell
 * @param version such as {@code redis 7.0.15}; null if it does not tell
 * @param connectedMillis the time of the handshake
 * @param startedMillis when this run began at the latest; the time of the handshake if it does not tell
 * @param askedSinceMillis since when no other server can have been asked in its place: the time of the handshake if a Sentinel named it,
 *     else 0
 * @param wasReplica whether the server has been a replica in this run, so that its state may lack what its primary had last
 * @param persistence what it keeps when it restarts
 * @param warnings what an operator should know
 */
public record ServerFacts(
        String serverId,
        @Nullable String runId,
        @Nullable String version,
        long connectedMillis,
        long startedMillis,
        long askedSinceMillis,
        boolean wasReplica,
        Persistence persistence,
        List<String> warnings) {

    public ServerFacts {
        warnings = List.copyOf(warnings);
    }

    /** How long it had run at least when it was asked. */
    public long ageMillis() {
        return connectedMillis - startedMillis;
    }
}
