package dev.holdfast.junit;

import static dev.holdfast.junit.LockAssertions.assertThatLock;
import static dev.holdfast.lock.NodeStatus.State.DOWN;
import static dev.holdfast.lock.NodeStatus.State.UP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Refusal;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;

class LockNodesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @RegisterExtension
    final LockNodes nodes = LockNodes.inMemory(5);

    private static Refusal.Reason refusal(Acquisition acquisition) {
        return ((Acquisition.Refused) acquisition).refusal().reason();
    }

    @Test
    void everyParameterIsAClientOfItsOwn(Holdfast one, Holdfast other, LockNodes same, TestClock clock)
            throws Exception {
        assertThat(same).isSameAs(nodes);
        assertThat(clock).isSameAs(nodes.clock());
        try (Lease lease = one.lock("a").acquire(PATIENCE)) {
            assertThat(refusal(other.lock("a").tryAcquire())).isEqualTo(Refusal.Reason.HELD);
            assertThatLock(other, "a").isHeld().isHeldWithToken(lease.fencingToken());
        }
        assertThatLock(other, "a").isFree();
    }

    @Test
    void whoHoldsIsSaidByItsName() throws Exception {
        Holdfast billing = nodes.connect(builder -> builder.clientName("billing"));
        Lease lease = billing.lock("a").mode(LockMode.PW).acquire(PATIENCE);
        lease.writeValue("v");

        assertThatLock(billing, "a")
                .isHeldBy("billing")
                .isHeldIn(LockMode.PW)
                .hasWaiters(0)
                .isNotSealed()
                .hasValue("v");

        lease.seal(Duration.ofHours(1));
        assertThatLock(billing.lock("a")).isSealed();
    }

    @Test
    void wrongAssertionsSayWhatIs(Holdfast holdfast) throws Exception {
        assertThatThrownBy(() -> assertThatLock(holdfast, "a").isHeld())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no client holds it");
        Holdfast billing = nodes.connect(builder -> builder.clientName("billing"));
        Lease lease = billing.lock("a").acquire(PATIENCE);
        assertThatThrownBy(() -> assertThatLock(holdfast, "a").isFree()).hasMessageContaining("held by [billing]");
        assertThatThrownBy(() -> assertThatLock(holdfast, "a").isHeldBy("shipping"))
                .hasMessageContaining("'shipping'")
                .hasMessageContaining("[billing]");
        assertThatThrownBy(() -> assertThatLock(holdfast, "a").isHeldWithToken(1))
                .hasMessageContaining(Long.toString(lease.fencingToken()));
        assertThatThrownBy(() -> assertThatLock(holdfast, "a").isHeldIn(LockMode.PR))
                .hasMessageContaining("EX");
        assertThatThrownBy(() -> assertThatLock(holdfast, "a").hasWaiters(1)).hasMessageContaining("it has 0");
        assertThatThrownBy(() -> assertThatLock(holdfast, "a").isSealed()).hasMessageContaining("it is not");
        assertThatThrownBy(() -> assertThatLock(holdfast, "a").hasValue("v")).hasMessageContaining("'v'");
        nodes.kill(1);
        nodes.kill(2);
        nodes.kill(3);
        assertThatThrownBy(() -> assertThatLock(holdfast, "a").isFree()).hasMessageContaining("only 2 of 5 nodes");
    }

    // ---- the clock

    @Test
    void aLeaseThatIsExtendedStaysHeldAsTimeGoesOn(Holdfast holdfast) throws Exception {
        Lease lease = holdfast.lock("a").acquire(PATIENCE);

        nodes.clock().advance(Duration.ofMinutes(10));

        assertThat(lease.isHeld()).isTrue();
        assertThatLock(holdfast, "a").isHeldWithToken(lease.fencingToken());
    }

    @Test
    void aLeaseThatIsNotExtendedEnds(Holdfast holdfast) throws Exception {
        Lease lease =
                holdfast.lock("a").ttl(Duration.ofSeconds(30)).autoExtend(false).acquire(PATIENCE);

        nodes.clock().advance(Duration.ofSeconds(25));
        assertThat(lease.isHeld()).isTrue();
        nodes.clock().advance(Duration.ofSeconds(5));

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lost().toCompletableFuture()).isDone();
        assertThatLock(holdfast, "a").isFree();
    }

    @Test
    void aProcessThatIsSuspendedLosesItsLease(Holdfast holdfast) throws Exception {
        Lease lease = holdfast.lock("a").acquire(PATIENCE);

        nodes.clock().suspend(Duration.ofMinutes(1));

        assertThat(lease.isHeld()).isFalse();
        Lease next = holdfast.lock("a").acquire(PATIENCE);
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
    }

    @Test
    void whoWaitsIsRefusedWhenItsTimeIsUp(Holdfast one, Holdfast other) throws Exception {
        one.lock("a").acquire(PATIENCE);
        CompletableFuture<Acquisition> waiting = other.lock("a").tryAcquireAsync(Duration.ofHours(1));
        await().atMost(PATIENCE).untilAsserted(() -> assertThatLock(one, "a").hasWaiters(1));

        nodes.clock().advance(Duration.ofMinutes(59));
        assertThat(waiting).isNotDone();
        nodes.clock().advance(Duration.ofMinutes(2));

        assertThat(refusal(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))).isEqualTo(Refusal.Reason.HELD);
    }

    @Test
    void timeDoesNotGoBack() {
        assertThatThrownBy(() -> nodes.clock().advance(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-1S");
        assertThatThrownBy(() -> nodes.clock().suspend(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // ---- faults

    @Test
    void aMinorityMayBeGone(Holdfast holdfast) throws Exception {
        Lease lease = holdfast.lock("a").acquire(PATIENCE);
        nodes.kill(1);
        nodes.pause(2);
        nodes.clock().advance(Duration.ofMinutes(5));
        assertThat(lease.isHeld()).isTrue();

        nodes.kill(3);
        nodes.clock().advance(Duration.ofMinutes(5));
        assertThat(lease.isHeld()).isFalse();
        assertThat(refusal(holdfast.lock("b").tryAcquire())).isEqualTo(Refusal.Reason.NO_QUORUM);

        nodes.resume(2);
        await().atMost(PATIENCE).until(() -> holdfast.lock("b").tryAcquire() instanceof Acquisition.Held);
    }

    @Test
    void aNodeThatForgotIsInQuarantine(Holdfast holdfast) throws Exception {
        holdfast.lock("first").acquire(PATIENCE).release();
        nodes.kill(1);
        nodes.kill(2);
        nodes.restart(3);
        assertThat(refusal(holdfast.lock("a").tryAcquire())).isEqualTo(Refusal.Reason.NO_QUORUM);

        nodes.clock().advance(Duration.ofSeconds(31));

        assertThat(holdfast.lock("a").tryAcquire()).isInstanceOf(Acquisition.Held.class);
    }

    @Test
    void whoConnectsLaterFindsTheNodesAsTheyAre() throws Exception {
        nodes.kill(1);
        nodes.kill(2);
        nodes.kill(3);
        assertThat(refusal(nodes.connect().lock("a").tryAcquire())).isEqualTo(Refusal.Reason.NO_QUORUM);
    }

    @Test
    void whoConnectsLaterGetsNoAnswerFromPausedNodes() throws Exception {
        nodes.pause(1);
        nodes.pause(2);
        nodes.pause(3);
        Holdfast later = nodes.connect();
        assertThat(refusal(later.lock("a").tryAcquire())).isEqualTo(Refusal.Reason.NO_QUORUM);

        nodes.resume(1);
        assertThat(later.lock("a").tryAcquire(PATIENCE)).isInstanceOf(Acquisition.Held.class);
    }

    @Test
    void aPausedNodeDoesNotSayHowItIs(Holdfast holdfast) throws Exception {
        nodes.pause(2);
        assertThat(states(holdfast)).containsExactly(UP, DOWN, UP, UP, UP);
        nodes.resume(2);
        assertThat(states(holdfast)).containsOnly(UP);
    }

    private static List<NodeStatus.State> states(Holdfast holdfast) throws InterruptedException {
        return holdfast.admin().nodes().stream().map(NodeStatus::state).toList();
    }

    @Test
    void whoConnectsLaterQuarantinesANodeThatForgot(Holdfast one) throws Exception {
        Lease lease = one.lock("a").acquire(PATIENCE);
        nodes.restart(1);
        nodes.restart(2);
        nodes.restart(3);
        Holdfast later = nodes.connect();

        assertThat(later.lock("a").tryAcquire()).isInstanceOf(Acquisition.Refused.class);

        lease.release();
        nodes.clock().advance(Duration.ofSeconds(31));
        assertThat(later.lock("a").tryAcquire(PATIENCE)).isInstanceOf(Acquisition.Held.class);
    }

    @Test
    void nodesAreCountedFromOne() {
        for (int wrong : new int[] {0, 6, -1}) {
            assertThatThrownBy(() -> nodes.kill(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("node is " + wrong);
        }
        assertThatThrownBy(() -> LockNodes.inMemory(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LockNodes.inMemory(3).connect()).hasMessageContaining("@RegisterExtension");
    }

    private static ExtensionContext context(String test) {
        return (ExtensionContext) Proxy.newProxyInstance(
                LockNodesTest.class.getClassLoader(),
                new Class<?>[] {ExtensionContext.class},
                (proxy, method, arguments) -> test);
    }

    @Test
    void aTestThatBeginsWhileAnotherOneRunsIsRefused() throws Exception {
        LockNodes shared = LockNodes.inMemory(1);
        shared.beforeAll(context("class"));
        shared.beforeEach(context("one"));
        Holdfast holdfast = shared.connect();

        assertThatThrownBy(() -> shared.beforeEach(context("other")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("test 'other' began while 'one' runs")
                .hasMessageContaining("SAME_THREAD");
        shared.afterEach(context("other"));

        try (Lease lease = holdfast.lock("a").acquire(PATIENCE)) {
            assertThat(lease.isHeld()).isTrue();
        }
        shared.afterEach(context("one"));
        shared.beforeEach(context("other"));
        shared.afterEach(context("other"));
        shared.afterAll(context("class"));
    }
}
