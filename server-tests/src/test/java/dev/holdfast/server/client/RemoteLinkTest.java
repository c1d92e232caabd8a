package dev.holdfast.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.Unavailable;
import dev.holdfast.testkit.ManualTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One connection to a server that is not there: what goes out, in which order, and what ends it. */
class RemoteLinkTest {

    private static final Duration SILENCE = Duration.ofSeconds(2);

    private final ManualTiming time = new ManualTiming(1);
    private final List<NodeMessage> pushes = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    private final RemoteLink link = new RemoteLink(time.timing(), SILENCE.toNanos(), pushes::add, ends::add);
    private final FakeSocket socket = new FakeSocket();

    private CompletableFuture<Object> inspect(String lock) {
        return link.<Object>ask(
                        new NodeRequest.Inspect(lock),
                        message -> ((NodeMessage.Inspected) message).answer(),
                        unavailable -> unavailable)
                .toCompletableFuture();
    }

    private CompletableFuture<Object> status() {
        return link.<Object>ask(new NodeRequest.Status(), NodeMessage.Status.class::cast, unavailable -> unavailable)
                .toCompletableFuture();
    }

    private void hear(String... lines) {
        link.onText(socket, String.join("\n", lines), true);
    }

    private static String statusOf(long id) {
        return NodeMessage.Line.answer(id, new NodeMessage.Status(1, 0, 1, List.of()))
                .text();
    }

    @Test
    void requestsThatCameBeforeTheConnectionGoOutInTheirOrder() {
        inspect("a");
        inspect("b");

        link.onOpen(socket);

        assertThat(socket.frames).hasSize(1);
        assertThat(FakeSocket.requests(socket.frames.get(0)))
                .containsExactly(
                        new NodeRequest.Numbered(1, new NodeRequest.Inspect("a")),
                        new NodeRequest.Numbered(2, new NodeRequest.Inspect("b")));
    }

    @Test
    void requestsThatComeWhileAFrameIsWrittenGoOutTogether() {
        socket.sendsAtOnce = false;
        link.onOpen(socket);
        inspect("a");
        inspect("b");
        inspect("c");
        assertThat(socket.frames).hasSize(1);

        socket.sent();

        assertThat(socket.frames).hasSize(2);
        assertThat(FakeSocket.requests(socket.frames.get(1)))
                .extracting(NodeRequest.Numbered::request)
                .containsExactly(new NodeRequest.Inspect("b"), new NodeRequest.Inspect("c"));
    }

    @Test
    void anAnswerReachesItsRequestInAnyOrder() {
        link.onOpen(socket);
        CompletableFuture<Object> first = status();
        CompletableFuture<Object> second = status();

        hear(statusOf(2));
        assertThat(second).isDone();
        assertThat(first).isNotDone();
        hear(statusOf(1));

        assertThat(first).isCompletedWithValueMatching(NodeMessage.Status.class::isInstance);
        assertThat(ends).isEmpty();
    }

    @Test
    void anAnswerInPiecesIsReadAsOne() {
        link.onOpen(socket);
        CompletableFuture<Object> answer = status();
        String line = statusOf(1);

        link.onText(socket, line.substring(0, 10), false);
        assertThat(answer).isNotDone();
        link.onText(socket, line.substring(10), true);

        assertThat(answer).isDone();
    }

    @Test
    void anAnswerThatNobodyWaitsForChangesNothing() {
        link.onOpen(socket);
        CompletableFuture<Object> answer = status();

        hear(statusOf(77), statusOf(1), statusOf(1));

        assertThat(answer).isCompletedWithValueMatching(NodeMessage.Status.class::isInstance);
        assertThat(ends).isEmpty();
    }

    @Test
    void anAnswerToAnotherQuestionIsUnavailableAndMaybeExecuted() {
        link.onOpen(socket);
        CompletableFuture<Object> answer = inspect("a");

        hear(statusOf(1));

        assertThat(answer).isCompletedWithValue(new Unavailable("the server answered another request", true));
    }

    @Test
    void aRefusalExecutedNothing() {
        link.onOpen(socket);
        CompletableFuture<Object> answer = inspect("a");

        hear(NodeMessage.Line.answer(1, new NodeMessage.Refused("no")).text());

        assertThat(answer).isCompletedWithValue(new Unavailable("the server refuses: no", false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK",
                "[]",
                "{}",
                "{\"id\":1}",
                "{\"id\":\"1\",\"answer\":\"released\"}",
                "{\"id\":1.5,\"answer\":\"released\"}",
                "{\"id\":99999999999999999999,\"answer\":\"released\"}",
                "{\"id\":1,\"answer\":\"dance\"}",
                "{\"id\":1,\"answer\":\"granted\"}",
                "{\"id\":1,\"answer\":\"released\"} {\"id\":2}",
                "{\"push\":\"granted\",\"resource\":\"a\",\"owner\":\"nobody\",\"fence\":1}",
                "{\"push\":\"contended\",\"resource\":\"a\",\"owner\":\"c@h~00000001/1/0\",\"fence\":1}",
                "{\"push\":{\"push\":{\"push\":{\"push\":{\"push\":{\"push\":{\"push\":{\"push\":{\"push\":1}}}}}}}}}",
            })
    void hostileLinesEndTheConnection(String line) {
        link.onOpen(socket);
        CompletableFuture<Object> answer = inspect("a");

        hear(line.isEmpty() ? "\n" : line);

        assertThat(ends)
                .hasSize(1)
                .allMatch(reason -> reason.startsWith("the server does not speak the protocol of a node: "));
        assertThat(answer)
                .isCompletedWithValueMatching(given -> given instanceof Unavailable why && why.maybeExecuted());
        assertThat(socket.aborted).isTrue();
        assertThat(pushes).isEmpty();
    }

    @Test
    void aFrameWithoutEndEndsTheConnection() {
        link.onOpen(socket);
        String piece = "x".repeat(NodeRequest.MOST_FRAME_CHARS / 4);

        for (int i = 0; i < 4; i++) {
            link.onText(socket, piece, false);
        }
        assertThat(ends).isEmpty();
        link.onText(socket, "x", false);

        assertThat(ends).containsExactly("the server sends a frame without end");
        assertThat(socket.aborted).isTrue();
    }

    @Test
    void aServerThatIsSilentWhileAnAnswerIsDueIsLeft() {
        link.onOpen(socket);
        CompletableFuture<Object> answer = inspect("a");

        assertThat(time.runUntil(answer::isDone, SILENCE.multipliedBy(3))).isTrue();

        assertThat(ends).hasSize(1).allMatch(reason -> reason.startsWith("no answer for "));
        assertThat(time.elapsed()).isGreaterThanOrEqualTo(SILENCE);
    }

    @Test
    void aServerThatOwesNothingMayBeSilentButMustAnswerPings() {
        link.onOpen(socket);

        time.advance(Duration.ofSeconds(9));
        assertThat(socket.pings).isZero();
        assertThat(time.runUntil(() -> socket.pings > 0, Duration.ofSeconds(5))).isTrue();
        assertThat(ends).isEmpty();
        assertThat(time.runUntil(() -> !ends.isEmpty(), Duration.ofSeconds(40))).isTrue();
    }

    @Test
    void aServerThatAnswersPingsIsKept() {
        link.onOpen(socket);
        int answered = 0;

        for (int second = 0; second < 120; second++) {
            time.advance(Duration.ofSeconds(1));
            if (socket.pings > answered) {
                answered = socket.pings;
                link.onPong(socket, java.nio.ByteBuffer.allocate(0));
            }
        }

        assertThat(answered).isPositive();
        assertThat(ends).isEmpty();
    }

    @Test
    void closingSendsWhatWasAskedBeforeAndTellsNobody() {
        socket.sendsAtOnce = false;
        link.onOpen(socket);
        inspect("a");
        CompletableFuture<Object> last = inspect("b");

        link.close();
        assertThat(last).isCompletedWithValue(new Unavailable("closed", true));
        assertThat(socket.closeSent).isFalse();
        socket.sent();
        assertThat(socket.frames).hasSize(2);
        assertThat(socket.closeSent).isFalse();
        socket.sent();

        assertThat(socket.closeSent).isTrue();
        assertThat(ends).isEmpty();
    }

    @Test
    void aServerThatDoesNotReadTheFarewellIsLeftAllTheSame() {
        socket.sendsAtOnce = false;
        link.onOpen(socket);
        inspect("a");

        link.close();
        assertThat(socket.aborted).isFalse();
        time.advance(Duration.ofSeconds(2));

        assertThat(socket.aborted).isTrue();
    }

    @Test
    void aRequestAfterTheEndIsUnavailableAtOnce() {
        link.onOpen(socket);
        link.onClose(socket, 1001, "going away");

        assertThat(inspect("a"))
                .isCompletedWithValueMatching(given -> given instanceof Unavailable why && why.maybeExecuted());
        link.onError(socket, new IllegalStateException("late"));
        assertThat(ends).containsExactly("the server closed the connection: going away");
    }
}
