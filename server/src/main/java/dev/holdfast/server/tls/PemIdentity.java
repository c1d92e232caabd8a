package dev.holdfast.server.tls;

import dev.holdfast.server.client.PemFile;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The server's identity for its clients: a certificate, its chain to an authority, and the certificate's key. Immutable. Errors are found when it is created,
 * and not at the first handshake.
 */
final class PemIdentity {

    /** The kinds of keys in certificates, and their signature algorithms. */
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private final List<X509Certificate> chain;
    private final PrivateKey key;

    private PemIdentity(List<X509Certificate> chain, PrivateKey key) {
        this.chain = List.copyOf(chain);
        this.key = key;
    }

    /**
     * Creates an identity from two texts, which may be the same.
     *
     * @param certificates the server's certificate first, then that of its issuer, and so on; the authority's own is optional
     * @param key the key, PKCS#8, not encrypted: RSA, EC or Ed25519
     * @throws IllegalArgumentException if a file is invalid, or a certificate is not valid now; the message names the file and the error, and nothing of the
     *     key
     */
    static PemIdentity of(PemFile certificates, PemFile key, Instant now) {
        List<X509Certificate> chain = certificates.certificates();
        requireOrder(chain, certificates);
        requireValid(chain, certificates, now);
        PrivateKey read = key(key, chain.get(0).getPublicKey().getAlgorithm());
        requirePair(chain.get(0), read, certificates, key);
        return new PemIdentity(chain, read);
    }

    private static void requireOrder(List<X509Certificate> chain, PemFile file) {
        for (int i = 1; i < chain.size(); i++) {
            if (!chain.get(i - 1).getIssuerX500Principal().equals(chain.get(i).getSubjectX500Principal())) {
                throw file.wrong(
                        "its certificate no. " + (i + 1) + " is not the issuer of no. " + i
                                + "; the file must begin with the server's certificate, and each further one must be the issuer of the one before");
            }
        }
    }

    private static void requireValid(List<X509Certificate> chain, PemFile file, Instant now) {
        for (int i = 0; i < chain.size(); i++) {
            Instant from = chain.get(i).getNotBefore().toInstant();
            Instant to = chain.get(i).getNotAfter().toInstant();
            if (now.isBefore(from) || now.isAfter(to)) {
                throw file.wrong("its certificate no. " + (i + 1) + " is valid from " + from + " to " + to
                        + ", but it is " + now + " here");
            }
        }
    }

    private static PrivateKey key(PemFile file, String algorithm) {
        if (!SIGNATURES.containsKey(algorithm)) {
            throw file.wrong(
                    "the certificate is for a key of the kind " + algorithm + ", but RSA, EC and Ed25519 are known");
        }
        return file.key(algorithm);
    }

    private static void requirePair(X509Certificate certificate, PrivateKey key, PemFile certificates, PemFile keys) {
        try {
            byte[] text = certificate.getSignature();
            Signature signature = Signature.getInstance(SIGNATURES.get(key.getAlgorithm()));
            signature.initSign(key);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(text);
            if (signature.verify(signed)) {
                return;
            }
        } catch (InvalidKeyException e) {
            throw keys.wrong("its key can't be used");
        } catch (GeneralSecurityException e) {
            // Keys on different curves can't be compared.
        }
        throw keys.wrong("its key is not that of the certificate in " + certificates);
    }

    /** Returns when the first of the certificates expires. */
    Instant end() {
        return chain.stream()
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElseThrow();
    }

    /** Returns the context for handshakes. */
    SSLContext context() {
        try {
            char[] password = new char[0]; // the password of a key store that is only in memory
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry("holdfast", key, password, chain.toArray(X509Certificate[]::new));
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, password);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(factory.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | java.io.IOException e) {
            throw new IllegalStateException("a certificate and its key make no TLS context", e);
        }
    }
}
