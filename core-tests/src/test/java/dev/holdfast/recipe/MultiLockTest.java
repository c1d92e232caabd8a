package dev.holdfast.recipe;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.observe.LeaseObserver;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Several locks, all or none. */
class MultiLockTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");

    private MultiLease acquire(FakeClient client, String... names) {
        return cluster.await(client.holdfast().locks(names).tryAcquireAsync(Duration.ZERO))
                .leases();
    }

    private CompletableFuture<MultiAcquisition> queue(FakeClient client, String... names) {
        CompletableFuture<MultiAcquisition> all = client.holdfast().locks(names).tryAcquireAsync(seconds(20));
        cluster.world().drain();
        return all;
    }

    @Test
    void allAreHeldEachWithATokenOfItsOwn() {
        MultiLease leases = acquire(a, "z", "x", "y");

        assertThat(leases.leases()).extracting(Lease::name).containsExactly("x", "y", "z");
        assertThat(leases.isHeld()).isTrue();
        assertThat(leases.fencingToken("y"))
                .isEqualTo(leases.lease("y").fencingToken())
                .isPositive();
        assertThat(leases.remaining()).isBetween(seconds(29), seconds(30));
        assertThat(cluster.await(leases.releaseAsync())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(List.of("x", "y", "z")).allMatch(name -> cluster.traces(name) == 0);
    }

    @Test
    void theyLastAsLongAsTheShortestOfThem() {
        MultiLock locks = a.holdfast().locks("x", "y").options(options -> options.autoExtend(false));
        MultiLease leases = cluster.await(locks.tryAcquireAsync(Duration.ZERO)).leases();
        cluster.await(leases.lease("y").extendAsync(seconds(60)));

        assertThat(leases.remaining()).isBetween(seconds(29), seconds(30));
        cluster.advance(seconds(31));
        assertThat(leases.lease("y").isHeld()).isTrue();
        assertThat(leases.remaining()).isZero();
        assertThat(cluster.await(leases.releaseAsync())).as("the worse outcome").isEqualTo(ReleaseOutcome.EXPIRED);
    }

    @Test
    void ifOneIsHeldNoneIsKept() {
        b.acquire("y");

        MultiAcquisition none = cluster.await(a.holdfast().locks("x", "y", "z").tryAcquireAsync(Duration.ZERO));
        cluster.world().drain();

        assertThat(none.isHeld()).isFalse();
        assertThat(((MultiAcquisition.Refused) none).refusal())
                .extracting(Refusal::lock, Refusal::reason)
                .containsExactly("y", Refusal.Reason.HELD);
        assertThatThrownBy(none::leases)
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("'y'");
        assertThat(cluster.traces("x")).isZero();
        assertThat(cluster.traces("z")).isZero();
        none.close();
    }

    @Test
    void theWaitIsBoundedInAll() {
        b.acquire("x");
        CompletableFuture<MultiAcquisition> waiting =
                a.holdfast().locks("w", "x").tryAcquireAsync(seconds(5));
        cluster.advance(millis(4_900));
        assertThat(waiting).isNotDone();

        cluster.advance(millis(600));

        assertThat(waiting).isCompletedWithValueMatching(acquisition -> !acquisition.isHeld());
        assertThat(cluster.traces("w")).isZero();
    }

    @Test
    void thoseWhoWantTheSameInOtherOrdersTakeTurns() {
        MultiLease first = acquire(a, "x", "y");
        CompletableFuture<MultiAcquisition> second = queue(b, "y", "x");
        assertThat(second).isNotDone();

        cluster.await(first.releaseAsync());
        cluster.advance(millis(100));

        assertThat(second).isCompletedWithValueMatching(MultiAcquisition::isHeld);
    }

    @Test
    void whatIsHeldMeanwhileIsExtended() {
        Lease blocking = b.acquire("y");
        CompletableFuture<MultiAcquisition> waiting =
                a.holdfast().locks("x", "y").tryAcquireAsync(Duration.ofMinutes(5));
        cluster.advance(Duration.ofMinutes(2));
        assertThat(cluster.traces("x")).isEqualTo(3);

        cluster.await(blocking.releaseAsync());
        cluster.advance(millis(100));

        assertThat(waiting.join().leases().isHeld()).isTrue();
    }

    @Test
    void whatWasLostMeanwhileIsAskedForAgain() {
        Lease blocking = b.acquire("y");
        DistributedLock brief = a.lock("x").ttl(seconds(2)).autoExtend(false);
        CompletableFuture<MultiAcquisition> waiting =
                a.holdfast().locks(List.of(brief, a.lock("y"))).tryAcquireAsync(seconds(60));
        cluster.advance(seconds(10));

        cluster.await(blocking.releaseAsync());
        cluster.advance(millis(500));

        assertThat(waiting.join().leases().isHeld()).isTrue();
    }

    @Test
    void cancellingGivesBackWhatWasGot() {
        b.acquire("y");
        CompletableFuture<MultiAcquisition> waiting = queue(a, "x", "y");
        assertThat(cluster.traces("x")).isEqualTo(3);

        waiting.cancel(true);
        cluster.world().drain();

        assertThat(cluster.traces("x")).isZero();
        assertThat(b.holdfast().locks("x").locks()).hasSize(1);
    }

    @Test
    void aLossIsToldOnceAndTheOthersStay() {
        MultiLease leases = acquire(a, "x", "y");
        List<Loss> losses = new ArrayList<>();
        leases.onLost(losses::add);
        a.nodes().forEach(node -> node.requests().lose());

        cluster.advance(seconds(31));

        assertThat(losses).hasSize(1);
        assertThat(leases.lost().toCompletableFuture()).isCompletedWithValue(losses.get(0));
        assertThat(leases.isHeld()).isFalse();
        assertThatThrownBy(leases::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void extendingTellsTheWorst() {
        MultiLease leases = acquire(a, "x", "y");
        assertThat(cluster.await(leases.extendAsync(seconds(60)))).isEqualTo(ExtendOutcome.EXTENDED);

        cluster.await(leases.lease("x").releaseAsync());

        assertThat(cluster.await(leases.extendAsync(seconds(60)))).isEqualTo(ExtendOutcome.LOST);
    }

    @Test
    void aSetHasLocksEachOnce() {
        assertThatThrownBy(() -> a.holdfast().locks())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one");
        assertThatThrownBy(() -> a.holdfast().locks("x", "y", "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lock 'x' is given twice, but may be in a set once");
        assertThatThrownBy(() -> a.holdfast().locks("x").tryAcquireAsync(seconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait is -1 s");
        assertThatThrownBy(() -> acquire(a, "x").lease("y"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'y' is not one of these locks: [x]");
    }

    @Test
    void workUnderTheLocksIsReleasedHoweverItEnds() throws Exception {
        try (Holdfast real = Holdfast.connect("memory:")) {
            MultiLock both = real.locks("x", "y");
            IOException thrown = new IOException("disk");

            long sum = both.call(seconds(1), leases -> leases.fencingToken("x") + leases.fencingToken("y"));

            assertThat(sum).isPositive();
            assertThatThrownBy(() -> both.call(seconds(1), leases -> {
                        throw thrown;
                    }))
                    .isSameAs(thrown);
            both.tryAcquire().close();
        }
    }

    @Test
    void aClientThatIsClosedSaysSo() {
        Holdfast real = Holdfast.connect("memory:");
        MultiLock both = real.locks("x", "y");
        real.close();

        assertThatThrownBy(() -> both.acquire(seconds(1))).isInstanceOf(HoldfastClosedException.class);
    }

    @Test
    void anInterruptEndsTheWaitAndNothingStaysLocked() throws Exception {
        try (Holdfast real = Holdfast.connect("memory:")) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> real.locks("x", "y").acquire(seconds(1))).isInstanceOf(InterruptedException.class);
            try (MultiAcquisition again = real.locks("x", "y").tryAcquire(seconds(5))) {
                assertThat(again.isHeld()).isTrue();
            }
        }
    }

    @Test
    void c16_aLeaseThatWasLostMeanwhileIsReportedAsLostWithTheNodesAnswers() {
        List<FakeClient> made = new ArrayList<>();
        ClientObserver slowsY = new ClientObserver() {
            @Override
            public LeaseObserver attempt(String lock, LockMode mode) {
                return new LeaseObserver() {
                    @Override
                    public void granted(Lease lease, Duration waited) {
                        made.get(0).nodes().forEach(node -> {
                            if (lock.equals("x")) {
                                node.requests().delay(millis(200));
                            } else {
                                node.requests().pass();
                            }
                        });
                    }
                };
            }
        };
        made.add(cluster.client("slow", settings -> settings.observer(slowsY)));
        DistributedLock brief = made.get(0).lock("x").ttl(millis(100)).autoExtend(false);
        CompletableFuture<MultiAcquisition> asked = made.get(0)
                .holdfast()
                .locks(List.of(brief, made.get(0).lock("y")))
                .tryAcquireAsync(Duration.ZERO);
        cluster.advance(millis(150));
        b.acquire("x");
        cluster.advance(millis(300));

        Refusal refusal = ((MultiAcquisition.Refused) asked.join()).refusal();

        assertThat(refusal.reason()).isEqualTo(Refusal.Reason.LOST);
        assertThat(refusal.message())
                .contains(
                        "lock 'x' not acquired",
                        "its lease was lost while the client acquired the other locks",
                        "HELD by b");
        assertThat(refusal.nodes()).hasSize(3);
        cluster.advance(seconds(31)); // a release may overtake a request here, whose vote ends with its ttl
        assertThat(cluster.traces("y")).isZero();
    }
}
