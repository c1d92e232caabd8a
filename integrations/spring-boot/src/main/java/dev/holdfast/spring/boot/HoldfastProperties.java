package dev.holdfast.spring.boot;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * The properties of an application's client. A property that is not set has the default of {@link dev.holdfast.HoldfastBuilder}. A duration without a
 * unit is in seconds.
 *
 * @param nodes Comma-separated list of node URIs: one server, or three or more independent ones. By default the application's own Redis.
 * @param keyPrefix Prefix of the locks' keys.
 * @param clientName Name of the client that operators see as the holder. By default the application's name, host and process.
 * @param ttl How long nodes keep a lock after its holder has died. Waiters wait that long.
 * @param autoExtend Whether leases are extended automatically until they are released.
 * @param maxHold Maximum time that a lease is held, even if it is extended. By default unlimited.
 * @param localHandOver Whether threads of this application hand one lease over to each other.
 * @param linger How long a released lease is kept for its next use by this application.
 * @param waiterTtl How long nodes keep a waiter's position in the queue after its last request.
 * @param fenceRetention How long nodes keep the last token of a lock.
 * @param noQuorumTimeout How long an attempt without a wait limit continues while no majority of nodes answers.
 * @param restartQuarantine How long the votes of a node that may have lost its state do not count. By default the ttl of each request.
 * @param checkNodesAtStart Whether the start waits for the nodes, and fails if a majority cannot be reached or a node must not be used.
 * @param awaitNodesAtStart How long the start waits at most until a majority of the nodes is connected. Then the application starts without them. 0 does not
 *     wait.
 * @param node Settings of the connections to the nodes.
 * @param locked Settings of locked methods.
 * @param integration Settings of the lock registry for Spring Integration.
 */
@ConfigurationProperties("holdfast")
public record HoldfastProperties(
        @DefaultValue List<String> nodes,
        @Nullable String keyPrefix,
        @Nullable String clientName,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration ttl,
        @Nullable Boolean autoExtend,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration maxHold,
        @Nullable Boolean localHandOver,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration linger,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration waiterTtl,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration fenceRetention,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration noQuorumTimeout,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration restartQuarantine,
        @DefaultValue("false") boolean checkNodesAtStart,

        @DurationUnit(ChronoUnit.SECONDS) @DefaultValue("2s")
        Duration awaitNodesAtStart,

        @DefaultValue Node node,
        @DefaultValue Locked locked,
        @DefaultValue Integration integration) {

    public HoldfastProperties {
        nodes = List.copyOf(nodes);
    }

    /**
     * The settings of the connections to the nodes.
     *
     * @param username User of all nodes whose URIs have none.
     * @param password Password of all nodes whose URIs have none.
     * @param connectTimeout How long connecting to a node may take, including TLS and the handshake.
     * @param timeout How long one request to one node may take. By default a twentieth of the ttl, 5 to 500 ms.
     * @param sslBundle SSL bundle for nodes with rediss://, rediss-sentinel://, rediss-cluster:// and holdfasts://. By default Java's trust store.
     * @param sentinel Credentials of the sentinels in redis-sentinel:// and rediss-sentinel:// URIs.
     */
    public record Node(
            @Nullable String username,
            @Nullable String password,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration connectTimeout,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration timeout,
            @Nullable String sslBundle,
            @DefaultValue Sentinel sentinel) {

        /** Returns a text without the password. */
        @Override
        public String toString() {
            return "Node[username=" + username + ", password=" + (password == null ? "none" : "***")
                    + ", connectTimeout=" + connectTimeout + ", timeout=" + timeout + ", sslBundle=" + sslBundle
                    + ", sentinel="
                    + sentinel + "]";
        }
    }

    /**
     * The credentials of sentinels.
     *
     * @param username User of the sentinels. By default their default user.
     * @param password Password of the sentinels. By default none.
     */
    public record Sentinel(
            @Nullable String username, @Nullable String password) {

        /** Returns a text without the password. */
        @Override
        public String toString() {
            return "Sentinel[username=" + username + ", password=" + (password == null ? "none" : "***") + "]";
        }
    }

    /**
     * The settings of locked methods.
     *
     * @param order Order of the aspect among others. It must be smaller than that of transactions.
     * @param waitFor How long a method without its own limit waits for its lock.
     * @param assertHeld Whether transactions in the PostgreSQL database that is the only node assert the leases of locked methods before they commit.
     */
    public record Locked(
            @DefaultValue("2147482647") int order,

            @DefaultValue("30s") @DurationUnit(ChronoUnit.SECONDS)
            Duration waitFor,

            @DefaultValue("true") boolean assertHeld) {}

    /**
     * The settings of the lock registry for Spring Integration.
     *
     * @param registryKey Part before the colon in the names of its locks.
     */
    public record Integration(
            @DefaultValue("spring-integration") String registryKey) {}

    /** Returns a text without secrets, which URIs and passwords may contain. */
    @Override
    public String toString() {
        return "HoldfastProperties[" + nodes.size() + " nodes, " + node + ", " + locked + "]";
    }
}
