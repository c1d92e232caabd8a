package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcProcessor;
import com.alipay.sofa.jraft.rpc.RpcServer;
import com.alipay.sofa.jraft.util.Endpoint;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.time.Scheduler;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class PeerServerTest {

    private static final int PATIENCE_MILLIS = 20_000;
    private static final PeerMessage QUESTION = new PeerMessage(Map.of("text", "question"));

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

    /** Connections beyond the limit take the places of those that have sent nothing. Otherwise a program without a key could keep the servers apart. */
    @Test
    void connectionsThatSendNothingKeepOutNoServer() throws Exception {
        int port = FreePort.pick();
        PeerSockets sockets = PeerSockets.of(null, timing.ticker());
        PeerServer server = new PeerServer(new Endpoint("127.0.0.1", port), sockets, timing.scheduler());
        server.registerProcessor(new Echo());
        PeerClient first = new PeerClient();
        PeerClient late = new PeerClient();
        List<Socket> strangers = new ArrayList<>();
        assertThat(server.init(null)).isTrue();
        try {
            first.init(new PeerRpc.PeerOptions(sockets, timing));
            late.init(new PeerRpc.PeerOptions(sockets, timing));
            assertThat(ask(first, port)).isEqualTo(QUESTION);
            for (int i = 0; i < PeerServer.MOST_CONNECTIONS; i++) {
                strangers.add(new Socket("127.0.0.1", port));
            }

            assertThat(ask(late, port)).isEqualTo(QUESTION);

            assertThat(isEnded(strangers.get(0))).isTrue();
            assertThat(first.checkConnection(new Endpoint("127.0.0.1", port)))
                    .as("the oldest connection, but that of a server")
                    .isTrue();
        } finally {
            first.shutdown();
            late.shutdown();
            server.shutdown();
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    /** A system may limit the threads of a process, and programs that are no servers may use them up. */
    @Test
    void aServerForWhoseConnectionThereIsNoThreadIsAcceptedLater() throws Exception {
        int port = FreePort.pick();
        PeerSockets sockets = PeerSockets.of(null, timing.ticker());
        AtomicInteger none = new AtomicInteger(2);
        PeerServer server =
                new PeerServer(new Endpoint("127.0.0.1", port), sockets, new FewThreads(timing.scheduler(), none));
        server.registerProcessor(new Echo());
        PeerClient client = new PeerClient();
        assertThat(server.init(null)).isTrue();
        try {
            client.init(new PeerRpc.PeerOptions(sockets, timing));
            for (int i = 0; i < 2; i++) {
                assertThat(ask(client, port)).isInstanceOf(RemotingException.class);
            }
            assertThat(none).hasValue(0);

            assertThat(ask(client, port)).isEqualTo(QUESTION);
        } finally {
            client.shutdown();
            server.shutdown();
        }
    }

    private static Object ask(PeerClient client, int port) throws Exception {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        client.invokeAsync(
                new Endpoint("127.0.0.1", port),
                QUESTION,
                null,
                (result, failure) -> answer.complete(failure == null ? result : failure),
                PATIENCE_MILLIS);
        return answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static final class Echo implements RpcProcessor<PeerMessage> {

        @Override
        public void handleRequest(RpcContext context, PeerMessage question) {
            context.sendResponse(question);
        }

        @Override
        public String interest() {
            return PeerMessage.class.getName();
        }
    }

    /** A scheduler that has no threads for some of the next connections. */
    private record FewThreads(Scheduler scheduler, AtomicInteger none) implements Scheduler {

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            return scheduler.schedule(delayNanos, task);
        }

        @Override
        public void execute(Runnable task) {
            scheduler.execute(task);
        }

        @Override
        public void start(String name, Runnable task) {
            if (!name.equals("peers-accept") && none.getAndUpdate(left -> Math.max(left - 1, 0)) > 0) {
                throw new OutOfMemoryError("no native thread");
            }
            scheduler.start(name, task);
        }

        @Override
        public void close() {
            scheduler.close();
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
