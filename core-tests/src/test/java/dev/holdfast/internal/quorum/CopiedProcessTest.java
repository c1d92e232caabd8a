package dev.holdfast.internal.quorum;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogRecorder;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.BreakOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import dev.holdfast.time.Timing;
import dev.holdfast.time.UnsharedRandom;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** C16: copies of one process, restored from a checkpoint or a snapshot, share the client id and the ticket clock (docs/decisions/0038). */
class CopiedProcessTest {

    /** Draws the same numbers as every copy until the process is copied, and from then on numbers that no other copy draws. */
    private static final class Draws implements UnsharedRandom {

        private SplittableRandom source = new SplittableRandom(42);

        void isCopied(long seed) {
            source = new SplittableRandom(seed);
        }

        @Override
        public long nextLong() {
            return source.nextLong();
        }
    }

    private final FakeCluster cluster = new FakeCluster(3);
    private final Draws drawsOfOne = new Draws();
    private final Draws drawsOfOther = new Draws();
    private final FakeClient one = process(drawsOfOne);
    private final FakeClient other = process(drawsOfOther);

    private FakeClient process(Draws draws) {
        Timing machine = cluster.world().timing(); // one machine, so the clocks are the same
        return cluster.client(
                "billing@host", settings -> settings.timing(new Timing(machine.ticker(), machine.scheduler(), draws)));
    }

    /** The copies' connections do not outlast the restore. */
    private void restore() {
        drawsOfOne.isCopied(1);
        drawsOfOther.isCopied(2);
        for (FakeClient copy : List.of(one, other)) {
            copy.nodes().forEach(node -> node.disconnect("restored"));
            copy.nodes().forEach(node -> node.reconnect());
        }
        cluster.world().drain();
    }

    private static String attemptOf(Lease lease) {
        return lease.owner().substring(0, lease.owner().lastIndexOf('/'));
    }

    @Test
    void c16_twoCopiesOfAProcessNeverHoldOneLockAtOnce() {
        restore();
        for (int use = 0; use < 50; use++) {
            String name = "x" + use;
            CompletableFuture<Acquisition> first = one.lock(name).tryAcquireAsync(millis(0));
            CompletableFuture<Acquisition> second = other.lock(name).tryAcquireAsync(millis(0));
            cluster.advance(millis(300));

            assertThat(List.of(first.join().isHeld(), second.join().isHeld())).containsOnlyOnce(true);
        }
    }

    @Test
    void c16_copiesHaveTheSameTicketsAndOwnersOfTheirOwn() {
        restore();
        Lease first = one.acquire("x");
        Lease second = other.acquire("y");

        assertThat(attemptOf(first)).isEqualTo(attemptOf(second));
        assertThat(first.owner()).isNotEqualTo(second.owner());
    }

    @Test
    void anOperatorBreaksALeaseUnderTheIdThatItsAttemptBeganWith() throws InterruptedException {
        restore();
        one.node(2).requests().lose(); // the operator cannot see the attempt at this node
        Lease lease = one.acquire("x");
        FakeClient operator = cluster.client("operator");

        assertThat(operator.holdfast()
                        .admin()
                        .breakLease("x", lease.fencingToken(), "a test")
                        .outcome())
                .isEqualTo(BreakOutcome.BROKEN);

        assertThat(operator.nodes())
                .allSatisfy(node -> assertThat(node.releases())
                        .singleElement()
                        .extracting(release -> release.owner().toString())
                        .isEqualTo(lease.owner()));
    }

    @Test
    void c16_aCopyLeavesTheVotesOfTheOtherAloneAndSaysThatThereIsOne() {
        FakeClient holder = cluster.client("holder");
        Lease held = holder.acquire("x");
        restore();
        for (int use = 0; use < 5; use++) {
            other.acquire("y" + use); // its ticket clock is ahead of the other copy's
        }
        one.nodes()
                .forEach(node -> node.disconnect("restored")); // the node sends pushes to the copy that connects last
        CompletableFuture<Lease> waiting = CompletableFuture.completedFuture(held);
        try (LogRecorder log = LogRecorder.of("dev.holdfast.internal.owner.OwnerIds")) {
            one.nodes().forEach(node -> node.reconnect());
            cluster.world().drain();
            waiting = one.queue("x");
            other.nodes().forEach(node -> node.disconnect("restored"));
            other.nodes().forEach(node -> node.reconnect());
            cluster.world().drain();
            cluster.await(held.releaseAsync());
            cluster.advance(seconds(1));

            assertThat(other.node(0).releases())
                    .extracting(release -> release.resource())
                    .doesNotContain(FakeCluster.resource("x"));
            assertThat(log.messages(Level.SEVERE))
                    .singleElement()
                    .asString()
                    .contains("Another process uses this client's id");
        }
        cluster.advance(seconds(20)); // the copy that waits retries

        assertThat(waiting.join().isHeld()).isTrue();
    }
}
