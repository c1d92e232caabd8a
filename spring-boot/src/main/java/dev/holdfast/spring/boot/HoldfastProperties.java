package dev.holdfast.spring.boot;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of an application's client. What is not set is as {@link dev.holdfast.HoldfastBuilder} has it.
 *
 * @param nodes URIs of the nodes: one, or three or more independent servers; the application's own Redis unless set
 * @param keyPrefix what the keys of locks begin with
 * @param clientName what people see as the holder; the application's name, host and process unless set
 * @param ttl how long nodes keep a lock whose holder died, and how long others wait then
 * @param autoExtend whether leases are extended by themselves until they are released
 * @param maxHold the longest time a lease lasts whatever happens; without end unless set
 * @param localHandOver whether threads of this application hand one lease on to each other
 * @param linger how long a lease is kept after its release for the next use by this application
 * @param waiterTtl how long a place in line is kept for a client that no longer asks
 * @param fenceRetention how long nodes remember the last token of a lock
 * @param restartQuarantine how long a node that may have lost its memory does not vote; the longest ttl in use unless set
 * @param checkNodesAtStart whether the start waits for the nodes, and fails if a majority can't be reached or one must not be used
 * @param node how nodes are reached
 * @param locked how methods are locked
 * @param integration the lock registry for Spring Integration
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
     * @param username the user of all nodes whose URIs have none
     * @param password the password of all nodes whose URIs have none
     * @param connectTimeout how long connecting, TLS and the handshake of one node may take
     * @param timeout how long one request to one node may take; a twentieth of the ttl, 5 to 500 ms, unless set
     * @param sslBundle the SSL bundle for nodes with rediss://; what Java trusts unless set
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
     * @param order where the aspect is among others; it must be smaller than that of transactions
     * @param waitFor how long a method waits for its lock that does not say so itself; without end unless set
     */
    public record Locked(
            @DefaultValue("2147482647") int order, @Nullable Duration waitFor) {}

    /**
     * The lock registry for Spring Integration.
     *
     * @param registryKey what stands before the colon in the names of its locks
     */
    public record Integration(
            @DefaultValue("spring-integration") String registryKey) {}

    /** Without what URIs and passwords may hold. */
    @Override
    public String toString() {
        return "HoldfastProperties[" + nodes.size() + " nodes, " + node + ", " + locked + "]";
    }
}
