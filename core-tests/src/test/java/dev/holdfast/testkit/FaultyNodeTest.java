package dev.holdfast.testkit;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each fault does what it says, and nothing else. */
class FaultyNodeTest {

    private static final String CLIENT = "c~00000000";

    private final ManualTiming world = new ManualTiming(1);
    private final MemoryNode memory =
            new MemoryNode("server", world.machine("server").timing(), 1_000_000);
    private final RecordingListener told = new RecordingListener();
    private final FaultyNode node =
            new FaultyNode("faulty", world.timing(), told, listener -> memory.connect(CLIENT, listener));

    @BeforeEach
    void connect() {
        world.drain();
    }

    private static OwnerId owner(long ticket) {
        return new OwnerId(CLIENT, ticket, 0);
    }

    private CompletableFuture<AcquireAnswer> acquire(long ticket) {
        return node.acquire(AcquireRequest.forQueuedVote("x", owner(ticket), LockMode.EX, 60_000, 60_000, 1))
                .toCompletableFuture();
    }

    private void release(long ticket) {
        node.release(new ReleaseRequest("x", owner(ticket), 0));
    }

    private boolean isHeld() {
        return memory.size() == 1;
    }

    @Test
    void withoutFaultsItIsAsIfItWereNotThere() {
        assertThat(told.connection()).containsExactly("available server");
        assertThat(acquire(1)).isCompletedWithValueMatching(AcquireAnswer.Granted.class::isInstance);
        acquire(2);
        release(1);
        world.drain();

        assertThat(told.pushes()).hasSize(2);
        assertThat(node.acquires()).hasSize(2);
        assertThat(node.releases()).hasSize(1);
        assertThat(node.name()).isEqualTo("faulty");
    }

    @Test
    void lostRequestsAreNotCarriedOut() {
        node.requests().lose();

        assertThat(acquire(1)).isNotDone();
        world.advance(seconds(60));

        assertThat(isHeld()).isFalse();
    }

    @Test
    void requestsWhoseAnswersAreLostAreCarriedOut() {
        node.answers().lose();

        assertThat(acquire(1)).isNotDone();

        assertThat(isHeld()).isTrue();
    }

    @Test
    void heldMessagesArriveInTheOrderThatTheTestWants() {
        node.requests().hold();
        CompletableFuture<AcquireAnswer> first = acquire(1);
        CompletableFuture<AcquireAnswer> second = acquire(2);
        CompletableFuture<AcquireAnswer> third = acquire(3);
        assertThat(node.requests().held()).isEqualTo(3);

        assertThat(node.requests().releaseLast()).isTrue();
        assertThat(third).isCompletedWithValueMatching(AcquireAnswer.Granted.class::isInstance);
        assertThat(node.requests().releaseOne()).isTrue();
        assertThat(first).isDone();
        assertThat(second).isNotDone();
        node.requests().release();
        assertThat(second).isDone();
        assertThat(node.requests().releaseOne()).isFalse();
        assertThat(acquire(4)).as("passes from now on").isDone();
    }

    @Test
    void delayedMessagesTakeTheirTime() {
        node.requests().delay(millis(100));
        node.answers().delay(millis(50));
        CompletableFuture<AcquireAnswer> answer = acquire(1);

        world.advance(millis(99));
        assertThat(isHeld()).isFalse();
        world.advance(millis(1));
        assertThat(isHeld()).isTrue();
        world.advance(millis(49));
        assertThat(answer).isNotDone();
        world.advance(millis(1));
        assertThat(answer).isDone();
    }

    @Test
    void pushesAreLostHeldOrDoubledByThemselves() {
        acquire(1);
        node.pushes().twice();
        acquire(2);
        world.drain();
        assertThat(told.pushes()).hasSize(2);

        node.pushes().lose();
        release(1);
        world.drain();
        assertThat(told.pushes()).hasSize(2);

        node.pushes().hold();
        acquire(3);
        release(2);
        world.drain();
        assertThat(told.pushes()).hasSize(2);
        node.heal();
        assertThat(told.pushes().size()).isGreaterThan(2);
    }

    @Test
    void aCutConnectionAnswersEverythingAsUnknownAndTellsIt() {
        node.answers().hold();
        CompletableFuture<AcquireAnswer> underWay = acquire(1);

        node.disconnect("reset");

        assertThat(underWay).isCompletedWithValue(new Unavailable("reset", true));
        assertThat(acquire(2)).isCompletedWithValue(new Unavailable("reset", false));
        assertThat(told.connection()).containsExactly("available server", "unavailable reset");
        assertThat(node.status().toCompletableFuture().join().state()).isEqualTo(NodeStatus.State.DOWN);

        node.answers().release();
        node.reconnect();
        world.drain();
        assertThat(told.connection()).last().isEqualTo("available server");
        assertThat(acquire(1)).isCompletedWithValueMatching(AcquireAnswer.Granted.class::isInstance);
    }

    @Test
    void aRequestThatIsHeldWhenTheConnectionBreaksMayBeCarriedOutLater() {
        node.requests().hold();
        acquire(1);
        node.disconnect("reset");
        node.reconnect();
        assertThat(isHeld()).isFalse();

        node.requests().release();

        assertThat(isHeld()).isTrue();
    }

    @Test
    void inQuarantineOnlyAcquiresAreHeldOff() {
        acquire(1);
        node.quarantine(seconds(10));

        assertThat(acquire(1)).isCompletedWithValue(new AcquireAnswer.Quarantined(10_000));
        release(1);
        world.advance(seconds(10));

        assertThat(acquire(2)).isCompletedWithValueMatching(AcquireAnswer.Granted.class::isInstance);
    }

    @Test
    void answersCanBeMadeUp() {
        node.answerAcquires(request -> request.owner().attempt() == 7 ? new Unavailable("OOM", false) : null);

        assertThat(acquire(7)).isCompletedWithValue(new Unavailable("OOM", false));
        assertThat(acquire(8)).isCompletedWithValueMatching(AcquireAnswer.Granted.class::isInstance);
    }

    @Test
    void aClosedNodeAnswersAsAnyOther() {
        node.answers().lose();
        CompletableFuture<AcquireAnswer> underWay = acquire(1);

        node.close();
        node.close();

        assertThat(underWay).isCompletedWithValue(new Unavailable("closed", true));
        assertThat(acquire(2)).isCompletedWithValue(new Unavailable("closed", false));
    }
}
