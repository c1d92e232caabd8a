package dev.holdfast.cluster;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The looks for leaders by servers that share the lead of three groups, after a connection between them has ended. */
@Tag("slow")
class LeaderWatchTest extends OnCluster {

    private static final int GROUPS = 3;

    /** Java's sockets are IPv6 ones, also those with an IPv4 address, unless a machine or an option forbids it. */
    private static final List<Path> SOCKETS = List.of(Path.of("/proc/net/tcp6"), Path.of("/proc/net/tcp"));

    private static final String TIME_WAIT = "06"; // the state of a connection that its opener has closed

    @BeforeEach
    void startServers() {
        cluster = new TrialCluster(folder, timing, GROUPS);
        cluster.awaitSpread();
    }

    /** A follower looks for its leader when a connection ends. Its looks must not make the leader look for other ones. */
    @Test
    void serversStopLookingForTheirLeaders() throws Exception {
        assumeTrue(SOCKETS.stream().anyMatch(Files::exists), "only Linux lists its sockets");
        cluster.electLater(Duration.ofSeconds(50));
        cluster.awaitSpread();
        Socket socket = new Socket("127.0.0.1", port("a"));
        String own = String.format(":%04X", socket.getLocalPort());
        socket.close();
        await("the connection that ended")
                .atMost(PATIENCE)
                .until(() -> endedConnections().stream()
                        .anyMatch(openerAndServer -> openerAndServer.get(0).endsWith(own)));
        Set<List<String>> seen = new HashSet<>();
        await("no further connections by the servers")
                .atMost(PATIENCE)
                .during(Duration.ofSeconds(3))
                .until(() -> !seen.addAll(endedConnections()));
    }

    private int port(String name) {
        String address = cluster.address(name);
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }

    /** Returns the addresses of openers and servers whose connections the openers have closed within the last minute. */
    private Set<List<String>> endedConnections() throws IOException {
        List<String> ports = TrialCluster.FOUNDERS.stream()
                .map(name -> String.format(":%04X", port(name)))
                .toList();
        Set<List<String>> ended = new HashSet<>();
        for (Path sockets : SOCKETS) {
            if (Files.exists(sockets)) {
                Files.readAllLines(sockets).stream()
                        .map(line -> line.strip().split(" +"))
                        .filter(fields -> fields[3].equals(TIME_WAIT))
                        .filter(fields -> ports.stream().anyMatch(fields[2]::endsWith))
                        .forEach(fields -> ended.add(List.of(fields[1], fields[2])));
            }
        }
        return ended;
    }
}
