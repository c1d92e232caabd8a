package dev.holdfast.redis.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * An authority that signs good and bad certificates for tests of TLS. It uses the JDK's keytool, since the JDK has no
 * public class for that.
 */
public final class TestAuthority {

    private static final String PASSWORD = "of no use"; // of a key store in a test's own directory
    private static final String AUTHORITY = "authority";
    private static final int GOOD_FOR_DAYS = 2;

    private final Path directory;
    private final String keys;

    private TestAuthority(Path directory, String keys) {
        this.directory = directory;
        this.keys = keys;
    }

    /**
     * Returns a new authority, which keeps its files in this directory. Its certificate is {@code authority.pem}, which
     * clients must trust.
     */
    public static TestAuthority in(Path directory) {
        TestAuthority authority = new TestAuthority(directory, "EC");
        try {
            Files.createDirectories(directory);
            authority.makePair(AUTHORITY, List.of("-ext", "bc:c", "-startdate", "-30d", "-validity", "60"));
            authority.writePem(AUTHORITY);
            return authority;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the same authority, which from now on certifies keys of this kind: {@code EC}, {@code RSA} or
     * {@code Ed25519}.
     */
    public TestAuthority forKeys(String kind) {
        return new TestAuthority(directory, kind);
    }

    /** Returns a certificate for 127.0.0.1 that is valid now. */
    public TlsFiles certify(String name) {
        return certify(name, "IP:127.0.0.1", -1, GOOD_FOR_DAYS);
    }

    /**
     * Returns a certificate, which may be one that a client must reject.
     *
     * @param name the base name of its files: {@code name.pem} and {@code name.key}
     * @param subject its subject, such as {@code DNS:elsewhere.example}
     * @param fromDay the first day of its validity, counted from now; a certificate with -3 and 1 day has expired
     * @param days the number of days it is valid
     */
    public TlsFiles certify(String name, String subject, int fromDay, int days) {
        String start = (fromDay < 0 ? "" : "+") + fromDay + "d";
        try {
            makePair(
                    name,
                    List.of(
                            "-signer",
                            AUTHORITY,
                            "-ext",
                            "SAN=" + subject,
                            "-startdate",
                            start,
                            "-validity",
                            Integer.toString(days)));
            writePem(name);
            return new TlsFiles(certificate(name), directory.resolve(name + ".key"), certificate(AUTHORITY), false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void makePair(String name, List<String> options) throws IOException {
        makeKey(store(), PASSWORD, name, keys, options);
    }

    /**
     * Makes a key and its certificate in a PKCS#12 key store.
     *
     * @param kind the kind of key, such as {@code EC}
     * @param options further options of keytool; without a signer among them, the certificate is signed by its own key
     */
    public static void makeKey(Path store, String password, String name, String kind, List<String> options)
            throws IOException {
        List<String> all =
                new ArrayList<>(List.of("-genkeypair", "-alias", name, "-keyalg", kind, "-dname", "CN=" + name));
        all.addAll(options);
        keytool(store, password, all);
    }

    /** Runs keytool on a PKCS#12 key store. */
    public static void keytool(Path store, String password, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-J-XX:TieredStopAtLevel=1"));
        command.addAll(arguments);
        command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", password));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        keytool.getOutputStream().close();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.onExit().join().exitValue() != 0) {
            throw new IOException("keytool failed at " + String.join(" ", arguments) + ": " + said);
        }
    }

    private void writePem(String name) throws IOException {
        try {
            KeyStore keys = KeyStore.getInstance(store().toFile(), PASSWORD.toCharArray());
            byte[] key = keys.getKey(name, PASSWORD.toCharArray()).getEncoded();
            byte[] certificate = keys.getCertificate(name).getEncoded();
            PrivateFile.write(directory.resolve(name + ".key"), pem("PRIVATE KEY", key));
            Files.writeString(certificate(name), pem("CERTIFICATE", certificate));
        } catch (GeneralSecurityException e) {
            throw new IOException("no certificate for " + name, e);
        }
    }

    private Path store() {
        return directory.resolve("store.p12");
    }

    private Path certificate(String name) {
        return directory.resolve(name + ".pem");
    }

    private static String pem(String kind, byte[] content) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n";
    }
}
