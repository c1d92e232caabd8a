package dev.holdfast.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.NodeOptions;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.Unavailable;
import dev.holdfast.testkit.ManualTiming;
import dev.holdfast.testkit.RecordingListener;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A client of a lock server that stands still: it blames the server for no time in which it did not run itself. */
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

    private LockNode open(ServerSocket server) {
        return open(server, () -> {});
    }

    private LockNode open(ServerSocket server, Runnable beforeConnecting) {
        NodeOptions options = NodeOptions.defaults().connectTimeout(TIMEOUT).credentials(null, () -> {
            beforeConnecting.run();
            return "token";
        });
        LockNode node = new RemoteNodeProvider()
                .open(
                        "holdfast://127.0.0.1:" + server.getLocalPort(),
                        new NodeContext(
                                "test~0123456789abcdef",
                                new RecordingListener(),
                                options,
                                time.timing(),
                                ttlMillis -> 0,
                                Duration.ofHours(1).toMillis(),
                                30_000,
                                3));
        time.drain();
        return node;
    }

    private static String reason(LockNode node) {
        return node.status().toCompletableFuture().join().detail();
    }
}
