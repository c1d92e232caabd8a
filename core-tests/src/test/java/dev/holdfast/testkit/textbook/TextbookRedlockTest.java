package dev.holdfast.testkit.textbook;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Spans;
import dev.holdfast.testkit.ManualMachine;
import dev.holdfast.testkit.ManualTiming;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The textbook client does what the Redis documentation says, step by step, and fails where that text does. */
class TextbookRedlockTest {

    private static final String KEY = "orders:42";
    private static final Duration TTL = seconds(2);
    private static final Duration DRIFT = Spans.drift(TTL);
    private static final Duration NODE_TIMEOUT = millis(50);

    private final ManualTiming world = new ManualTiming(7);
    private final List<MoodyKeyNode> nodes = IntStream.range(0, 5)
            .mapToObj(index -> new MoodyKeyNode(world.machine("node " + index)))
            .toList();
    private final ManualMachine machineA = world.machine("a");
    private final ManualMachine machineB = world.machine("b");
    private final TextbookRedlock a = client(machineA);
    private final TextbookRedlock b = client(machineB);

    private TextbookRedlock client(ManualMachine machine) {
        return new TextbookRedlock(List.copyOf(nodes), machine.timing(), NODE_TIMEOUT, millis(20));
    }

    private Optional<TextbookLease> tried(TextbookRedlock client) {
        return world.await(client.tryAcquire(KEY, TTL));
    }

    private Duration left(TextbookLease lease, ManualMachine machine) {
        return Duration.ofNanos(
                lease.validUntilNanos() - machine.timing().ticker().nanos());
    }

    private int keys() {
        return nodes.stream().mapToInt(MoodyKeyNode::keys).sum();
    }

    @Test
    void setsTheSameRandomValueAtAllNodes() {
        TextbookLease lease = tried(a).orElseThrow();
        assertThat(nodes)
                .allMatch(node -> lease.value()
                        .equals(node.table.value(KEY, world.timing().ticker().wallMillis())));
        assertThat(lease.value()).hasSize(40);
        assertThat(left(lease, machineA)).isEqualTo(TTL.minus(DRIFT));
        lease.release();
        assertThat(keys()).isZero();
        assertThat(tried(b).orElseThrow().value()).isNotEqualTo(lease.value());
    }

    @Test
    void elapsedTimeIsDeductedFromTheValidity() {
        nodes.get(4).slow(millis(30));
        TextbookLease lease = tried(a).orElseThrow();
        assertThat(world.elapsed()).isEqualTo(millis(30));
        assertThat(left(lease, machineA)).isEqualTo(TTL.minus(DRIFT).minusMillis(30));
    }

    @Test
    void twoSilentNodesCostTheNodeTimeoutAndNoMore() {
        nodes.get(0).mute(true);
        nodes.get(1).down(true);
        TextbookLease lease = tried(a).orElseThrow();
        assertThat(world.elapsed()).isEqualTo(NODE_TIMEOUT);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void withoutAMajorityTheKeyIsDeletedAtAllNodesAlsoWhereNoAnswerCame() {
        nodes.get(0).mute(true);
        nodes.get(1).down(true);
        nodes.get(2).down(true);
        assertThat(tried(a)).isEmpty();
        assertThat(keys()).isZero();
    }

    @Test
    void whatAnotherHoldsIsLeftAlone() {
        TextbookLease lease = tried(a).orElseThrow();
        assertThat(tried(b)).isEmpty();
        assertThat(keys()).isEqualTo(5);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void aMajorityThatComesTooLateIsAFailure() {
        Duration ttl = millis(40);
        assertThat(world.await(a.tryAcquire(KEY, ttl))).isPresent();
        world.advance(seconds(1));
        nodes.forEach(node -> node.slow(millis(39)));
        assertThat(world.await(a.tryAcquire(KEY, ttl))).isEmpty();
        world.advance(seconds(1));
        assertThat(keys()).isZero();
    }

    @Test
    void isHeldUntilItsDeadlineByItsOwnClock() {
        TextbookLease lease = tried(a).orElseThrow();
        world.advance(TTL.minus(DRIFT).minusNanos(1));
        assertThat(lease.isHeld()).isTrue();
        world.advance(Duration.ofNanos(1));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void triesAgainAfterRandomDelaysUntilTheKeyIsFree() {
        TextbookLease first = tried(a).orElseThrow();
        CompletableFuture<Optional<TextbookLease>> waiting = b.acquire(KEY, TTL, seconds(10));
        world.advance(seconds(1));
        assertThat(waiting).isNotDone();
        first.release();
        world.advance(millis(20));
        assertThat(waiting.join()).isPresent();
    }

    @Test
    void beginsNoTryAfterItsWait() {
        assertThat(tried(a)).isPresent();
        assertThat(world.await(b.acquire(KEY, TTL, millis(500)))).isEmpty();
        assertThat(world.elapsed()).isBetween(millis(480), millis(500));
    }

    @Test
    void whoCancelsGetsNothingAndLeavesNothing() {
        TextbookLease first = tried(a).orElseThrow();
        CompletableFuture<Optional<TextbookLease>> waiting = b.acquire(KEY, TTL, seconds(10));
        waiting.cancel(false);
        first.release();
        world.advance(seconds(1));
        assertThat(keys()).isZero();
        assertThat(machineB.pendingTimers()).isZero();
    }

    @Test
    void extendsAtAMajorityFromWhenItAsked() {
        TextbookLease lease = tried(a).orElseThrow();
        world.advance(seconds(1));
        nodes.get(0).down(true);
        nodes.get(1).down(true);
        nodes.get(2).slow(millis(10));
        assertThat(world.await(lease.extend(TTL))).isTrue();
        assertThat(left(lease, machineA)).isEqualTo(TTL.minus(DRIFT).minusMillis(10));
        world.advance(millis(1900));
        assertThat(lease.isHeld()).isTrue();
        assertThat(tried(b)).isEmpty();
    }

    @Test
    void anExtensionWithoutAMajorityLeavesTheOldEnd() {
        TextbookLease lease = tried(a).orElseThrow();
        long until = lease.validUntilNanos();
        IntStream.range(0, 3).forEach(index -> nodes.get(index).down(true));
        assertThat(world.await(lease.extend(TTL))).isFalse();
        assertThat(lease.validUntilNanos()).isEqualTo(until);
    }

    @Test
    void anExtensionThatComesThroughAfterTheValidityIsNotBelieved() {
        TextbookLease lease = tried(a).orElseThrow();
        world.advance(TTL.minus(DRIFT).minusMillis(5));
        nodes.forEach(node -> node.slow(millis(10)));
        assertThat(world.await(lease.extend(TTL))).isFalse();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aStaleHolderNeitherExtendsNorDeletesWhatAnotherHolds() {
        TextbookLease stale = tried(a).orElseThrow();
        world.advance(seconds(3));
        TextbookLease present = tried(b).orElseThrow();
        assertThat(world.await(stale.extend(TTL))).isFalse();
        assertThat(world.await(stale.release())).isZero();
        assertThat(present.isHeld()).isTrue();
        assertThat(keys()).isEqualTo(5);
    }

    /** FAULTS S3, as the documentation says of itself in "Performance, Crash Recovery and fsync": this is what quarantine is for. */
    @Test
    void twoHoldItAfterANodeForgot() {
        nodes.get(3).down(true);
        nodes.get(4).down(true);
        TextbookLease first = tried(a).orElseThrow();
        nodes.get(3).down(false);
        nodes.get(4).down(false);
        nodes.get(2).table.clear();
        TextbookLease second = tried(b).orElseThrow();
        assertThat(first.isHeld() && second.isHeld()).isTrue();
    }

    @Test
    void wrongSettingsAreRefused() {
        assertThatThrownBy(() -> new TextbookRedlock(List.of(), world.timing(), NODE_TIMEOUT, millis(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new KeyTable().setIfAbsent(KEY, "v", 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
