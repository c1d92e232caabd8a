package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.alipay.sofa.jraft.error.ConnectionFailureException;
import com.alipay.sofa.jraft.error.InvokeTimeoutException;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcProcessor;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.PingRequest;
import com.alipay.sofa.jraft.util.Endpoint;
import dev.holdfast.cluster.ClusterConfig.PeerTls;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.TestAuthority;
import dev.holdfast.time.Timing;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connections between servers: what one sends, the other receives, whole and in order, or the sender learns that it did not. */
class PeerTransportTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final long LONG_MILLIS = LONG.toMillis();
    private static final long SEED = 118;

    private final Timing timing = Timing.system("peer-transport");
    private final Endpoint address = new Endpoint("127.0.0.1", FreePort.pick());
    private final PeerClient client = new PeerClient();
    private @Nullable PeerServer server;

    /** Answers each question with its own fields. A question with "silent" gets no answer until the test gives one. */
    private static final class Echo implements RpcProcessor<PeerMessage> {

        final ConcurrentLinkedQueue<RpcContext> silent = new ConcurrentLinkedQueue<>();

        @Override
        public void handleRequest(RpcContext context, PeerMessage question) {
            if (question.get("silent").isEmpty()) {
                context.sendResponse(question);
            } else {
                silent.add(context);
            }
        }

        @Override
        public String interest() {
            return PeerMessage.class.getName();
        }
    }

    private final Echo echo = new Echo();

    private void start(@Nullable PeerTls keys) {
        PeerSockets sockets = PeerSockets.of(keys, timing.ticker());
        client.init(new PeerRpc.PeerOptions(sockets, timing));
        server = startServer(sockets);
    }

    private PeerServer startServer(PeerSockets sockets) {
        PeerServer started = new PeerServer(address, sockets, timing.scheduler());
        started.registerProcessor(echo);
        assertThat(started.init(null)).isTrue();
        return started;
    }

    @AfterEach
    void stop() {
        client.shutdown();
        if (server != null) {
            server.shutdown();
        }
        timing.scheduler().close();
    }

    private Object ask(PeerMessage question) throws Exception {
        return ask(question, LONG_MILLIS);
    }

    private Object ask(PeerMessage question, long timeoutMillis) throws Exception {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        client.invokeAsync(
                address,
                question,
                (result, failure) -> {
                    if (failure == null) {
                        answer.complete(result);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                },
                timeoutMillis);
        return answer.get(LONG_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static PeerMessage message(String text) {
        return new PeerMessage(Map.of("text", text));
    }

    // ---- whole messages

    private void questionsOfManyThreadsAndSizesComeBackWhole() throws Exception {
        List<CompletableFuture<Integer>> threads = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            Random random = new Random(SEED + thread);
            threads.add(CompletableFuture.supplyAsync(
                    () -> {
                        int wrong = 0;
                        for (int i = 0; i < 150; i++) {
                            int length = random.nextInt(20) == 0 ? random.nextInt(300_000) : random.nextInt(3_000);
                            byte[] content = new byte[length];
                            random.nextBytes(content);
                            PeerMessage question = new PeerMessage(PeerMessage.contentFields(content));
                            try {
                                wrong += ask(question).equals(question) ? 0 : 1;
                            } catch (Exception e) {
                                throw new AssertionError("seed " + SEED, e);
                            }
                        }
                        return wrong;
                    },
                    timing.scheduler()::execute));
        }
        for (CompletableFuture<Integer> thread : threads) {
            assertThat(thread.get(LONG_MILLIS, TimeUnit.MILLISECONDS))
                    .as("seed %d", SEED)
                    .isZero();
        }
    }

    @Test
    void messagesComeBackWhole() throws Exception {
        start(null);
        questionsOfManyThreadsAndSizesComeBackWhole();
    }

    @Test
    void messagesComeBackWholeOverTls(@TempDir Path folder) throws Exception {
        PeerTls tls = new PeerTls(folder.resolve("peer.p12"), "trial-password");
        TestAuthority.makeKey(tls.keyStore(), tls.password(), "peer", "EC", List.of());
        start(tls);
        questionsOfManyThreadsAndSizesComeBackWhole();
    }

    /** Some frames are written by their sender, and some by the thread that only writes. */
    @Test
    void framesOfOneSenderArriveInTheirOrder() throws Exception {
        List<Long> received = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<Integer> end = new CompletableFuture<>();
        try (ServerSocket listener = PeerSockets.listen("127.0.0.1", 0)) {
            PeerSockets sockets = PeerSockets.of(null, timing.ticker());
            PeerConnection from = sockets.connect("127.0.0.1", listener.getLocalPort(), new Nobody());
            from.start(timing.scheduler(), "from");
            PeerConnection to = sockets.accept(listener.accept(), new Nobody() {
                @Override
                public void received(PeerConnection.Frame frame) {
                    received.add(frame.id());
                }

                @Override
                public void ended(IOException why) {
                    end.complete(received.size());
                }
            });
            to.start(timing.scheduler(), "to");
            Random random = new Random(SEED);
            for (long id = 0; id < 20_000; id++) {
                byte[] content = new byte[random.nextInt(50) == 0 ? 100_000 : random.nextInt(400)];
                boolean fits = random.nextBoolean();
                from.send(new PeerConnection.Frame(id, false, "trial", content).bytes(), fits);
            }
            await().atMost(LONG).until(() -> received.size() >= 20_000);
            from.close();
            assertThat(end.get(LONG_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(20_000);
            assertThat(received).as("seed %d", SEED).isSorted();
        }
    }

    private static class Nobody implements PeerConnection.Receiver {

        @Override
        public void received(PeerConnection.Frame frame) {}

        @Override
        public void ended(IOException why) {}
    }

    // ---- no answer

    @Test
    void aQuestionWithoutAnAnswerTimesOutAndHarmsNoOther() throws Exception {
        start(null);

        assertThatThrownBy(() -> ask(new PeerMessage(Map.of("silent", "yes")), 100))
                .hasCauseInstanceOf(InvokeTimeoutException.class)
                .hasMessageContaining("100 ms");

        await().atMost(LONG).until(() -> !echo.silent.isEmpty());
        echo.silent.remove().sendResponse(message("too late"));
        assertThat(ask(message("next"))).isEqualTo(message("next"));
    }

    /** A server whose disk stands still answers some questions and not others, so its connection lasts. The question may be a large part of the log. */
    @Test
    void aQuestionThatHasTimedOutStaysInNoMemory() throws Exception {
        start(null);
        CompletableFuture<Throwable> failed = new CompletableFuture<>();
        WeakReference<InvokeCallback> callback = new WeakReference<>(askInVain(failed));
        assertThat(failed.get(LONG_MILLIS, TimeUnit.MILLISECONDS)).isInstanceOf(InvokeTimeoutException.class);

        await().atMost(LONG).until(() -> {
            System.gc();
            return callback.get() == null;
        });
        assertThat(ask(message("next"))).isEqualTo(message("next"));
    }

    private InvokeCallback askInVain(CompletableFuture<Throwable> failed) throws Exception {
        InvokeCallback callback = (result, failure) -> failed.complete(failure);
        client.invokeAsync(address, new PeerMessage(Map.of("silent", "yes")), null, callback, 100);
        return callback;
    }

    @Test
    void allQuestionsFailAtOnceWhenTheOtherServerEnds() throws Exception {
        start(null);
        List<CompletableFuture<Object>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            CompletableFuture<Object> answer = new CompletableFuture<>();
            answers.add(answer);
            client.invokeAsync(
                    address,
                    new PeerMessage(Map.of("silent", "yes")),
                    null,
                    (result, failure) -> answer.completeExceptionally(failure),
                    LONG_MILLIS);
        }
        await().atMost(LONG).until(() -> echo.silent.size() == 100);

        server.shutdown();

        for (CompletableFuture<Object> answer : answers) {
            assertThat(answer.handle((result, failure) -> failure).get(LONG_MILLIS / 2, TimeUnit.MILLISECONDS))
                    .isInstanceOf(RemotingException.class)
                    .hasMessageContaining("has ended");
        }
        assertThat(client.checkConnection(address)).isFalse();
    }

    /** The engine ends its own threads before the last answers have come. */
    @Test
    void whoAsksLearnsOfTheEndAlsoIfItsThreadsHaveEnded() throws Exception {
        start(null);
        CompletableFuture<Throwable> first = new CompletableFuture<>();
        CompletableFuture<Throwable> second = new CompletableFuture<>();
        for (CompletableFuture<Throwable> failed : List.of(first, second)) {
            client.invokeAsync(
                    address,
                    new PeerMessage(Map.of("silent", "yes")),
                    null,
                    new InvokeCallback() {
                        @Override
                        public void complete(Object answer, Throwable failure) {
                            failed.complete(failure);
                        }

                        @Override
                        public Executor executor() {
                            return task -> {
                                throw new RejectedExecutionException("ended");
                            };
                        }
                    },
                    LONG_MILLIS);
        }
        await().atMost(LONG).until(() -> echo.silent.size() == 2);

        client.shutdown();

        assertThat(first.get(LONG_MILLIS / 2, TimeUnit.MILLISECONDS)).hasMessageContaining("has ended");
        assertThat(second.get(LONG_MILLIS / 2, TimeUnit.MILLISECONDS)).hasMessageContaining("has ended");
    }

    @Test
    void aServerThatIsBackIsConnectedAgain() throws Exception {
        start(null);
        ask(message("before"));
        server.shutdown();
        await().atMost(LONG).until(() -> !client.checkConnection(address));
        for (int i = 0; i < 200; i++) { // the refusal comes before or after the question waits for it
            assertThatThrownBy(() -> ask(message("between")))
                    .hasCauseInstanceOf(ConnectionFailureException.class)
                    .hasRootCauseInstanceOf(ConnectException.class);
        }

        server = startServer(PeerSockets.of(null, timing.ticker()));

        assertThat(client.checkConnection(address, true)).isTrue(); // questions wait in it
        assertThat(ask(message("after"))).isEqualTo(message("after"));
    }

    /**
     * The engine pings a server while it holds locks for which answers, timers and workers may wait. It once waited for the answer, and the timer of that
     * wait stood behind a task that needed the same locks: the server took part in no election any more.
     */
    @Test
    void aPingNeedsNeitherTheOtherServerNorTimersNorWorkers() throws Exception {
        client.init(new PeerRpc.PeerOptions(PeerSockets.of(null, timing.ticker()), timing));
        CompletableFuture<Void> end = new CompletableFuture<>();
        timing.scheduler().schedule(0, end::join);
        timing.scheduler().execute(end::join);
        try (ServerSocket listener = new ServerSocket(address.getPort(), 50, InetAddress.getByName("127.0.0.1"))) {
            CompletableFuture<Object> answer = new CompletableFuture<>();
            Thread engine = new Thread(() -> {
                try {
                    answer.complete(client.invokeSync(
                            address,
                            PingRequest.newBuilder().setSendTimestamp(0).build(),
                            1_000));
                } catch (Exception e) {
                    answer.completeExceptionally(e);
                }
            });
            engine.start();

            assertThat(answer.get(LONG_MILLIS, TimeUnit.MILLISECONDS))
                    .isEqualTo(ErrorResponse.newBuilder().setErrorCode(0).build());
            try (Socket unread = listener.accept()) {
                assertThat(unread.isConnected()).isTrue();
            }
        } finally {
            end.complete(null);
        }
    }

    /** A sender may hold locks of the engine, so it must not wait for a server that is stopped. */
    @Test
    void aServerThatReadsNothingHoldsUpNoSender() throws Exception {
        client.init(new PeerRpc.PeerOptions(PeerSockets.of(null, timing.ticker()), timing));
        List<CompletableFuture<Object>> answers = new ArrayList<>();
        try (ServerSocket listener = new ServerSocket(address.getPort(), 50, InetAddress.getByName("127.0.0.1"))) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; i < 10_000; i++) {
                            CompletableFuture<Object> answer = new CompletableFuture<>();
                            answers.add(answer);
                            try {
                                client.invokeAsync(
                                        address,
                                        message("x".repeat(10_000)),
                                        null,
                                        (result, failure) -> answer.completeExceptionally(failure),
                                        LONG_MILLIS);
                            } catch (RemotingException e) {
                                answer.completeExceptionally(e);
                            }
                        }
                    },
                    timing.scheduler()::execute);
            try (Socket unread = listener.accept()) {
                sending.get(LONG_MILLIS / 2, TimeUnit.MILLISECONDS);
                await("beyond 64 MB the other server counts as stuck")
                        .atMost(LONG.dividedBy(2))
                        .until(() -> answers.stream().anyMatch(CompletableFuture::isCompletedExceptionally));
                assertThat(unread.isConnected()).isTrue();
            }
        }
    }

    // ---- bad input

    @Test
    void bytesOfNoServerEndTheConnectionAndNothingElse() throws Exception {
        start(null);
        for (byte[] bytes : List.of(
                "GET / HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                new byte[] {-1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0},
                new byte[] {0, 0, 0, 4, 9, 9, 9, 9},
                new PeerConnection.Frame(1, false, "no.such.Message", new byte[9]).bytes(),
                new PeerConnection.Frame(1, false, PeerMessage.class.getName(), new byte[] {9, 9}).bytes())) {
            try (Socket socket = new Socket("127.0.0.1", address.getPort())) {
                OutputStream out = socket.getOutputStream();
                out.write(bytes);
                out.flush();
                socket.setSoTimeout((int) LONG_MILLIS);
                assertThat(isEnded(socket)).isTrue();
            }
        }
        assertThat(ask(message("next"))).isEqualTo(message("next"));
    }

    private static boolean isEnded(Socket socket) throws IOException {
        try {
            return new DataInputStream(socket.getInputStream()).read() < 0;
        } catch (SocketException e) {
            return true; // it was reset
        }
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        start(null);
        PeerServer second = new PeerServer(address, PeerSockets.of(null, timing.ticker()), timing.scheduler());

        assertThatThrownBy(() -> second.init(null)).hasMessageContaining("in use");
    }
}
