package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.rpc.RpcServer;
import com.alipay.sofa.jraft.util.Endpoint;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.time.Timing;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;

class PeerServerTest {

    private static final int PATIENCE_MILLIS = 20_000;

    private final Timing timing = Timing.system("peer-server");

    @AfterEach
    void close() {
        timing.scheduler().close();
    }

    /** Connections that are accepted while a server stops are the ones that it could forget. */
    @RepeatedTest(10)
    void aServerThatStopsLeavesNoConnectionOpen() throws Exception {
        int port = FreePort.pick();
        RpcServer server = new PeerServer(
                new Endpoint("127.0.0.1", port), PeerSockets.of(null, timing.ticker()), timing.scheduler());
        assertThat(server.init(null)).isTrue();
        CountDownLatch first = new CountDownLatch(1);
        CompletableFuture<List<Socket>> connecting = CompletableFuture.supplyAsync(() -> connect(port, first));
        assertThat(first.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
        server.shutdown();
        List<Socket> sockets = connecting.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        for (Socket socket : sockets) {
            assertThat(isEnded(socket)).as("the server ends %s", socket).isTrue();
            socket.close();
        }
    }

    /** Connects again and again until the server refuses. */
    private static List<Socket> connect(int port, CountDownLatch first) {
        List<Socket> sockets = new ArrayList<>();
        while (true) {
            try {
                sockets.add(new Socket("127.0.0.1", port));
                first.countDown();
            } catch (ConnectException e) {
                return sockets;
            } catch (IOException e) {
                first.countDown(); // the server ends a connection that is not complete
            }
        }
    }

    private static boolean isEnded(Socket socket) throws IOException {
        socket.setSoTimeout(PATIENCE_MILLIS);
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true; // it was reset
        }
    }
}
