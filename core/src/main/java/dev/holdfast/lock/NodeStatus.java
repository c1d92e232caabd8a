package dev.holdfast.lock;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a node, for people.
 *
 * @param name {@link dev.holdfast.node.LockNode#name}
 * @param state whether the client can send requests to the node
 * @param detail the reason if the node is not up, for people; may be empty
 * @param roundTrip the round trip of the request that returned this status; null if there was no answer
 * @param quarantine how long the node stays in quarantine; 0 if it is not quarantined
 * @param server what is known of the server behind the node
 */
public record NodeStatus(
        String name, State state, String detail, @Nullable Duration roundTrip, Duration quarantine, Server server) {

    /**
     * The server behind a node.
     *
     * @param id the identity of the server, which no other server shares; null if not known
     * @param version the server's kind and version, such as {@code redis 7.0.15}; null if not known
     * @param uptime the time since the server started; null if not known
     * @param clockOffset the server's wall clock minus this machine's, to within half a round trip; null if not known
     * @param persistence the kinds of state that the server keeps across a restart
     * @param warnings the problems that an operator should know, such as an eviction policy that may drop locks
     */
    public record Server(
            @Nullable String id,
            @Nullable String version,
            @Nullable Duration uptime,
            @Nullable Duration clockOffset,
            Persistence persistence,
            List<String> warnings) {

        /** A server of which nothing is known. */
        public static final Server UNKNOWN = new Server(null, null, null, null, Persistence.UNKNOWN, List.of());

        public Server {
            warnings = List.copyOf(warnings);
        }
    }

    /** The ability of a node to answer requests. */
    public enum State {
        /** The node votes. */
        UP,
        /** The client can reach the node, but its votes do not count yet (PROTOCOL §5). */
        QUARANTINED,
        /** The client cannot reach the node, and keeps trying to connect. */
        DOWN,
        /** The client must not use the node; the detail says why. */
        REFUSED,
    }

    /** Returns the status of a node that the client cannot ask, and about which it knows nothing else. */
    public static NodeStatus unreachable(String name, State state, String detail) {
        return new NodeStatus(name, state, detail, null, Duration.ZERO, Server.UNKNOWN);
    }

    /** Returns the same status with the state {@link State#REFUSED}, because the client must not use the node. */
    public NodeStatus refused(String reason) {
        return new NodeStatus(name, State.REFUSED, reason, roundTrip, quarantine, server);
    }
}
