package dev.holdfast.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import dev.holdfast.redis.process.Direction;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.RemoteNodes;
import dev.holdfast.testkit.ManualTiming;
import dev.holdfast.testkit.RecordingListener;
import dev.holdfast.testkit.redis.TcpProxy;
import dev.holdfast.time.Timing;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A client that stands still blames the server for no time in which it did not run itself; a server that is slow but alive gets a bounded number of requests. */
class HeldUpRemoteTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration STOPPED = Duration.ofSeconds(50);

    private final ManualTiming time = new ManualTiming(1);
    private final List<String> ends = new ArrayList<>();

    /** The client's end of a connection, on which nothing comes but what a test lets come. */
    private static final class Quiet implements WebSocket {

        private int pings;

        private CompletableFuture<WebSocket> done() {
            return CompletableFuture.completedFuture(this);
        }

        @Override
        public CompletableFuture<WebSocket> sendText(CharSequence data, boolean last) {
            return done();
        }

        @Override
        public CompletableFuture<WebSocket> sendBinary(ByteBuffer data, boolean last) {
            return done();
        }

        @Override
        public CompletableFuture<WebSocket> sendPing(ByteBuffer message) {
            pings++;
            return done();
        }

        @Override
        public CompletableFuture<WebSocket> sendPong(ByteBuffer message) {
            return done();
        }

        @Override
        public CompletableFuture<WebSocket> sendClose(int statusCode, String reason) {
            return done();
        }

        @Override
        public void request(long n) {}

        @Override
        public String getSubprotocol() {
            return "";
        }

        @Override
        public boolean isOutputClosed() {
            return false;
        }

        @Override
        public boolean isInputClosed() {
            return false;
        }

        @Override
        public void abort() {}
    }

    private final Quiet socket = new Quiet();
    private final RemoteLink link = new RemoteLink(time.timing(), TIMEOUT.toNanos(), push -> {}, ends::add);

    private CompletionStage<InspectAnswer> inspect() {
        return link.ask(
                new NodeRequest.Inspect("x"),
                message -> ((NodeMessage.Inspected) message).answer(),
                unavailable -> unavailable);
    }

    private void standStill() {
        time.machine().pause();
        time.advance(STOPPED);
        time.machine().resume();
        time.advance(Duration.ZERO);
    }

    // ---- an open connection

    @Test
    void anAnswerThatWaitedWhileTheClientStoodStillIsNoSilence() {
        link.onOpen(socket);
        inspect();
        time.advance(TIMEOUT.plusMillis(1)); // the first look finds that an answer is due
        standStill();
        time.advance(Duration.ofMillis(200));
        assertThat(ends).isEmpty();
    }

    @Test
    void anIdleConnectionIsKeptThoughTheClientStoodStillForLongerThanASilentServerMay() {
        link.onOpen(socket);
        time.advance(Duration.ofMillis(100));
        standStill();
        assertThat(ends).isEmpty();
        time.advance(TIMEOUT.multipliedBy(2));
        assertThat(socket.pings).as("the server is asked whether it is there").isPositive();
        link.onPong(socket, ByteBuffer.allocate(0));
        time.advance(Duration.ofSeconds(5));
        assertThat(ends).isEmpty();
    }

    @Test
    void aServerThatIsSilentWhileAnAnswerIsDueIsNoticed() {
        link.onOpen(socket);
        CompletionStage<InspectAnswer> answer = inspect();
        time.advance(TIMEOUT.multipliedBy(2));
        assertThat(ends).singleElement().asString().contains("no answer for 1000 ms");
        assertThat(answer.toCompletableFuture().join()).isInstanceOf(Unavailable.class);
    }

    @Test
    void aServerThatAnswersNoPingIsNoticed() {
        link.onOpen(socket);
        time.advance(Duration.ofSeconds(29));
        assertThat(ends).isEmpty();
        time.advance(Duration.ofSeconds(2));
        assertThat(ends).hasSize(1);
    }

    // ---- what fails while an answer is read

    @Test
    void c11_anAnswerThatFailsWhileItIsReadEndsItsRequest() {
        for (Throwable failure : List.of(new IllegalStateException("a test"), new StackOverflowError())) {
            RemoteLink one = new RemoteLink(time.timing(), TIMEOUT.toNanos(), push -> {}, ends::add);
            one.onOpen(socket);
            CompletionStage<InspectAnswer> answer =
                    one.ask(new NodeRequest.Inspect("x"), message -> sneaky(failure), unavailable -> unavailable);
            one.onText(socket, "{\"id\":1,\"answer\":\"absent\"}", true);

            assertThat(answer.toCompletableFuture())
                    .isCompletedWithValueMatching(
                            given -> given instanceof Unavailable unavailable && unavailable.maybeExecuted());
        }
    }

    @SuppressWarnings("unchecked")
    private static <A, T extends Throwable> A sneaky(Throwable failure) throws T {
        throw (T) failure;
    }

    @Test
    void c11_aNodeWhoseListenerFailsWhileItConnectsTriesAgain() throws Exception {
        Timing timing = Timing.system("failing-listener");
        RecordingListener told = new RecordingListener();
        AtomicInteger failures = new AtomicInteger();
        NodeListener failing = (NodeListener) Proxy.newProxyInstance(
                NodeListener.class.getClassLoader(),
                new Class<?>[] {NodeListener.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("identified") && failures.getAndIncrement() == 0) {
                        throw new IllegalStateException("a test");
                    }
                    return method.isDefault() && method.getName().equals("identified")
                            ? null
                            : method.invoke(told, arguments);
                });
        try (LockServer server = LockServer.builder().port(0).start();
                LockNode node = open(server.uri().toString().replace("http:", "holdfast:"), HASTY, timing, failing)) {
            await("connected").atMost(SOON).until(() -> answer(node.status()).state() == NodeStatus.State.UP);
        } finally {
            timing.scheduler().close();
        }
        assertThat(failures.get()).isGreaterThan(1);
    }

    // ---- a server that is slow but alive

    private static final NodeOptions HASTY = NodeOptions.defaults().connectTimeout(Duration.ofMillis(500));

    /** A timeout that no burst outlasts, however busy the machine is. */
    private static final NodeOptions PATIENT = NodeOptions.defaults().connectTimeout(Duration.ofSeconds(30));

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int MOST_SENT = 8 * RemoteLink.MOST_WHILE_BEHIND;
    private static final int ROUND = 500;
    private static final long TTL_MILLIS = 60_000;

    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private int sent;

    private OwnerId newOwner() {
        return new OwnerId("test~0123456789abcdef", ++sent, 0);
    }

    private CompletionStage<AcquireAnswer> acquire(LockNode node, String lock) {
        return node.acquire(AcquireRequest.forVote(lock, newOwner(), LockMode.EX, TTL_MILLIS, 10_000, 1));
    }

    /** One round of callers that all have given the round before up. */
    private void askRound(LockNode node) {
        for (int i = 0; i < ROUND; i++) {
            unanswered.incrementAndGet();
            acquire(node, "lock:" + sent).whenComplete((answer, thrown) -> {
                unanswered.decrementAndGet();
                if (answer instanceof Unavailable unavailable
                        && unavailable.reason().contains("is behind")) {
                    refused.incrementAndGet();
                    assertThat(unavailable.maybeExecuted()).isFalse();
                }
            });
        }
    }

    private static <A> A answer(CompletionStage<A> stage) throws Exception {
        return stage.toCompletableFuture().get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    /** As SlowNodeTest of the Redis node has it. */
    @Test
    void requestsToAServerThatIsBehindAreBounded() throws Exception {
        Timing timing = Timing.system("slow-server");
        try (LockServer server = LockServer.builder().port(0).start();
                TcpProxy proxy = TcpProxy.to("127.0.0.1", server.uri().getPort());
                LockNode node = open("holdfast://127.0.0.1:" + proxy.port(), HASTY, timing)) {
            await("connected").atMost(SOON).until(() -> answer(node.status()).state() == NodeStatus.State.UP);
            OwnerId holder = newOwner();
            Granted held = (Granted) answer(
                    node.acquire(AcquireRequest.forVote("lock:held", holder, LockMode.PR, TTL_MILLIS, 10_000, 1)));
            proxy.throttle(10_000, Direction.TO_CLIENT);
            await("new requests are refused")
                    .atMost(SOON)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> {
                        askRound(node);
                        return refused.get() > 0 || sent >= MOST_SENT;
                    });
            int outstanding = unanswered.get();
            for (int round = 0; round < 20; round++) {
                askRound(node);
            }

            assertThat(refused.get())
                    .as("refused of %s, unanswered %s", sent, unanswered)
                    .isGreaterThan(ROUND);
            assertThat(unanswered.get()).isLessThanOrEqualTo(outstanding + ROUND);
            CompletionStage<AcquireAnswer> extended =
                    node.acquire(AcquireRequest.forVote("lock:held", holder, LockMode.PR, TTL_MILLIS, 10_000, 1)
                            .extending(held.fence(), null));
            CompletionStage<ReleaseAnswer> released = node.release(new ReleaseRequest("lock:held", holder, 0));
            proxy.pass();
            await().atMost(SOON).until(() -> unanswered.get() == 0);
            assertThat(answer(extended)).as("extensions are not refused").isInstanceOf(Granted.class);
            assertThat(answer(released)).as("releases are not refused").isInstanceOf(ReleaseAnswer.Released.class);
            await("it is asked again")
                    .atMost(SOON)
                    .until(() -> answer(acquire(node, "lock:other" + sent)) instanceof Granted);
        } finally {
            timing.scheduler().close();
        }
    }

    @Test
    void aBurstIsNotRefused() throws Exception {
        Timing timing = Timing.system("slow-server");
        try (LockServer server = LockServer.builder().port(0).start();
                LockNode node = open(server.uri().toString().replace("http:", "holdfast:"), PATIENT, timing)) {
            await("connected").atMost(SOON).until(() -> answer(node.status()).state() == NodeStatus.State.UP);
            List<CompletionStage<AcquireAnswer>> answers = new ArrayList<>();
            for (int i = 0; i < 2 * RemoteLink.MOST_WHILE_BEHIND; i++) {
                answers.add(acquire(node, "lock:" + i));
            }
            for (CompletionStage<AcquireAnswer> answer : answers) {
                assertThat(answer(answer)).isInstanceOf(Granted.class);
            }
        } finally {
            timing.scheduler().close();
        }
    }

    private static LockNode open(String uri, NodeOptions options, Timing timing) {
        return open(uri, options, timing, new RecordingListener());
    }

    private static LockNode open(String uri, NodeOptions options, Timing timing, NodeListener listener) {
        return RemoteNodes.open(uri, 3, "test~0123456789abcdef", listener, options, timing);
    }

    // ---- connecting

    @Test
    void aServerIsNotBlamedForTheTimeInWhichAConnectingClientStoodStill() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                LockNode node = open(silent)) {
            time.advance(Duration.ofMillis(100));
            standStill();
            time.advance(Duration.ofMillis(800));
            assertThat(reason(node)).isEqualTo("not connected yet");
            time.advance(Duration.ofMillis(200));
            assertThat(reason(node)).contains("no answer within 1000 ms while connecting");
        }
    }

    @Test
    void aServerIsNotBlamedWhileAStarvedClientLoadsClassesForHalfAMinute() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                LockNode node = open(silent, () -> time.advance(Duration.ofSeconds(30)))) {
            assertThat(reason(node)).isEqualTo("not connected yet");
            time.advance(Duration.ofMillis(999));
            assertThat(reason(node)).isEqualTo("not connected yet");
            time.advance(Duration.ofMillis(126));
            assertThat(reason(node)).contains("no answer within 1000 ms while connecting");
        }
    }

    @Test
    void aTokenThatNoHeaderMayHaveIsRefusedAndNotShown() throws Exception {
        Timing timing = Timing.system("token");
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                LockNode node = open(
                        "holdfast://127.0.0.1:" + silent.getLocalPort(),
                        HASTY.credentials(null, () -> "sec\nret"),
                        timing)) {
            await("refused").atMost(SOON).until(() -> answer(node.status()).state() == NodeStatus.State.REFUSED);
            assertThat(reason(node)).contains("the token has a character").doesNotContain("sec", "ret");
        } finally {
            timing.scheduler().close();
        }
    }

    private LockNode open(ServerSocket server) {
        return open(server, () -> {});
    }

    private LockNode open(ServerSocket server, Runnable beforeConnecting) {
        NodeOptions options = NodeOptions.defaults().connectTimeout(TIMEOUT).credentials(null, () -> {
            beforeConnecting.run();
            return "token";
        });
        LockNode node =
                open("holdfast://127.0.0.1:" + server.getLocalPort(), options, time.timing(), new RecordingListener());
        time.drain();
        return node;
    }

    private static String reason(LockNode node) {
        return node.status().toCompletableFuture().join().detail();
    }
}
