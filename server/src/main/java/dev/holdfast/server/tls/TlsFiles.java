package dev.holdfast.server.tls;

import dev.holdfast.server.client.PemFile;
import dev.holdfast.server.reload.Reloadable;
import dev.holdfast.time.Ticker;
import java.nio.file.Path;
import java.time.Instant;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/** The server's certificate and key in files, for handshakes with TLS 1.2 and 1.3. */
public final class TlsFiles implements Reloadable {

    /** The cipher suites: all of TLS 1.3; of TLS 1.2 those with forward secrecy and authenticated encryption (RFC 9325 §4.2). */
    private static final String[] SUITES = {
        "TLS_AES_.*", "TLS_CHACHA20_.*", "TLS_ECDHE_.*_GCM_.*", "TLS_ECDHE_.*_CHACHA20_.*"
    };

    private final Path certificates;
    private final Path key;
    private final Ticker ticker;
    private final SslContextFactory.Server handshakes = new SslContextFactory.Server();
    private volatile PemIdentity identity;

    /** The files that were checked last, valid or not. */
    private PemFile lastCertificates;

    private PemFile lastKey;

    /** Why the files that were checked last are not in use; null if they are. */
    private @Nullable String lastTrouble;

    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException if a file is missing or invalid; the message says which, and why
     */
    public TlsFiles(Path certificates, Path key, Ticker ticker) {
        this.certificates = certificates;
        this.key = key;
        this.ticker = ticker;
        this.lastCertificates = PemFile.read(certificates);
        this.lastKey = PemFile.read(key);
        this.identity = PemIdentity.of(lastCertificates, lastKey, now());
        handshakes.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        handshakes.setIncludeCipherSuites(SUITES);
        handshakes.setRenegotiationAllowed(false);
        handshakes.setSslContext(identity.context());
    }

    private Instant now() {
        return Instant.ofEpochMilli(ticker.wallMillis());
    }

    public SslContextFactory.Server handshakes() {
        return handshakes;
    }

    /** Returns when the certificate in use expires. */
    public Instant end() {
        return identity.end();
    }

    @Override
    public String what() {
        return "certificate";
    }

    /**
     * Reads the files again. Open connections keep their certificate. Files that were rejected are checked again, since a certificate may not have been valid yet.
     */
    @Override
    public boolean reload() {
        boolean same = false;
        try {
            PemFile newCertificates = PemFile.read(certificates);
            PemFile newKey = PemFile.read(key);
            same = newCertificates.isSameAs(lastCertificates) && newKey.isSameAs(lastKey);
            if (same && lastTrouble == null) {
                return false;
            }
            lastCertificates = newCertificates;
            lastKey = newKey;
            PemIdentity read = PemIdentity.of(newCertificates, newKey, now());
            handshakes.reload(factory -> factory.setSslContext(read.context()));
            identity = read;
            lastTrouble = null;
            return true;
        } catch (IllegalArgumentException e) {
            String trouble = String.valueOf(e.getMessage());
            boolean known = same || trouble.equals(lastTrouble); // a missing file and a bad one are reported once
            lastTrouble = trouble;
            if (known) {
                return false;
            }
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the certificate can't be used: " + e, e);
        }
    }
}
