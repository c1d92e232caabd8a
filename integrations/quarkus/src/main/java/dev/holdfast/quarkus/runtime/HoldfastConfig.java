package dev.holdfast.quarkus.runtime;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of the application's client. A setting that is not set has the default of {@link dev.holdfast.HoldfastBuilder}. A duration without a
 * unit is in seconds.
 */
@ConfigMapping(prefix = "quarkus.holdfast")
@ConfigRoot(phase = ConfigPhase.RUN_TIME)
public interface HoldfastConfig {

    /** Comma-separated list of node URIs: one server, or three or more independent ones. In dev and test mode, Dev Services start nodes if none is set. */
    Optional<List<String>> nodes();

    /** Prefix of the locks' keys. */
    Optional<String> keyPrefix();

    /** Name of the client that operators see as the holder. By default the application's name, host and process. */
    Optional<String> clientName();

    /** How long nodes keep a lock after its holder has died. Waiters wait that long. */
    Optional<Duration> ttl();

    /** Whether leases are extended automatically until they are released. */
    Optional<Boolean> autoExtend();

    /** Maximum time that a lease is held, even if it is extended. By default unlimited. */
    Optional<Duration> maxHold();

    /** Whether threads of this application hand one lease over to each other. */
    Optional<Boolean> localHandOver();

    /** How long a released lease is kept for its next use by this application. */
    Optional<Duration> linger();

    /** How long nodes keep a waiter's position in the queue after its last request. */
    Optional<Duration> waiterTtl();

    /** How long nodes keep the last token of a lock. */
    Optional<Duration> fenceRetention();

    /** How long an attempt without a wait limit continues while no majority of nodes answers. */
    Optional<Duration> noQuorumTimeout();

    /** How long the votes of a node that may have lost its state do not count. By default the ttl of each request. */
    Optional<Duration> restartQuarantine();

    /** Whether the start waits for the nodes, and fails if a majority cannot be reached or a node must not be used. */
    @WithDefault("false")
    boolean checkNodesAtStart();

    /** Settings of the connections to the nodes. */
    NodeConfig node();

    /** Settings of locked methods. */
    LockedConfig locked();

    /** The settings of the connections to the nodes. */
    interface NodeConfig {

        /** User of all nodes whose URIs have none. */
        Optional<String> username();

        /** Password of all nodes whose URIs have none. */
        Optional<String> password();

        /** How long connecting to a node may take, including TLS and the handshake. */
        Optional<Duration> connectTimeout();

        /** How long one request to one node may take. By default a twentieth of the ttl, 5 to 500 ms. */
        Optional<Duration> timeout();

        /** Credentials of the sentinels in redis-sentinel:// and rediss-sentinel:// URIs. */
        SentinelConfig sentinel();

        /** TLS for nodes with rediss:// URIs and their kin. */
        TlsConfig tls();
    }

    /** The credentials of sentinels. */
    interface SentinelConfig {

        /** User of the sentinels. By default their default user. */
        Optional<String> username();

        /** Password of the sentinels. By default none. */
        Optional<String> password();
    }

    /** The certificates of TLS connections. */
    interface TlsConfig {

        /** PEM file with the certificates to trust. By default Java's trust store. */
        Optional<String> trustedCertificates();

        /** PEM file with the client's certificate. */
        Optional<String> clientCertificate();

        /** PEM file with the key of the client's certificate. */
        Optional<String> clientKey();

        /** Whether a node's certificate must name its host. */
        Optional<Boolean> verifyHostname();
    }

    /** The settings of locked methods. */
    interface LockedConfig {

        /** How long a method without its own limit waits for its lock. */
        @WithDefault("30s")
        Duration waitFor();
    }
}
