package dev.holdfast;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How nodes are reached. An immutable value: each method returns a changed copy.
 *
 * <p>What a URI says (user, password) goes before what is said here.
 */
public final class NodeOptions {

    /** How long connecting, TLS and the handshake of one node may take, unless set. */
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private static final NodeOptions DEFAULTS =
            new NodeOptions(DEFAULT_CONNECT_TIMEOUT, null, null, null, null, null, null, true);

    private final Duration connectTimeout;
    private final @Nullable Duration timeout;
    private final @Nullable String username;
    private final @Nullable Supplier<String> password;
    private final @Nullable Path trustedCertificates;
    private final @Nullable Path certificate;
    private final @Nullable Path privateKey;
    private final boolean verifyHostname;

    private NodeOptions(
            Duration connectTimeout,
            @Nullable Duration timeout,
            @Nullable String username,
            @Nullable Supplier<String> password,
            @Nullable Path trustedCertificates,
            @Nullable Path certificate,
            @Nullable Path privateKey,
            boolean verifyHostname) {
        this.connectTimeout = connectTimeout;
        this.timeout = timeout;
        this.username = username;
        this.password = password;
        this.trustedCertificates = trustedCertificates;
        this.certificate = certificate;
        this.privateKey = privateKey;
        this.verifyHostname = verifyHostname;
    }

    public static NodeOptions defaults() {
        return DEFAULTS;
    }

    /** How long connecting, TLS and the handshake of one node may take: 10 ms to 1 minute, 2 s by default. */
    public NodeOptions connectTimeout(Duration connectTimeout) {
        Durations.requireBetween("connectTimeout", connectTimeout, Duration.ofMillis(10), Duration.ofMinutes(1));
        return new NodeOptions(
                connectTimeout,
                timeout,
                username,
                password,
                trustedCertificates,
                certificate,
                privateKey,
                verifyHostname);
    }

    /**
     * How long one request to one node may take before its answer counts as unknown: 1 ms to 1 minute, and at most half the ttl of
     * any lock. By default a twentieth of the ttl, from 5 ms to 500 ms. Larger is harmless, since an operation is done at a majority; too
     * small makes a busy node look dead.
     */
    public NodeOptions timeout(Duration timeout) {
        Durations.requireBetween("timeout", timeout, Duration.ofMillis(1), Duration.ofMinutes(1));
        return new NodeOptions(
                connectTimeout,
                timeout,
                username,
                password,
                trustedCertificates,
                certificate,
                privateKey,
                verifyHostname);
    }

    /**
     * The user and the password of all nodes whose URIs have none.
     *
     * @param username null for the server's default user
     * @param password asked at every connection, so it may change, for example by reading a file; never printed
     */
    public NodeOptions credentials(@Nullable String username, Supplier<String> password) {
        return new NodeOptions(
                connectTimeout,
                timeout,
                username,
                password,
                trustedCertificates,
                certificate,
                privateKey,
                verifyHostname);
    }

    /** A PEM file with the certificates that may have signed a node's; without it those that Java trusts. */
    public NodeOptions trustedCertificates(Path pem) {
        return new NodeOptions(
                connectTimeout, timeout, username, password, pem, certificate, privateKey, verifyHostname);
    }

    /** This client's own certificate and its unencrypted PKCS#8 key, both PEM files, for servers that ask for them. */
    public NodeOptions clientCertificate(Path certificate, Path privateKey) {
        return new NodeOptions(
                connectTimeout,
                timeout,
                username,
                password,
                trustedCertificates,
                certificate,
                privateKey,
                verifyHostname);
    }

    /** Whether a node's certificate must be for the host name in its URI; true unless switched off. */
    public NodeOptions verifyHostname(boolean verifyHostname) {
        return new NodeOptions(
                connectTimeout,
                timeout,
                username,
                password,
                trustedCertificates,
                certificate,
                privateKey,
                verifyHostname);
    }

    public Duration connectTimeout() {
        return connectTimeout;
    }

    public @Nullable Duration timeout() {
        return timeout;
    }

    public @Nullable String username() {
        return username;
    }

    public @Nullable Supplier<String> password() {
        return password;
    }

    public @Nullable Path trustedCertificates() {
        return trustedCertificates;
    }

    public @Nullable Path certificate() {
        return certificate;
    }

    public @Nullable Path privateKey() {
        return privateKey;
    }

    public boolean verifyHostname() {
        return verifyHostname;
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "NodeOptions[connectTimeout=" + connectTimeout + ", timeout=" + timeout + ", username=" + username
                + ", password=" + (password == null ? "none" : "***") + "]";
    }
}
