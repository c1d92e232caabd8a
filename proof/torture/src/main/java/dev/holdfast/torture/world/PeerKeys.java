package dev.holdfast.torture.world;

import dev.holdfast.redis.process.TestAuthority;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A key that all servers of a cluster share for the TLS between them, and trust. */
record PeerKeys(Path file, String password) {

    static PeerKeys in(Path directory) throws IOException {
        PeerKeys keys = new PeerKeys(directory.resolve("peers.p12"), "torture-torture");
        TestAuthority.makeKey(keys.file, keys.password, "peer", "EC", List.of("-validity", "30"));
        return keys;
    }
}
