package dev.holdfast.lock;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a node is, for people.
 *
 * @param name {@link dev.holdfast.node.LockNode#name}
 * @param state whether it can be asked
 * @param detail why not, in words; empty if there is nothing to say
 * @param serverId what tells this server from every other one, if it is known
 * @param version the server's kind and version, if known, such as {@code redis 7.0.15}
 * @param uptime since the server started; null if not known
 * @param roundTrip of the question that this status answers; null if there was no answer
 * @param clockOffset the node's wall clock less this machine's, to within half a round trip; null if not known
 * @param quarantine how long the node stays in quarantine, 0 if it is not
 * @param warnings what an operator should know, such as an eviction policy that may drop locks
 * @param persistence what it keeps when it restarts
 */
public record NodeStatus(
        String name,
        State state,
        String detail,
        @Nullable String serverId,
        @Nullable String version,
        @Nullable Duration uptime,
        @Nullable Duration roundTrip,
        @Nullable Duration clockOffset,
        Duration quarantine,
        List<String> warnings,
        Persistence persistence) {

    /** Whether a node can be asked. */
    public enum State {
        /** It votes. */
        UP,
        /** It can be reached, but its votes do not count yet (PROTOCOL §5). */
        QUARANTINED,
        /** It can't be reached; connecting goes on. */
        DOWN,
        /** It must not be used, see the detail. */
        REFUSED,
    }

    public NodeStatus {
        warnings = List.copyOf(warnings);
    }

    /** One that does not say what it keeps when it restarts. */
    public NodeStatus(
            String name,
            State state,
            String detail,
            @Nullable String serverId,
            @Nullable String version,
            @Nullable Duration uptime,
            @Nullable Duration roundTrip,
            @Nullable Duration clockOffset,
            Duration quarantine,
            List<String> warnings) {
        this(
                name,
                state,
                detail,
                serverId,
                version,
                uptime,
                roundTrip,
                clockOffset,
                quarantine,
                warnings,
                Persistence.UNKNOWN);
    }

    /** A node that can't be asked, and nothing else is known. */
    public static NodeStatus unreachable(String name, State state, String detail) {
        return new NodeStatus(name, state, detail, null, null, null, null, null, Duration.ZERO, List.of());
    }

    /** The same node, which must not be used for this reason. */
    public NodeStatus refused(String reason) {
        return new NodeStatus(
                name,
                State.REFUSED,
                reason,
                serverId,
                version,
                uptime,
                roundTrip,
                clockOffset,
                quarantine,
                warnings,
                persistence);
    }
}
