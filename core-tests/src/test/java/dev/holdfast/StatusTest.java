package dev.holdfast;

import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.lock.BreakOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Status for people, and breaking a lease. */
class StatusTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");

    @Test
    void aFreeLockHasNoHolders() throws Exception {
        LockStatus status = a.lock("x").status();

        assertThat(status.name()).isEqualTo("x");
        assertThat(status.holders()).isEmpty();
        assertThat(status.waiters()).isEmpty();
        assertThat(status.answered()).isEqualTo(3);
        assertThat(status.hasQuorum()).isTrue();
    }

    @Test
    void aHolderIsShownOnceWithItsTokenAndItsVotes() throws Exception {
        Lease lease = a.acquire("x");
        b.queue("x");
        cluster.client("c").queue("x");

        LockStatus status = b.lock("x").status();

        assertThat(status.holders()).singleElement().satisfies(holder -> {
            assertThat(holder.owner())
                    .isEqualTo(a.holdfast().client()
                            + lease.owner()
                                    .substring(
                                            lease.owner().indexOf('/'),
                                            lease.owner().lastIndexOf('/')));
            assertThat(holder.token()).isEqualTo(lease.fencingToken());
            assertThat(holder.votes()).isEqualTo(3);
            assertThat(holder.hasMajority()).isTrue();
            assertThat(holder.mode()).isEqualTo(LockMode.EX);
            assertThat(holder.kind()).isEqualTo(LockStatus.Writer.HOLDFAST);
            assertThat(holder.remaining()).isEqualTo(Duration.ofSeconds(30));
        });
        assertThat(status.waiters()).hasSize(2);
    }

    @Test
    void aVoteWithoutAMajorityIsShownAsSuchAfterThoseWithOne() throws Exception {
        FakeClient minority = cluster.client("0-first-by-name");
        minority.nodes(0, 1).forEach(node -> node.requests().lose());
        minority.queue("x");
        cluster.advance(Duration.ofMillis(1));
        Lease lease = a.tryAcquire(a.lock("x"), seconds(5)).lease();

        List<LockStatus.Holder> holders = b.lock("x").status().holders();

        assertThat(holders).hasSize(2);
        assertThat(holders.get(0).token()).isEqualTo(lease.fencingToken());
        assertThat(holders.get(0).hasMajority()).isTrue();
        assertThat(holders.get(1).hasMajority()).isFalse();
        assertThat(holders.get(1).votes()).isEqualTo(1);
    }

    @Test
    void nodesThatDoNotAnswerAreShownWithTheirReason() throws Exception {
        a.acquire("x");
        b.node(0).disconnect("connection refused");

        LockStatus status = b.lock("x").status();

        assertThat(status.answered()).isEqualTo(2);
        assertThat(status.hasQuorum()).isTrue();
        assertThat(status.nodes().get(0).problem()).isEqualTo("connection refused");
        assertThat(status.nodes().get(0).node()).isEqualTo("fake:A");
        assertThat(status.nodes().get(1).problem()).isEmpty();
        b.node(1).disconnect("connection refused");
        assertThat(b.lock("x").status().hasQuorum()).isFalse();
    }

    @Test
    void aListIsOfAllNodesTogetherInOrderWithoutThePrefix() throws Exception {
        a.node(0).requests().lose();
        a.acquire("orders:2");
        b.node(2).requests().lose();
        b.acquire("orders:1");
        b.acquire("other");

        assertThat(cluster.client("c").holdfast().admin().list("", 10).names())
                .containsExactly("orders:1", "orders:2", "other");
        assertThat(cluster.client("c").holdfast().admin().list("orders:", 10).names())
                .containsExactly("orders:1", "orders:2");
        assertThat(cluster.client("c").holdfast().admin().list("", 2).names()).containsExactly("orders:1", "orders:2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.holdfast().admin().list("", 0))
                .withMessage("limit is 0, but must be from 1 to 10000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.holdfast().admin().list("", 10_001));
    }

    @Test
    void nodesAreShownInTheirOrder() throws Exception {
        a.node(1).disconnect("connection refused");

        List<NodeStatus> nodes = a.holdfast().admin().nodes();

        assertThat(nodes)
                .extracting(NodeStatus::state)
                .containsExactly(NodeStatus.State.UP, NodeStatus.State.DOWN, NodeStatus.State.UP);
        assertThat(nodes.get(1).detail()).isEqualTo("connection refused");
        assertThat(a.holdfast().admin().nodeNames()).containsExactly("fake:A", "fake:B", "fake:C");
    }

    // ---- breaking

    @Test
    void aLeaseIsBrokenByItsTokenOnly() throws Exception {
        Lease lease = a.acquire("x");

        assertThat(b.holdfast()
                        .admin()
                        .breakLease("x", lease.fencingToken() - 1, "why")
                        .outcome())
                .isEqualTo(BreakOutcome.NOT_FOUND);
        assertThat(cluster.votes(lease)).isEqualTo(3);
        assertThat(b.holdfast()
                        .admin()
                        .breakLease("x", lease.fencingToken(), "why")
                        .outcome())
                .isEqualTo(BreakOutcome.BROKEN);

        assertThat(cluster.traces("x")).isZero();
        assertThat(b.acquire("x").fencingToken()).isGreaterThan(lease.fencingToken());
        cluster.advance(seconds(11));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void withoutAMajorityABreakSaysSo() throws Exception {
        Lease lease = a.acquire("x");
        b.nodes(0, 1).forEach(node -> node.disconnect("down"));

        assertThat(b.holdfast()
                        .admin()
                        .breakLease("x", lease.fencingToken(), "why")
                        .outcome())
                .isEqualTo(BreakOutcome.UNCONFIRMED);
        assertThat(b.holdfast()
                        .admin()
                        .breakLease("x", lease.fencingToken(), "why")
                        .outcome())
                .isEqualTo(BreakOutcome.UNCONFIRMED);
        cluster.advance(seconds(60));
        assertThat(lease.isHeld()).as("two of three go on").isTrue();
    }

    /** Each node counts fences separately, so at one node the vote of a failing attempt may have the same number as another lease. */
    @Test
    void aBreakHitsTheLeaseAndNotAVoteWithTheSameNumberElsewhere() throws Exception {
        FakeClient minority = cluster.client("minority");
        minority.nodes(1, 2).forEach(node -> node.requests().lose());
        minority.queue("x");
        cluster.advance(Duration.ofMillis(1));
        Lease lease = a.tryAcquire(a.lock("x"), seconds(5)).lease();
        assertThat(cluster.server(0).state("lock:x").holders()).singleElement().satisfies(holder -> {
            assertThat(holder.owner()).startsWith("minority");
            assertThat(holder.fence()).isEqualTo(lease.fencingToken());
        });

        assertThat(b.holdfast()
                        .admin()
                        .breakLease("x", lease.fencingToken(), "why")
                        .outcome())
                .isEqualTo(BreakOutcome.BROKEN);

        assertThat(cluster.votes(lease)).isZero();
    }

    @Test
    void aBreakWithoutATokenOrAReasonIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> b.holdfast().admin().breakLease("x", 0, "why"))
                .withMessageContaining("token is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> b.holdfast().admin().breakLease("x", 5, " "));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> b.holdfast().admin().breakLease("", 5, "why"));
    }
}
