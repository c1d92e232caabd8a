package dev.holdfast.redis.process;

import java.nio.file.Path;

/**
 * The PEM files that a server needs for TLS.
 *
 * @param certificate the server's certificate
 * @param key its private key
 * @param authority the certificate of the authority that signed the server's certificate, and the clients' if they have
 *     one
 * @param clientsShowOne whether clients must present a certificate too
 */
public record TlsFiles(Path certificate, Path key, Path authority, boolean clientsShowOne) {

    /** Returns these files for a server whose clients must present a certificate too. */
    public TlsFiles mutual() {
        return new TlsFiles(certificate, key, authority, true);
    }
}
