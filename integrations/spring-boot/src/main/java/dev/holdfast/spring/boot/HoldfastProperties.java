package dev.holdfast.spring.boot;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of an application's client. What is not set is as {@link dev.holdfast.HoldfastBuilder} has it.
 *
 * @param nodes Comma-separated list of node URIs: one, or three or more independent servers. The application's own Redis unless set.
 * @param keyPrefix What the keys of locks begin with.
 * @param clientName What people see as the holder; the application's name, host and process unless set.
 * @param ttl How long nodes keep a lock whose holder died, and how long others wait then.
 * @param autoExtend Whether leases are extended by themselves until they are released.
 * @param maxHold The longest time a lease lasts whatever happens; without end unless set.
 * @param localHandOver Whether threads of this application hand one lease on to each other.
 * @param linger How long a lease is kept after its release for the next use by this application.
 * @param waiterTtl How long a place in line is kept for a client that no longer asks.
 * @param fenceRetention How long nodes remember the last token of a lock.
 * @param noQuorumTimeout How long an attempt without a limit goes on while no majority of nodes answers.
 * @param restartQuarantine How long a node that may have lost its state does not count; the ttl of each request unless set.
 * @param checkNodesAtStart Whether the start waits for the nodes, and fails if a majority can't be reached or one must not be used.
 * @param node How nodes are reached.
 * @param locked How methods are locked.
 * @param integration The lock registry for Spring Integration.
 */
@ConfigurationProperties("holdfast")
public record HoldfastProperties(
        @DefaultValue List<String> nodes,
        @Nullable String keyPrefix,
        @Nullable String clientName,
        @Nullable Duration ttl,
        @Nullable Boolean autoExtend,
        @Nullable Duration maxHold,
        @Nullable Boolean localHandOver,
        @Nullable Duration linger,
        @Nullable Duration waiterTtl,
        @Nullable Duration fenceRetention,
        @Nullable Duration noQuorumTimeout,
        @Nullable Duration restartQuarantine,
        @DefaultValue("false") boolean checkNodesAtStart,
        @DefaultValue Node node,
        @DefaultValue Locked locked,
        @DefaultValue Integration integration) {

    public HoldfastProperties {
        nodes = List.copyOf(nodes);
    }

    /**
     * How nodes are reached.
     *
     * @param username The user of all nodes whose URIs have none.
     * @param password The password of all nodes whose URIs have none.
     * @param connectTimeout How long connecting, TLS and the handshake of one node may take.
     * @param timeout How long one request to one node may take; a twentieth of the ttl, 5 to 500 ms, unless set.
     * @param sslBundle The SSL bundle for nodes with rediss://; what Java trusts unless set.
     */
    public record Node(
            @Nullable String username,
            @Nullable String password,
            @Nullable Duration connectTimeout,
            @Nullable Duration timeout,
            @Nullable String sslBundle) {

        /** Without the password. */
        @Override
        public String toString() {
            return "Node[username=" + username + ", password=" + (password == null ? "none" : "***")
                    + ", connectTimeout=" + connectTimeout + ", timeout=" + timeout + ", sslBundle=" + sslBundle + "]";
        }
    }

    /**
     * How methods are locked.
     *
     * @param order Where the aspect is among others; it must be smaller than that of transactions.
     * @param waitFor How long a method waits for its lock that does not say so itself; without end unless set.
     */
    public record Locked(
            @DefaultValue("2147482647") int order, @Nullable Duration waitFor) {}

    /**
     * The lock registry for Spring Integration.
     *
     * @param registryKey What stands before the colon in the names of its locks.
     */
    public record Integration(
            @DefaultValue("spring-integration") String registryKey) {}

    /** Without what URIs and passwords may hold. */
    @Override
    public String toString() {
        return "HoldfastProperties[" + nodes.size() + " nodes, " + node + ", " + locked + "]";
    }
}
