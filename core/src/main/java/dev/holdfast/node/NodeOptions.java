package dev.holdfast.node;

import dev.holdfast.internal.time.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The options for connecting to nodes: timeouts, credentials, TLS. This class is an immutable value: a method with an argument returns a changed
 * copy.
 *
 * <p>A user and password in a node's URI take precedence.
 */
public final class NodeOptions {

    /** The default of {@link #connectTimeout}. */
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private static final Credentials NO_CREDENTIALS = new Credentials(null, null);

    private static final NodeOptions DEFAULTS = new NodeOptions(new Values());

    private final Values values;

    private record Credentials(
            @Nullable String username, @Nullable Supplier<String> password) {}

    /** The values of one object, which change only while it is created. */
    private static final class Values implements Cloneable {

        private Duration connectTimeout = DEFAULT_CONNECT_TIMEOUT;
        private @Nullable Duration timeout;
        private Credentials credentials = NO_CREDENTIALS;
        private Credentials sentinelCredentials = NO_CREDENTIALS;
        private @Nullable Path trustedCertificates;
        private @Nullable Path certificate;
        private @Nullable Path privateKey;
        private boolean verifyHostname = true;
        private @Nullable TrustManagerFactory trustManagers;
        private @Nullable KeyManagerFactory keyManagers;

        @Override
        public Values clone() {
            try {
                return (Values) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private NodeOptions(Values values) {
        this.values = values;
    }

    private NodeOptions with(Consumer<Values> change) {
        Values changed = values.clone();
        change.accept(changed);
        return new NodeOptions(changed);
    }

    /** Returns options that set nothing. */
    public static NodeOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Returns these options with another limit for connecting, TLS and the handshake of one node.
     *
     * @param connectTimeout 10 ms to 1 minute; 2 s by default
     */
    public NodeOptions connectTimeout(Duration connectTimeout) {
        Durations.requireBetween("connectTimeout", connectTimeout, Duration.ofMillis(10), Duration.ofMinutes(1));
        return with(changed -> changed.connectTimeout = connectTimeout);
    }

    /**
     * Returns these options with another limit for one request to one node, after which its answer counts as unknown. A longer timeout does no harm,
     * since an operation is complete once a majority has answered. With a shorter timeout, a busy node looks dead.
     *
     * @param timeout 1 ms to 1 minute, and at most half the ttl of any lock; by default a twentieth of the ttl, from 5 ms to 500 ms
     */
    public NodeOptions timeout(Duration timeout) {
        Durations.requireBetween("timeout", timeout, Duration.ofMillis(1), Duration.ofMinutes(1));
        return with(changed -> changed.timeout = timeout);
    }

    /**
     * Returns these options with a user and password for all nodes whose URIs have none.
     *
     * @param username the user; null for the server's default user
     * @param password the source of the password. The client calls it for every connection, so the password may change, for example if the source
     *     reads a file. The client never prints it.
     */
    public NodeOptions credentials(@Nullable String username, Supplier<String> password) {
        return with(changed -> changed.credentials = new Credentials(username, password));
    }

    /**
     * Returns these options with a user and password for the sentinels in {@code redis-sentinel://} and {@code rediss-sentinel://} URIs.
     * By default, the client authenticates only to the servers, and not to their sentinels.
     *
     * @param username the user; null for the sentinels' default user
     * @param password the source of the password, which the client calls for every connection and never prints
     */
    public NodeOptions sentinelCredentials(@Nullable String username, Supplier<String> password) {
        return with(changed -> changed.sentinelCredentials = new Credentials(username, password));
    }

    /** Returns these options with a PEM file of certificate authorities for nodes; by default the authorities that Java trusts. */
    public NodeOptions trustedCertificates(Path pem) {
        return with(changed -> changed.trustedCertificates = pem);
    }

    /** Returns these options with a certificate of this client and its unencrypted PKCS#8 key, both PEM files, for servers that ask for them. */
    public NodeOptions clientCertificate(Path certificate, Path privateKey) {
        return with(changed -> {
            changed.certificate = certificate;
            changed.privateKey = privateKey;
        });
    }

    /** Returns these options with or without the check that a node's certificate is for the host name in its URI; the check is on by default. */
    public NodeOptions verifyHostname(boolean verifyHostname) {
        return with(changed -> changed.verifyHostname = verifyHostname);
    }

    /**
     * Returns these options with TLS managers, for certificates from a key store or a framework instead of files. They take precedence over
     * {@link #trustedCertificates} and {@link #clientCertificate}.
     *
     * @param trustManagers an initialized factory; null to use {@link #trustedCertificates}
     * @param keyManagers an initialized factory; null to use {@link #clientCertificate}
     */
    public NodeOptions tlsManagers(
            @Nullable TrustManagerFactory trustManagers, @Nullable KeyManagerFactory keyManagers) {
        return with(changed -> {
            changed.trustManagers = trustManagers;
            changed.keyManagers = keyManagers;
        });
    }

    /** Returns the limit for connecting. */
    public Duration connectTimeout() {
        return values.connectTimeout;
    }

    /** Returns the limit for one request; null if it follows the ttl. */
    public @Nullable Duration timeout() {
        return values.timeout;
    }

    /** Returns the user for nodes whose URIs have none. */
    public @Nullable String username() {
        return values.credentials.username;
    }

    /** Returns the source of the password; null if there is none. */
    public @Nullable Supplier<String> password() {
        return values.credentials.password;
    }

    /** Returns the user for sentinels. */
    public @Nullable String sentinelUsername() {
        return values.sentinelCredentials.username;
    }

    /** Returns the source of the sentinels' password; null if there is none. */
    public @Nullable Supplier<String> sentinelPassword() {
        return values.sentinelCredentials.password;
    }

    /** Returns the file of certificate authorities; null for the authorities that Java trusts. */
    public @Nullable Path trustedCertificates() {
        return values.trustedCertificates;
    }

    /** Returns the file with the certificate of this client, if there is one. */
    public @Nullable Path certificate() {
        return values.certificate;
    }

    /** Returns the file with the key of this client, if there is one. */
    public @Nullable Path privateKey() {
        return values.privateKey;
    }

    /** Returns whether a node's certificate must be for the host name in its URI. */
    public boolean verifyHostname() {
        return values.verifyHostname;
    }

    /** Returns the trust managers, if they are set. */
    public @Nullable TrustManagerFactory trustManagers() {
        return values.trustManagers;
    }

    /** Returns the key managers, if they are set. */
    public @Nullable KeyManagerFactory keyManagers() {
        return values.keyManagers;
    }

    /** Returns the options without the passwords. */
    @Override
    public String toString() {
        return "NodeOptions[connectTimeout=" + values.connectTimeout + ", timeout=" + values.timeout + ", username="
                + values.credentials.username + ", password=" + (values.credentials.password == null ? "none" : "***")
                + "]";
    }
}
