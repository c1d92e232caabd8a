package dev.holdfast.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A key and a certificate, signed by an authority of its own, as PEM files made by the JDK's keytool.
 *
 * @param authority the certificate to trust
 */
record TestCertificate(Path certificate, Path key, Path authority) {

    private static final String PASSWORD = "changeit";

    /**
     * Makes one.
     *
     * @param names whom it is for, such as {@code dns:localhost,ip:127.0.0.1}
     * @param validity options of keytool, such as {@code -validity 2}
     */
    static TestCertificate make(Path directory, String name, String names, String... validity) throws Exception {
        Path store = directory.resolve(name + ".p12");
        keytool(store, "authority", List.of("-ext", "bc:c", "-validity", "30"));
        List<String> own = new ArrayList<>(List.of("-signer", "authority", "-ext", "san=" + names));
        own.addAll(List.of(validity));
        keytool(store, "own", own);
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        return new TestCertificate(
                pem(
                        directory.resolve(name + ".crt"),
                        "CERTIFICATE",
                        keys.getCertificate("own").getEncoded()),
                pem(
                        directory.resolve(name + ".key"),
                        "PRIVATE KEY",
                        keys.getKey("own", PASSWORD.toCharArray()).getEncoded()),
                pem(
                        directory.resolve(name + "-ca.crt"),
                        "CERTIFICATE",
                        keys.getCertificate("authority").getEncoded()));
    }

    private static void keytool(Path store, String alias, List<String> options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=" + alias,
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD));
        command.addAll(options);
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes());
        if (keytool.waitFor() != 0) {
            throw new IOException(said);
        }
    }

    private static Path pem(Path file, String kind, byte[] content) throws IOException {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n");
    }
}
