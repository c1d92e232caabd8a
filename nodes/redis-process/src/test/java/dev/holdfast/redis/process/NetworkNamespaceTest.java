package dev.holdfast.redis.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server behind real packets. How long the lost ones take is up to chance. */
@Tag("slow")
class NetworkNamespaceTest {

    private static final Duration SOON = Duration.ofMillis(300);

    private NetworkNamespace network;
    private RedisProcess server;

    @BeforeEach
    void start() {
        NetworkNamespace.unavailable().ifPresent(why -> assumeTrue(false, why));
        network = NetworkNamespace.create();
        server = RedisProcess.start(RedisOptions.defaults().network(network));
    }

    @AfterEach
    void stop() {
        if (network != null) {
            server.close();
            network.close();
        }
    }

    private RedisConsole connect() throws IOException {
        return RedisConsole.connect(server.host(), server.port(), SOON);
    }

    @Test
    void aServerInsideIsReachedByItsAddressOnlyAndComesBackThere() {
        assertThat(server.uri().toString()).startsWith("redis://198.18.");
        assertThatThrownBy(() -> RedisConsole.connect("127.0.0.1", server.port(), SOON))
                .isInstanceOf(ConnectException.class);

        server.kill();
        server.restart();
        server.pause();
        server.resume();

        assertThat(server.send("PING")).isEqualTo("PONG");
    }

    @Test
    void packetsAreDroppedInOneDirectionAndAnOpenConnectionOutlivesIt() throws Exception {
        try (RedisConsole open = RedisConsole.connect(server.host(), server.port())) {
            open.send("SET", "k", "before");
            network.drop(Direction.TO_CLIENT);
            assertThatThrownBy(this::connect).isInstanceOf(SocketTimeoutException.class);
            open.sendOnly("SET", "k", "meanwhile");

            network.pass();

            await().untilAsserted(() -> assertThat(server.send("GET", "k")).isEqualTo("meanwhile"));
            assertThat(open.send("PING")).as("the answer to SET").isEqualTo("OK");
        }
    }

    @Test
    void rejectedConnectionsAreReset() throws Exception {
        try (RedisConsole open = connect()) {
            network.reject();

            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
            assertThatThrownBy(() -> open.send("PING")).isInstanceOf(SocketException.class);
        }
        network.pass();
        assertThat(server.send("PING")).isEqualTo("PONG");
    }

    @Test
    void someLossIsMadeUpForBySendingAgain() throws Exception {
        network.lose(20);
        try (RedisConsole slow = RedisConsole.connect(server.host(), server.port(), Duration.ofSeconds(30))) {
            for (int i = 0; i < 10; i++) {
                assertThat(slow.send("INCR", "k")).isEqualTo(i + 1L);
            }
        }
        assertThatIllegalArgumentException().isThrownBy(() -> network.lose(101)).withMessageContaining("101");
    }

    /** Starts a server in a network of its own, tells its address, and waits without closing anything. */
    static final class Careless {

        public static void main(String[] args) throws IOException {
            RedisProcess server = RedisProcess.start(RedisOptions.defaults().network(NetworkNamespace.create()));
            System.out.println(server.host() + " " + server.directory());
            System.in.read();
        }
    }

    @Test
    void nothingOutlivesAJvmThatIsKilled() throws Exception {
        try (ChildJvm child = ChildJvm.start(Careless.class, Map.of())) {
            String[] told = child.line().split(" ");
            String near = told[0].substring(0, told[0].lastIndexOf('.') + 1);
            assertThat(addresses()).anyMatch(address -> address.startsWith(near));
            child.kill();

            int host = Integer.parseInt(told[0].substring(near.length())) - 1;
            await().untilAsserted(() -> assertThat(addresses()).doesNotContain(near + host));
            FileTree.delete(Path.of(told[1]));
        }
    }

    private static List<String> addresses() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .map(address -> address.getHostAddress())
                .toList();
    }
}
