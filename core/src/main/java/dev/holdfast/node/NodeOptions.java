package dev.holdfast.node;

import dev.holdfast.internal.time.Durations;
import java.nio.file.Path;
import java.time.Duration;
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

    private static final NodeOptions DEFAULTS = new NodeOptions(
            DEFAULT_CONNECT_TIMEOUT, null, NO_CREDENTIALS, NO_CREDENTIALS, new Tls(null, null, null, true, null, null));

    private final Duration connectTimeout;
    private final @Nullable Duration timeout;
    private final Credentials credentials;
    private final Credentials sentinelCredentials;
    private final Tls tls;

    private record Credentials(
            @Nullable String username, @Nullable Supplier<String> password) {}

    private record Tls(
            @Nullable Path trustedCertificates,
            @Nullable Path certificate,
            @Nullable Path privateKey,
            boolean verifyHostname,
            @Nullable TrustManagerFactory trustManagers,
            @Nullable KeyManagerFactory keyManagers) {}

    private NodeOptions(
            Duration connectTimeout,
            @Nullable Duration timeout,
            Credentials credentials,
            Credentials sentinelCredentials,
            Tls tls) {
        this.connectTimeout = connectTimeout;
        this.timeout = timeout;
        this.credentials = credentials;
        this.sentinelCredentials = sentinelCredentials;
        this.tls = tls;
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
        return new NodeOptions(connectTimeout, timeout, credentials, sentinelCredentials, tls);
    }

    /**
     * Returns these options with another limit for one request to one node, after which its answer counts as unknown. A longer timeout does no harm,
     * since an operation is complete once a majority has answered. With a shorter timeout, a busy node looks dead.
     *
     * @param timeout 1 ms to 1 minute, and at most half the ttl of any lock; by default a twentieth of the ttl, from 5 ms to 500 ms
     */
    public NodeOptions timeout(Duration timeout) {
        Durations.requireBetween("timeout", timeout, Duration.ofMillis(1), Duration.ofMinutes(1));
        return new NodeOptions(connectTimeout, timeout, credentials, sentinelCredentials, tls);
    }

    /**
     * Returns these options with a user and password for all nodes whose URIs have none.
     *
     * @param username the user; null for the server's default user
     * @param password the source of the password. The client calls it for every connection, so the password may change, for example if the source
     *     reads a file. The client never prints it.
     */
    public NodeOptions credentials(@Nullable String username, Supplier<String> password) {
        return new NodeOptions(connectTimeout, timeout, new Credentials(username, password), sentinelCredentials, tls);
    }

    /**
     * Returns these options with a user and password for the sentinels in {@code redis-sentinel://} and {@code rediss-sentinel://} URIs.
     * By default, the client authenticates only to the servers, and not to their sentinels.
     *
     * @param username the user; null for the sentinels' default user
     * @param password the source of the password, which the client calls for every connection and never prints
     */
    public NodeOptions sentinelCredentials(@Nullable String username, Supplier<String> password) {
        return new NodeOptions(connectTimeout, timeout, credentials, new Credentials(username, password), tls);
    }

    /** Returns these options with a PEM file of certificate authorities for nodes; by default the authorities that Java trusts. */
    public NodeOptions trustedCertificates(Path pem) {
        return withTls(
                new Tls(pem, tls.certificate, tls.privateKey, tls.verifyHostname, tls.trustManagers, tls.keyManagers));
    }

    /** Returns these options with a certificate of this client and its unencrypted PKCS#8 key, both PEM files, for servers that ask for them. */
    public NodeOptions clientCertificate(Path certificate, Path privateKey) {
        return withTls(new Tls(
                tls.trustedCertificates,
                certificate,
                privateKey,
                tls.verifyHostname,
                tls.trustManagers,
                tls.keyManagers));
    }

    /** Returns these options with or without the check that a node's certificate is for the host name in its URI; the check is on by default. */
    public NodeOptions verifyHostname(boolean verifyHostname) {
        return withTls(new Tls(
                tls.trustedCertificates,
                tls.certificate,
                tls.privateKey,
                verifyHostname,
                tls.trustManagers,
                tls.keyManagers));
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
        return withTls(new Tls(
                tls.trustedCertificates,
                tls.certificate,
                tls.privateKey,
                tls.verifyHostname,
                trustManagers,
                keyManagers));
    }

    private NodeOptions withTls(Tls changed) {
        return new NodeOptions(connectTimeout, timeout, credentials, sentinelCredentials, changed);
    }

    /** Returns the limit for connecting. */
    public Duration connectTimeout() {
        return connectTimeout;
    }

    /** Returns the limit for one request; null if it follows the ttl. */
    public @Nullable Duration timeout() {
        return timeout;
    }

    /** Returns the user for nodes whose URIs have none. */
    public @Nullable String username() {
        return credentials.username;
    }

    /** Returns the source of the password; null if there is none. */
    public @Nullable Supplier<String> password() {
        return credentials.password;
    }

    /** Returns the user for sentinels. */
    public @Nullable String sentinelUsername() {
        return sentinelCredentials.username;
    }

    /** Returns the source of the sentinels' password; null if there is none. */
    public @Nullable Supplier<String> sentinelPassword() {
        return sentinelCredentials.password;
    }

    /** Returns the file of certificate authorities; null for the authorities that Java trusts. */
    public @Nullable Path trustedCertificates() {
        return tls.trustedCertificates;
    }

    /** Returns the file with the certificate of this client, if there is one. */
    public @Nullable Path certificate() {
        return tls.certificate;
    }

    /** Returns the file with the key of this client, if there is one. */
    public @Nullable Path privateKey() {
        return tls.privateKey;
    }

    /** Returns whether a node's certificate must be for the host name in its URI. */
    public boolean verifyHostname() {
        return tls.verifyHostname;
    }

    /** Returns the trust managers, if they are set. */
    public @Nullable TrustManagerFactory trustManagers() {
        return tls.trustManagers;
    }

    /** Returns the key managers, if they are set. */
    public @Nullable KeyManagerFactory keyManagers() {
        return tls.keyManagers;
    }

    /** Returns the options without the passwords. */
    @Override
    public String toString() {
        return "NodeOptions[connectTimeout=" + connectTimeout + ", timeout=" + timeout + ", username="
                + credentials.username + ", password=" + (credentials.password == null ? "none" : "***") + "]";
    }
}
