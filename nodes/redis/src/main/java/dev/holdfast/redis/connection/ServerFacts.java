package dev.holdfast.redis.connection;

import dev.holdfast.lock.Persistence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a server that the handshake found.
 *
 * @param serverId the id that distinguishes it from every other server
 * @param version such as {@code redis 7.0.15}; null if not reported
 * @param run its run, which lasts from one start to the next
 * @param persistence the state that it keeps across restarts
 * @param warnings the warnings for an operator
 */
public record ServerFacts(
        String serverId, @Nullable String version, Run run, Persistence persistence, List<String> warnings) {

    public ServerFacts {
        warnings = List.copyOf(warnings);
    }

    /**
     * The run of a server. Times are by the server's clock.
     *
     * @param id a new one for every start; null if not reported
     * @param connectedMillis the time of the handshake
     * @param startedMillis the latest time at which this run can have begun; the time of the handshake if not reported
     * @param askedSinceMillis the time since which no other server can have answered in its place: the time of the handshake if a Sentinel
     *     named it, else 0
     * @param wasReplica whether the server has been a replica in this run, so that its state may lack the last writes of its primary
     */
    public record Run(
            @Nullable String id, long connectedMillis, long startedMillis, long askedSinceMillis, boolean wasReplica) {

        /** Returns the shortest time for which the server can have been running at the handshake. */
        public long ageMillis() {
            return connectedMillis - startedMillis;
        }
    }
}
