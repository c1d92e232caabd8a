package dev.holdfast.cluster;

import dev.holdfast.cluster.ClusterConfig.PeerTls;
import dev.holdfast.lock.HoldfastException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The check of a server's keys when it starts. Without it, wrong keys would show only as failed handshakes: the other servers would just seem to be down.
 */
final class PeerKeyStore {

    private PeerKeyStore() {}

    /**
     * Checks that the file has a key with a certificate, and trusts the authority that signed it. It warns of a certificate that is not valid at this time: the
     * other servers judge that by their own clocks, and this one's may be wrong.
     *
     * @param wallMillis the present time by the wall clock, in milliseconds
     * @return the warning; empty if there is none
     * @throws HoldfastException if connections with these keys cannot work
     */
    static Optional<String> require(PeerTls tls, long wallMillis) {
        KeyStore store = open(tls);
        try {
            List<X509Certificate> trusted = new ArrayList<>();
            List<List<X509Certificate>> keys = new ArrayList<>();
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias)) {
                    store.getKey(alias, tls.password().toCharArray());
                    keys.add(Stream.of(store.getCertificateChain(alias))
                            .map(X509Certificate.class::cast)
                            .toList());
                } else if (store.getCertificate(alias) instanceof X509Certificate one) {
                    trusted.add(one);
                }
            }
            if (keys.isEmpty()) {
                throw new HoldfastException(tls.keyStore() + " has no key with a certificate, so no server would accept"
                        + " this one. Export both to it: openssl pkcs12 -export -inkey KEY -in CERTIFICATE");
            }
            keys.forEach(chain -> trusted.add(chain.get(0))); // as Java does
            for (List<X509Certificate> chain : keys) {
                requireTrust(tls, chain, trusted);
            }
            return keys.stream()
                    .flatMap(chain -> untimely(tls, chain.get(0), Instant.ofEpochMilli(wallMillis)).stream())
                    .findFirst();
        } catch (GeneralSecurityException e) {
            throw new HoldfastException("the key in " + tls.keyStore() + " cannot be used: " + e.getMessage());
        }
    }

    static KeyStore open(PeerTls tls) {
        try (InputStream in = Files.newInputStream(tls.keyStore())) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, tls.password().toCharArray());
            return store;
        } catch (IOException e) {
            throw new HoldfastException(
                    e.getCause() instanceof GeneralSecurityException
                            ? "the password of " + tls.keyStore() + " is wrong"
                            : tls.keyStore() + " is not a PKCS#12 file, or cannot be read: " + e.getMessage());
        } catch (GeneralSecurityException e) {
            throw new HoldfastException("this JVM cannot read " + tls.keyStore() + ": " + e.getMessage());
        }
    }

    private static void requireTrust(PeerTls tls, List<X509Certificate> chain, List<X509Certificate> trusted) {
        boolean trusts =
                chain.stream().anyMatch(one -> trusted.stream().anyMatch(authority -> isSignedBy(one, authority)));
        if (!trusts) {
            throw new HoldfastException(tls.keyStore() + " does not trust the authority of its own certificate, "
                    + chain.get(0).getIssuerX500Principal() + ", so this server would refuse all others."
                    + " Import the certificate of the authority: keytool -importcert -alias ca -file CERTIFICATE"
                    + " -keystore " + tls.keyStore());
        }
    }

    private static boolean isSignedBy(X509Certificate one, X509Certificate authority) {
        try {
            one.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static Optional<String> untimely(PeerTls tls, X509Certificate certificate, Instant now) {
        Instant from = certificate.getNotBefore().toInstant();
        Instant to = certificate.getNotAfter().toInstant();
        return now.isBefore(from) || now.isAfter(to)
                ? Optional.of("the certificate in " + tls.keyStore() + " is valid from " + from + " to " + to
                        + ", but it is " + now + " here; other servers whose clocks agree may refuse it")
                : Optional.empty();
    }
}
