package dev.holdfast.node;

import dev.holdfast.internal.time.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * How nodes are reached. An immutable value: each method returns a changed copy.
 *
 * <p>What a URI says (user, password) goes before what is said here.
 */
public final class NodeOptions {

    /** How long connecting, TLS and the handshake of one node may take, unless set. */
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private static final NodeOptions DEFAULTS = new NodeOptions(
            DEFAULT_CONNECT_TIMEOUT, null, new Credentials(null, null), new Tls(null, null, null, true, null, null));

    private final Duration connectTimeout;
    private final @Nullable Duration timeout;
    private final Credentials credentials;
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

    private NodeOptions(Duration connectTimeout, @Nullable Duration timeout, Credentials credentials, Tls tls) {
        this.connectTimeout = connectTimeout;
        this.timeout = timeout;
        this.credentials = credentials;
        this.tls = tls;
    }

    public static NodeOptions defaults() {
        return DEFAULTS;
    }

    /** How long connecting, TLS and the handshake of one node may take: 10 ms to 1 minute, 2 s by default. */
    public NodeOptions connectTimeout(Duration connectTimeout) {
        Durations.requireBetween("connectTimeout", connectTimeout, Duration.ofMillis(10), Duration.ofMinutes(1));
        return new NodeOptions(connectTimeout, timeout, credentials, tls);
    }

    /**
     * How long one request to one node may take before its answer counts as unknown: 1 ms to 1 minute, and at most half the ttl of
     * any lock. By default a twentieth of the ttl, from 5 ms to 500 ms. Larger is harmless, since an operation is done at a majority; too
     * small makes a busy node look dead.
     */
    public NodeOptions timeout(Duration timeout) {
        Durations.requireBetween("timeout", timeout, Duration.ofMillis(1), Duration.ofMinutes(1));
        return new NodeOptions(connectTimeout, timeout, credentials, tls);
    }

    /**
     * The user and the password of all nodes whose URIs have none.
     *
     * @param username null for the server's default user
     * @param password asked at every connection, so it may change, for example by reading a file; never printed
     */
    public NodeOptions credentials(@Nullable String username, Supplier<String> password) {
        return new NodeOptions(connectTimeout, timeout, new Credentials(username, password), tls);
    }

    /** A PEM file with the certificates that may have signed a node's; without it those that Java trusts. */
    public NodeOptions trustedCertificates(Path pem) {
        return withTls(
                new Tls(pem, tls.certificate, tls.privateKey, tls.verifyHostname, tls.trustManagers, tls.keyManagers));
    }

    /** This client's own certificate and its unencrypted PKCS#8 key, both PEM files, for servers that ask for them. */
    public NodeOptions clientCertificate(Path certificate, Path privateKey) {
        return withTls(new Tls(
                tls.trustedCertificates,
                certificate,
                privateKey,
                tls.verifyHostname,
                tls.trustManagers,
                tls.keyManagers));
    }

    /** Whether a node's certificate must be for the host name in its URI; true unless switched off. */
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
     * Whose certificates are trusted, and with what this client shows who it is, where that does not come from files: from a key store, or from
     * the framework that a program lives in. Goes before {@link #trustedCertificates} and {@link #clientCertificate}.
     *
     * @param trustManagers initialized; null for those said otherwise
     * @param keyManagers initialized; null for those said otherwise
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
        return new NodeOptions(connectTimeout, timeout, credentials, changed);
    }

    public Duration connectTimeout() {
        return connectTimeout;
    }

    public @Nullable Duration timeout() {
        return timeout;
    }

    public @Nullable String username() {
        return credentials.username;
    }

    public @Nullable Supplier<String> password() {
        return credentials.password;
    }

    public @Nullable Path trustedCertificates() {
        return tls.trustedCertificates;
    }

    public @Nullable Path certificate() {
        return tls.certificate;
    }

    public @Nullable Path privateKey() {
        return tls.privateKey;
    }

    public boolean verifyHostname() {
        return tls.verifyHostname;
    }

    public @Nullable TrustManagerFactory trustManagers() {
        return tls.trustManagers;
    }

    public @Nullable KeyManagerFactory keyManagers() {
        return tls.keyManagers;
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "NodeOptions[connectTimeout=" + connectTimeout + ", timeout=" + timeout + ", username="
                + credentials.username + ", password=" + (credentials.password == null ? "none" : "***") + "]";
    }
}
