package dev.holdfast.server.client;

import dev.holdfast.node.NodeOptions;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** TLS for connections to nodes, from {@link NodeOptions} and PEM files. */
public final class RemoteTls {

    private RemoteTls() {}

    /**
     * Returns a client for HTTP/1.1 over TLS.
     *
     * @throws IllegalArgumentException if a file is missing or invalid; the message names the file
     */
    public static HttpClient client(NodeOptions options) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(options), trust(options), null);
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .sslContext(context)
                    .build();
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("TLS can't be set up: " + e.getMessage(), e);
        }
    }

    private static KeyManager @Nullable [] keys(NodeOptions options) throws GeneralSecurityException {
        KeyManagerFactory given = options.keyManagers();
        if (given != null) {
            return given.getKeyManagers();
        }
        Path certificate = options.certificate();
        Path key = options.privateKey();
        if (certificate == null || key == null) {
            return null;
        }
        KeyStore store = emptyStore();
        List<X509Certificate> chain = PemFile.read(certificate).certificates();
        store.setKeyEntry(
                "client",
                PemFile.read(key).key(chain.get(0).getPublicKey().getAlgorithm()),
                new char[0],
                chain.toArray(Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    private static TrustManager[] trust(NodeOptions options) throws GeneralSecurityException {
        TrustManagerFactory given = options.trustManagers();
        TrustManager[] managers = (given == null ? trusting(options.trustedCertificates()) : given).getTrustManagers();
        if (options.verifyHostname()) {
            return managers;
        }
        for (TrustManager manager : managers) {
            if (manager instanceof X509TrustManager chains) {
                return new TrustManager[] {new AnyHost(chains)};
            }
        }
        throw new GeneralSecurityException("this Java has no X.509 trust manager");
    }

    /** Returns a factory that trusts the certificates in the file, or those that Java trusts. */
    private static TrustManagerFactory trusting(@Nullable Path trusted) throws GeneralSecurityException {
        KeyStore store = null;
        if (trusted != null) {
            store = emptyStore();
            int number = 0;
            for (Certificate certificate : PemFile.read(trusted).certificates()) {
                store.setCertificateEntry("trusted-" + number++, certificate);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory;
    }

    private static KeyStore emptyStore() throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
        return store;
    }

    /** A trust manager that verifies chains but not the name of the host. */
    private static final class AnyHost extends X509ExtendedTrustManager {

        private final X509TrustManager chains;

        AnyHost(X509TrustManager chains) {
            this.chains = chains;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            chains.checkServerTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            chains.checkServerTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            chains.checkServerTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            chains.checkClientTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            chains.checkClientTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            chains.checkClientTrusted(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return chains.getAcceptedIssuers();
        }
    }
}
