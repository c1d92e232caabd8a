package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.testkit.Effort;
import dev.holdfast.testkit.Stalls;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Five nodes, of which some are killed, stopped, or come back without their memory. */
@Tag("slow")
class FailingNodesTest {

    private static final String LOCK = "orders:42";

    /** A notification may be late by this much: it passes through several threads, each of which may have to wait for a processor. */
    private static final Duration MARGIN = LiveNodes.TTL.dividedBy(6);

    @Test
    void goesOnWithTwoOfFiveKilledOrStopped() throws Exception {
        try (LiveNodes live = new LiveNodes(5)) {
            Holdfast holdfast = live.client();
            live.server(0).kill();
            live.server(1).pause();
            long last = 0;
            for (int i = 0; i < 20; i++) {
                try (Lease lease = holdfast.lock(LOCK).acquire(LiveNodes.SOON)) {
                    assertThat(lease.fencingToken()).isGreaterThan(last);
                    last = lease.fencingToken();
                }
            }
        }
    }

    @Test
    void withThreeOfFiveGoneTheRefusalNamesEachNodeAndWhy() throws Exception {
        try (Stalls stalls = new Stalls();
                LiveNodes live = new LiveNodes(5)) {
            Holdfast holdfast = live.client();
            live.server(0).kill();
            live.server(1).kill();
            live.server(2).pause();
            DistributedLock lock = holdfast.lock(LOCK);
            Duration wait = Duration.ofMillis(500);
            long before = System.nanoTime();
            NoQuorumException refused = catchThrowableOfType(NoQuorumException.class, () -> lock.acquire(wait));
            long after = System.nanoTime();
            Duration took = Duration.ofNanos(after - before).minus(stalls.between(before, after));
            assertThat(refused).isNotNull();
            List<NodeReport> reports = refused.refusal().nodes();
            for (int i = 0; i < 5; i++) {
                assertThat(reports.get(i).node())
                        .contains(Integer.toString(live.server(i).port()));
            }
            assertThat(reports.stream().limit(2)).allMatch(report -> report.kind() == NodeReport.Kind.ERROR);
            assertThat(reports.get(2).kind()).isEqualTo(NodeReport.Kind.TIMEOUT);
            assertThat(refused)
                    .hasMessageContaining("no majority")
                    .hasMessageContaining(reports.get(0).node());
            Duration nodeTimeout = LiveNodes.TTL.dividedBy(20);
            assertThat(took).isLessThan(wait.plus(nodeTimeout).plus(Duration.ofSeconds(1)));
            live.server(2).resume();
        }
    }

    @Test
    void aHolderWhoseMajorityIsStoppedIsToldAtRiskThenLostAndHoldsNothingAfterItsDeadline() throws Exception {
        try (Stalls stalls = new Stalls();
                LiveNodes live = new LiveNodes(5)) {
            Holdfast holdfast = live.client();
            Lease lease = holdfast.lock(LOCK).acquire(LiveNodes.SOON);
            List<String> told = new CopyOnWriteArrayList<>();
            lease.onAtRisk(risk -> told.add("at risk"));
            lease.onLost(loss -> told.add("lost"));
            for (int i = 0; i < 3; i++) {
                live.server(i).pause();
            }
            long deadline = System.nanoTime() + LiveNodes.TTL.toNanos(); // none of its votes can be younger than now
            long held = System.nanoTime();
            for (long now = held; lease.isHeld(); now = System.nanoTime()) {
                held = now;
                Thread.sleep(1);
            }
            assertThat(held)
                    .as("the last call that answered yes began before the deadline")
                    .isLessThan(deadline);
            Loss loss = lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);
            long known = System.nanoTime();
            Duration late = Duration.ofNanos(known - deadline).minus(stalls.between(deadline, known));
            assertThat(late).isLessThan(MARGIN);
            assertThat(loss.reason()).isEqualTo(Loss.Reason.EXPIRED);
            assertThat(lease.isHeld()).isFalse();
            await().atMost(LiveNodes.SOON).untilAsserted(() -> assertThat(told).containsExactly("at risk", "lost"));
            for (int i = 0; i < 3; i++) {
                live.server(i).resume();
            }
            live.awaitNoKeys();
        }
    }

    private static HoldfastBuilder withLongerQuarantine(HoldfastBuilder settings) {
        return LiveNodes.lasting(settings).restartQuarantine(LiveNodes.LONGER_TTL);
    }

    @Test
    void aNodeThatRestartedEmptyIsQuarantinedAndHealsIntoTheLease() throws Exception {
        try (LiveNodes live = new LiveNodes(3)) {
            Holdfast holdfast = live.client(FailingNodesTest::withLongerQuarantine);
            Holdfast other = live.client(FailingNodesTest::withLongerQuarantine);
            Lease lease = holdfast.lock(LOCK).acquire(LiveNodes.SOON);
            live.server(0).kill();
            live.server(0).restartEmpty();
            await().atMost(LiveNodes.SOON)
                    .untilAsserted(() ->
                            assertThat(other.admin().nodes().get(0).state()).isEqualTo(NodeStatus.State.QUARANTINED));
            live.server(1).pause(); // a majority for another would need the one that forgot
            assertThatThrownBy(() -> other.lock(LOCK).acquire(Duration.ofSeconds(1)))
                    .isInstanceOf(NoQuorumException.class)
                    .hasMessageContaining("QUARANTINED");
            live.server(1).resume();
            await().atMost(LiveNodes.SOON)
                    .untilAsserted(
                            () -> assertThat(LiveNodes.status(other, LOCK).holders())
                                    .singleElement()
                                    .extracting(LockStatus.Holder::votes)
                                    .isEqualTo(3));
            assertThat(lease.isHeld()).isTrue();
            assertThat(other.lock(LOCK).tryAcquire().isHeld()).isFalse();
            lease.close();
        }
    }

    @Test
    void aLeaseSurvivesNodesThatComeAndGoOneAfterTheOther() throws Exception {
        try (LiveNodes live = new LiveNodes(5)) {
            Holdfast holdfast = live.client(LiveNodes::lasting);
            Holdfast other = live.client(LiveNodes::lasting);
            Lease lease = holdfast.lock(LOCK).acquire(LiveNodes.SOON);
            for (int i = 0; i < Effort.of(2, 5); i++) {
                int node = i;
                live.server(node).kill();
                live.server(node).restartEmpty();
                await().atMost(LiveNodes.SOON)
                        .untilAsserted(
                                () -> assertThat(LiveNodes.status(other, LOCK).holders())
                                        .singleElement()
                                        .extracting(LockStatus.Holder::votes)
                                        .isEqualTo(5));
            }
            lease.ensureHeld();
            lease.close();
        }
    }
}
