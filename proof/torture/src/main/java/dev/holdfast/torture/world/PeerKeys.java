package dev.holdfast.torture.world;

import java.nio.file.Path;

/** A key that all servers of a cluster share for the TLS between them, and trust. */
record PeerKeys(Path file, String password) {

    static PeerKeys in(Path directory) {
        Path file = directory.resolve("peers.p12");
        String password = "torture-torture";
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Shell.run(
                keytool,
                "-genkeypair",
                "-alias",
                "peer",
                "-keyalg",
                "EC",
                "-dname",
                "CN=peer",
                "-storetype",
                "PKCS12",
                "-validity",
                "30",
                "-keystore",
                file.toString(),
                "-storepass",
                password);
        return new PeerKeys(file, password);
    }
}
