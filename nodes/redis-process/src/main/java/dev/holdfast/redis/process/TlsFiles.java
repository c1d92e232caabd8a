package dev.holdfast.redis.process;

import java.nio.file.Path;

/**
 * What a server needs to speak TLS, in PEM files.
 *
 * @param certificate the server's certificate
 * @param key its private key
 * @param authority the certificate of who signed it, and the clients' if they have one
 * @param clientsShowOne whether clients must show a certificate too
 */
public record TlsFiles(Path certificate, Path key, Path authority, boolean clientsShowOne) {

    /** Returns the same, with clients that must show a certificate too. */
    public TlsFiles mutual() {
        return new TlsFiles(certificate, key, authority, true);
    }
}
