package dev.holdfast.observe;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogRecorder;
import dev.holdfast.internal.observe.Observers;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.Refusal;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** The events that an observer receives, in order. */
class ClientObserverTest {

    /** Records its events as text; of requests only their outcome, by node. */
    private static final class Notes implements ClientObserver {

        final List<String> locks = new ArrayList<>();
        final List<String> requests = new ArrayList<>();

        @Override
        public LeaseObserver attempt(String lock, LockMode mode) {
            locks.add("attempt " + lock + " " + mode);
            return new LeaseObserver() {
                @Override
                public void granted(Lease lease, Duration waited) {
                    assertThat(lease.isHeld()).isTrue();
                    locks.add("granted " + lock + " after " + waited.toMillis());
                }

                @Override
                public void refused(Refusal refusal) {
                    locks.add("refused " + lock + " " + refusal.reason() + " after "
                            + refusal.waited().toMillis());
                }

                @Override
                public void ended(LeaseEnd end) {
                    locks.add("ended " + lock + " " + end.how() + " after "
                            + end.held().toMillis() + (end.remaining().isZero() ? ", over" : ""));
                }
            };
        }

        @Override
        public void lost(Loss loss, LockMode mode, long token) {
            locks.add("lost " + loss.lock() + " " + loss.reason() + " " + mode + (token > 0 ? "" : " without a token"));
        }

        @Override
        public ExtensionObserver extension(String lock, LockMode mode) {
            return (ExtendOutcome outcome, Duration took) ->
                    locks.add("extension " + lock + " " + outcome + " took " + took.toMillis());
        }

        @Override
        public RequestObserver request(String node, NodeOperation operation) {
            return (RequestOutcome outcome, Duration took) -> requests.add(node + " " + operation + " " + outcome);
        }
    }

    private final Notes notes = new Notes();
    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a", builder -> builder.observer(notes));
    private final FakeClient b = cluster.client("b");

    private void release(Lease lease) {
        cluster.await(lease.releaseAsync());
    }

    @Test
    void anAttemptItsLeaseAndItsEnd() {
        Lease lease = a.acquire("x");
        cluster.advance(seconds(2));
        release(lease);

        assertThat(notes.locks).containsExactly("attempt x EX", "granted x after 0", "ended x RELEASED after 2000");
        assertThat(notes.requests)
                .containsExactlyInAnyOrder(
                        "fake:A ACQUIRE GRANTED",
                        "fake:B ACQUIRE GRANTED",
                        "fake:C ACQUIRE GRANTED",
                        "fake:A RELEASE RELEASED",
                        "fake:B RELEASE RELEASED",
                        "fake:C RELEASE RELEASED");
    }

    @Test
    void aWaitThatIsOver() {
        b.acquire("x");

        a.tryAcquire(a.lock("x").mode(LockMode.PR), seconds(3));

        assertThat(notes.locks).containsExactly("attempt x PR", "refused x HELD after 3000");
        assertThat(notes.requests).contains("fake:A ACQUIRE QUEUED");
    }

    @Test
    void aWaitThatIsGranted() {
        Lease other = b.acquire("x");
        CompletableFuture<Lease> waiting = a.queue("x");
        cluster.advance(seconds(1));
        release(other);
        cluster.await(waiting);

        assertThat(notes.locks).containsExactly("attempt x EX", "granted x after 1000");
    }

    @Test
    void eachOfThoseWhoHandALeaseOn() {
        Lease first = a.acquire("x");
        CompletableFuture<Lease> second = a.queue("x");
        cluster.advance(millis(2));
        release(first);
        Lease next = cluster.await(second);
        release(next);

        assertThat(notes.locks)
                .containsSubsequence(
                        "attempt x EX",
                        "granted x after 0",
                        "attempt x EX",
                        "ended x RELEASED after 2",
                        "granted x after 2",
                        "ended x RELEASED after 0")
                .contains("extension x EXTENDED took 0");
    }

    @Test
    void extensionsAndALossByTime() {
        a.acquire("x");
        cluster.advance(seconds(10));
        assertThat(notes.locks).last().isEqualTo("extension x EXTENDED took 0");

        a.nodes(0, 1).forEach(node -> node.requests().lose());
        cluster.advance(seconds(31));

        assertThat(notes.locks)
                .contains("extension x UNCONFIRMED took 500")
                .noneMatch(note -> note.contains("RELEASED"));
        int lost = notes.locks.indexOf("lost x EXPIRED EX");
        assertThat(notes.locks.get(lost + 1)).matches("ended x LOST after 39\\d\\d\\d");
        assertThat(notes.requests).contains("fake:A EXTEND TIMEOUT", "fake:C EXTEND GRANTED", "fake:A RELEASE TIMEOUT");
    }

    @Test
    void aReleaseThatComesTooLate() {
        Lease lease = a.acquire(a.lock("x").maxHold(seconds(5)));
        a.pause();
        cluster.advance(seconds(6));
        CompletableFuture<?> released = lease.releaseAsync().toCompletableFuture();
        a.resume();
        cluster.await(released);

        assertThat(notes.locks)
                .containsSubsequence("lost x MAX_HOLD EX", "ended x LOST after 6000, over")
                .noneMatch(note -> note.contains("RELEASED"));
    }

    @Test
    void aSeal() {
        Lease lease = a.acquire("x");
        cluster.await(lease.sealAsync(seconds(60)));
        a.tryAcquire("x");

        assertThat(notes.locks)
                .containsExactly(
                        "attempt x EX",
                        "granted x after 0",
                        "ended x SEALED after 0",
                        "attempt x EX",
                        "refused x SEALED after 0");
        assertThat(notes.requests).contains("fake:A ACQUIRE SEALED");
    }

    @Test
    void nodesThatCannotBeAsked() {
        a.node(0).disconnect("cut");
        a.node(1).quarantine(seconds(60));

        a.tryAcquire("x");

        assertThat(notes.locks).last().isEqualTo("refused x NO_QUORUM after 0");
        assertThat(notes.requests)
                .contains("fake:A ACQUIRE UNAVAILABLE", "fake:B ACQUIRE QUARANTINED", "fake:C ACQUIRE GRANTED");
    }

    @Test
    void aClientThatIsClosed() {
        a.acquire("x");
        a.holdfast().close();

        assertThat(notes.locks).last().isEqualTo("ended x RELEASED after 0");
    }

    @Test
    void oneThatThrowsOrReturnsNullHarmsNobody() {
        ClientObserver broken = new ClientObserver() {
            @Override
            public LeaseObserver attempt(String lock, LockMode mode) {
                return new LeaseObserver() {
                    @Override
                    public void granted(Lease lease, Duration waited) {
                        throw new IllegalStateException("out of ink");
                    }
                };
            }

            @Override
            @SuppressWarnings("NullAway") // an observer must not return null
            public RequestObserver request(String node, NodeOperation operation) {
                return null;
            }
        };
        try (LogRecorder log = LogRecorder.of(Observers.class)) {
            FakeClient c =
                    cluster.client("c", builder -> builder.observer(broken).observer(notes));
            release(c.acquire("x"));

            assertThat(log.messages(Level.SEVERE)).hasSize(7).allMatch(text -> text.contains("An observer failed"));
        }
        assertThat(notes.locks).last().isEqualTo("ended x RELEASED after 0");
        assertThat(notes.requests).hasSize(6);
    }
}
