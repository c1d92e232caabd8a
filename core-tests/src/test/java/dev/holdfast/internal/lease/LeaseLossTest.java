package dev.holdfast.internal.lease;

import static dev.holdfast.Spans.drift;
import static dev.holdfast.Spans.hours;
import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.AtRisk;
import dev.holdfast.lock.BreakOutcome;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.observe.RequestObserver;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** At risk, lost, and the longest hold. */
class LeaseLossTest {

    private static final Duration TTL = seconds(30);
    private static final Duration VALIDITY = TTL.minus(drift(TTL));

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final List<AtRisk> risks = new ArrayList<>();
    private final List<Loss> losses = new ArrayList<>();

    private Lease watched(Lease lease) {
        return lease.onAtRisk(risks::add).onLost(losses::add);
    }

    private void cutOff() {
        a.nodes(0, 1).forEach(node -> node.disconnect("cut"));
    }

    private void connectAgain() {
        a.nodes(0, 1).forEach(node -> node.reconnect());
        cluster.world().drain();
    }

    @Test
    void itIsAtRiskAtHalfItsValidityThenLostBeforeItsDeadlineOnceEach() {
        Lease lease = watched(a.acquire("x"));
        cutOff();

        cluster.advance(VALIDITY.dividedBy(2).minus(millis(1)));
        assertThat(risks).isEmpty();
        cluster.advance(millis(1));
        assertThat(risks).singleElement().satisfies(risk -> {
            assertThat(risk.lock()).isEqualTo("x");
            assertThat(risk.remaining()).isEqualTo(VALIDITY.dividedBy(2));
            assertThat(risk.detail()).contains("fake:A: cut").contains("fake:B: cut");
        });

        cluster.advance(VALIDITY.dividedBy(2).minus(millis(20)));
        assertThat(losses).singleElement().satisfies(loss -> {
            assertThat(loss.reason()).isEqualTo(Loss.Reason.EXPIRED);
            assertThat(loss.detail()).contains("fake:A: cut");
        });
        assertThat(lease.isHeld()).isFalse();
        cluster.advance(hours(1));
        assertThat(risks).hasSize(1);
        assertThat(losses).hasSize(1);
    }

    @Test
    void afterARecoveryItMayBeAtRiskAgain() {
        watched(a.acquire("x"));
        cutOff();
        cluster.advance(seconds(20));
        assertThat(risks).hasSize(1);

        connectAgain();
        cluster.advance(seconds(60));
        assertThat(risks).hasSize(1);

        cutOff();
        cluster.advance(seconds(24));
        assertThat(risks).hasSize(2);
        assertThat(losses).isEmpty();
    }

    @Test
    void itIsLostOnceAMajoritySaysItHasNoVote() {
        Lease lease = watched(a.acquire("x"));
        for (int server = 0; server < 2; server++) {
            cluster.server(server).stop();
            cluster.server(server).startEmpty(Duration.ZERO);
        }
        Lease other = cluster.client("b").acquire("x");

        cluster.advance(seconds(11));

        assertThat(losses).singleElement().satisfies(loss -> {
            assertThat(loss.reason()).isEqualTo(Loss.Reason.TAKEN);
            assertThat(loss.detail()).contains("held by b");
        });
        assertThat(lease.isHeld()).isFalse();
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    void whoRegistersAfterARecoveryIsToldOfNoRisk() {
        Lease lease = watched(a.acquire("x"));
        cutOff();
        cluster.advance(VALIDITY.dividedBy(2));
        assertThat(risks).hasSize(1);
        connectAgain();
        cluster.advance(seconds(2));
        assertThat(lease.remaining()).isGreaterThan(seconds(20));

        List<AtRisk> later = new ArrayList<>();
        lease.onAtRisk(later::add);
        cluster.world().drain();

        assertThat(later).isEmpty();
    }

    /** Once the release is sent, another client may hold the lock. */
    @Test
    void itIsNotHeldAnyMoreWhenItIsReleasedAtTheNodes() {
        AtomicReference<Lease> lease = new AtomicReference<>();
        List<Boolean> held = new ArrayList<>();
        FakeClient watching = cluster.client(
                "watching",
                settings -> settings.observer(new ClientObserver() {
                    @Override
                    public RequestObserver request(String node, NodeOperation operation) {
                        if (operation == NodeOperation.RELEASE) {
                            held.add(lease.get().isHeld());
                        }
                        return RequestObserver.NONE;
                    }
                }));
        lease.set(watching.acquire("x"));
        for (int server = 0; server < 2; server++) {
            cluster.server(server).stop();
            cluster.server(server).startEmpty(Duration.ZERO);
        }
        a.acquire("x");

        cluster.advance(seconds(11));

        assertThat(held).isNotEmpty().containsOnly(false);
    }

    @Test
    void aMinorityThatSaysSoIsNoLoss() {
        Lease lease = watched(a.acquire("x"));
        cluster.server(0).stop();
        cluster.server(0).startEmpty(Duration.ZERO);
        FakeClient b = cluster.client("b");
        b.nodes(1, 2).forEach(node -> node.requests().lose());
        b.queue("x");

        cluster.advance(seconds(60));

        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
    }

    @Test
    void itEndsAfterTheLongestHoldThoughItCouldBeExtended() {
        Lease lease = watched(a.acquire(a.lock("x").maxHold(seconds(45))));

        cluster.advance(seconds(44));
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(seconds(1));
        cluster.advance(seconds(1));

        assertThat(lease.isHeld()).isFalse();
        assertThat(losses).extracting(Loss::reason).containsExactly(Loss.Reason.MAX_HOLD);
        assertThat(cluster.traces("x")).as("given back").isZero();
    }

    @Test
    void theLongestHoldHoldsWithoutAutoExtendToo() {
        Lease lease = watched(a.acquire(a.lock("x").maxHold(seconds(5)).autoExtend(false)));

        cluster.advance(seconds(5));

        assertThat(lease.isHeld()).isFalse();
        assertThat(losses).extracting(Loss::reason).containsExactly(Loss.Reason.MAX_HOLD);
    }

    @Test
    void withALongestHoldBelowTheTtlItIsAtRiskAtHalfOfThatNotAtOnce() {
        watched(a.acquire(a.lock("x").maxHold(seconds(10))));

        cluster.advance(millis(4_999));
        assertThat(risks).isEmpty();
        cluster.advance(millis(1));

        assertThat(risks)
                .singleElement()
                .satisfies(risk -> assertThat(risk.detail()).contains("longest hold"));
    }

    @Test
    void theEndOfTheLongestHoldIsNotApproachedInEverSmallerSteps() {
        a.acquire(a.lock("x").maxHold(seconds(45)));

        cluster.advance(seconds(45));

        assertThat(a.node(0).acquires())
                .as("the first, and extensions at 10 s and 20 s")
                .hasSize(3);
    }

    @Test
    void nothingIsToldOfALeaseThatIsReleasedInTime() {
        Lease lease = watched(a.acquire("x"));
        cutOff();
        cluster.advance(seconds(10));

        lease.releaseAsync();
        cluster.advance(seconds(60));

        assertThat(risks).isEmpty();
        assertThat(losses).isEmpty();
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void whoIsLostSaysSo() {
        Lease lease = a.acquire(a.lock("x").autoExtend(false));
        cluster.advance(TTL);

        assertThat(lease.remaining()).isZero();
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("'x'")
                .hasMessageContaining("it expired");
        assertThat(cluster.await(lease.extendAsync(TTL))).isEqualTo(ExtendOutcome.LOST);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.EXPIRED);
        assertThat(lease.lost().toCompletableFuture())
                .as("known, so there at once")
                .isCompletedWithValueMatching(loss -> loss.reason() == Loss.Reason.EXPIRED);
    }

    @Test
    void whoIsReleasedSaysSo() {
        Lease lease = a.acquire("x");
        lease.release();

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("released");
    }

    @Test
    void aSuspendedMachineLosesItsLeaseWhenItWakesUp() {
        Lease lease = watched(a.acquire("x"));

        a.machine().suspend(TTL);

        assertThat(lease.isHeld()).isFalse();
        cluster.advance(seconds(1));
        assertThat(losses).hasSize(1);
    }

    @Test
    void aPausedProcessLosesItsLeaseAndDoesNotTakeItBackFromTheNextHolder() {
        Lease lease = watched(a.acquire("x"));
        a.pause();
        cluster.advance(TTL);
        Lease next = cluster.client("b").acquire("x");

        a.resume();

        assertThat(lease.isHeld()).isFalse();
        assertThat(losses).hasSize(1);
        assertThat(cluster.votes(next)).isEqualTo(3);
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
    }

    @Test
    void aStoppedMajorityIsTooMuchAndNothingOfItIsLeftWhenItGoesOn() {
        Lease lease = watched(a.acquire("x"));
        a.nodes(0, 1).forEach(node -> node.requests().hold());
        cluster.advance(TTL);
        assertThat(losses).hasSize(1);

        a.nodes(0, 1).forEach(node -> node.requests().release());
        cluster.world().drain();

        assertThat(lease.isHeld()).isFalse();
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void aBrokenLeaseIsLostAtItsNextExtensionAndDoesNotComeBack() throws Exception {
        FakeClient operator = cluster.client("operator");
        Lease lease = watched(a.acquire(a.lock("x").ttl(Duration.ofHours(1))));

        assertThat(operator.holdfast()
                        .admin()
                        .breakLease("x", lease.fencingToken(), "it hangs")
                        .outcome())
                .isEqualTo(BreakOutcome.BROKEN);
        cluster.advance(Duration.ofMinutes(21));

        assertThat(losses).extracting(Loss::reason).containsExactly(Loss.Reason.RELEASED);
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void anUnwellNodeIsNoNo() {
        Lease lease = watched(a.acquire("x"));
        a.nodes().forEach(node -> node.answerAcquires(request -> new Unavailable("OOM", false)));

        cluster.advance(seconds(28));

        assertThat(lease.isHeld()).isTrue();
        assertThat(risks)
                .singleElement()
                .satisfies(risk -> assertThat(risk.detail()).contains("OOM"));
    }
}
