package dev.holdfast.cdi.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings of the application's client. A setting that is not set has the default of {@link dev.holdfast.HoldfastBuilder}. */
public interface ClientSettings {

    /** Returns the comma-separated list of node URIs: one server, or three or more independent ones. */
    Optional<List<String>> nodes();

    /** Returns the prefix of the locks' keys. */
    Optional<String> keyPrefix();

    /** Returns the name of the client that operators see as the holder. By default the application's name, host and process. */
    Optional<String> clientName();

    /** Returns how long nodes keep a lock after its holder has died. Waiters wait that long. */
    Optional<Duration> ttl();

    /** Returns whether leases are extended automatically until they are released. */
    Optional<Boolean> autoExtend();

    /** Returns the maximum time that a lease is held, even if it is extended. By default unlimited. */
    Optional<Duration> maxHold();

    /** Returns whether threads of this application hand one lease over to each other. */
    Optional<Boolean> localHandOver();

    /** Returns how long a released lease is kept for its next use by this application. */
    Optional<Duration> linger();

    /** Returns how long nodes keep a waiter's position in the queue after its last request. */
    Optional<Duration> waiterTtl();

    /** Returns how long nodes keep the last token of a lock. */
    Optional<Duration> fenceRetention();

    /** Returns how long an attempt without a wait limit continues while no majority of nodes answers. */
    Optional<Duration> noQuorumTimeout();

    /** Returns how long the votes of a node that may have lost its state do not count. By default the ttl of each request. */
    Optional<Duration> restartQuarantine();

    /**
     * Returns whether the start waits for the nodes, and fails if a majority cannot be reached or a node must not be used. By default it does not wait.
     */
    Optional<Boolean> checkNodesAtStart();

    /** Returns the settings of the connections to the nodes. */
    NodeSettings node();

    /** Returns the settings of locked methods. */
    MethodSettings locked();

    /** The settings of the connections to the nodes. */
    interface NodeSettings {

        /** Returns the user of all nodes whose URIs have none. */
        Optional<String> username();

        /** Returns the password of all nodes whose URIs have none. */
        Optional<String> password();

        /** Returns how long connecting to a node may take, including TLS and the handshake. */
        Optional<Duration> connectTimeout();

        /** Returns how long one request to one node may take. By default a twentieth of the ttl, 5 to 500 ms. */
        Optional<Duration> timeout();

        /** Returns the credentials of the sentinels in redis-sentinel:// and rediss-sentinel:// URIs. */
        SentinelSettings sentinel();

        /** Returns the TLS settings for nodes whose URIs ask for TLS, such as rediss://. */
        TlsSettings tls();
    }

    /** The credentials of sentinels. */
    interface SentinelSettings {

        /** Returns the user of the sentinels. By default their default user. */
        Optional<String> username();

        /** Returns the password of the sentinels. By default none. */
        Optional<String> password();
    }

    /** The certificates of TLS connections. */
    interface TlsSettings {

        /** Returns the PEM file with the certificates to trust. By default Java's trust store. */
        Optional<String> trustedCertificates();

        /** Returns the PEM file with the client's certificate. */
        Optional<String> clientCertificate();

        /** Returns the PEM file with the key of the client's certificate. */
        Optional<String> clientKey();

        /** Returns whether a node's certificate must name its host. */
        Optional<Boolean> verifyHostname();
    }

    /** The settings of locked methods. */
    interface MethodSettings {

        /** Returns how long a method without its own limit waits for its lock, 30 s by default. */
        Optional<Duration> waitFor();
    }
}
