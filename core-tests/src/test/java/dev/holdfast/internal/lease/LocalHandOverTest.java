package dev.holdfast.internal.lease;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One lease for all threads of a client that want it (PROTOCOL §7). */
class LocalHandOverTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");

    private List<CompletableFuture<Lease>> queue(FakeClient client, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> client.queue("x"))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private void settle() {
        cluster.advance(millis(2)); // the client requests tokens a moment later
    }

    private ReleaseOutcome release(Lease lease) {
        return cluster.await(lease.releaseAsync());
    }

    // ---- the order and the tokens

    @Test
    void itGoesOnInTheOrderInWhichTheyCameWithoutAQueueAtTheNodes() {
        Lease first = a.acquire("x");
        List<CompletableFuture<Lease>> others = queue(a, 3);
        settle();
        assertThat(cluster.server(0).state("lock:x").waiters()).isEmpty();
        int releases = a.node(0).releases().size();

        long token = first.fencingToken();
        Lease holder = first;
        for (CompletableFuture<Lease> next : others) {
            assertThat(next).isNotDone();
            assertThat(release(holder)).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(holder.isHeld()).isFalse();
            holder = cluster.await(next);
            assertThat(holder.isHeld()).isTrue();
            assertThat(holder.fencingToken()).isGreaterThan(token);
            token = holder.fencingToken();
        }

        assertThat(a.node(0).releases()).as("nothing was given back meanwhile").hasSize(releases);
        release(holder);
        assertThat(cluster.traces("x")).isZero();
        assertThat(b.acquire("x").fencingToken()).isGreaterThan(token);
    }

    @Test
    void oneAloneTakesOneToken() {
        long token = a.acquire("x").fencingToken();
        cluster.advance(seconds(60));

        assertThat(cluster.server(0).state("lock:x").fence()).isEqualTo(token);
    }

    @Test
    void tokensAreRaisedInBlocksBeforeTheyRunOut() {
        List<CompletableFuture<Lease>> line = queue(a, 3_000);
        long token = 0;
        for (CompletableFuture<Lease> next : line) {
            Lease lease = cluster.await(next);
            assertThat(lease.fencingToken()).isGreaterThan(token);
            token = lease.fencingToken();
            assertThat(cluster.server(0).state("lock:x").fence()).isGreaterThanOrEqualTo(token);
            release(lease);
        }

        assertThat(a.node(0).acquires()).hasSizeLessThan(20);
        assertThat(a.node(0).releases()).hasSize(1);
        assertThat(b.acquire("x").fencingToken()).isGreaterThan(token);
    }

    @Test
    void aRaiseForTokensHealsNothing() {
        a.acquire("x");
        queue(a, 1);
        settle();

        assertThat(a.node(0).acquires()).hasSize(2).last().satisfies(raise -> {
            assertThat(raise.floor()).isPositive();
            assertThat(raise.heal()).isFalse();
            assertThat(raise.queue()).isFalse();
        });
    }

    /** The tokens in between may belong to another client: a newly created vote proves nothing about them. */
    @Test
    void aRaiseAnsweredWithAnotherFenceGivesNoTokens() {
        Lease first = a.acquire("x");
        Function<AcquireRequest, AcquireAnswer> tooMuch = request ->
                request.floor() > 0 && !request.heal() ? new AcquireAnswer.Granted(request.floor() + 1, null, 0) : null;
        a.nodes(0, 1).forEach(node -> node.answerAcquires(tooMuch::apply));
        CompletableFuture<Lease> second = a.queue("x");
        settle();

        release(first);

        assertThat(a.node(0).releases()).as("given back, and asked for anew").hasSize(1);
        assertThat(cluster.await(second).fencingToken()).isGreaterThan(first.fencingToken());
    }

    /** The requests wait for an extension, and the lease has its next holder when that ends. */
    @Test
    void whatAFormerHolderHasRequestedIsNotDoneForTheNextOne() {
        Lease first = a.acquire("x");
        CompletableFuture<Lease> second = a.queue("x");
        settle();
        a.nodes().forEach(node -> node.answers().hold());
        first.extendAsync(seconds(40));
        CompletableFuture<ExtendOutcome> extended = first.extendAsync(seconds(3_600));
        CompletableFuture<WriteOutcome> written = first.writeValueAsync("late");
        first.releaseAsync();
        cluster.world().drain();
        assertThat(second).isDone();

        a.nodes().forEach(node -> node.answers().release());
        cluster.world().drain();

        assertThat(extended).isCompletedWithValue(ExtendOutcome.LOST);
        assertThat(written).isCompletedWithValue(WriteOutcome.LOST);
        assertThat(second.join().remaining()).isLessThan(seconds(41));
        assertThat(cluster.server(0).state("lock:x").value()).isNull();
    }

    @Test
    void noRaiseIsSentWhileAnExtensionIsUnderWay() {
        Lease first = a.acquire("x");
        a.nodes().forEach(node -> node.answers().hold());
        first.extendAsync(seconds(40));
        cluster.world().drain();
        int sent = a.node(0).acquires().size();

        a.queue("x");
        settle();
        assertThat(a.node(0).acquires()).hasSize(sent);
        a.nodes().forEach(node -> node.answers().release());
        release(first);
        cluster.world().drain();

        assertThat(a.node(0).acquires()).as("the raise").hasSize(sent + 1);
    }

    /** Nodes that lost the vote deny a raise, and heal the vote at the next extension. */
    @Test
    void aRaiseThatAMajorityDeniesIsNoLoss() {
        Lease first = a.acquire("x");
        Function<AcquireRequest, AcquireAnswer> denied = request -> request.floor() > 0 && !request.heal()
                ? new AcquireAnswer.Denied(0, AcquireAnswer.Denied.Reason.NO_VOTE, null, 0)
                : null;
        a.nodes(0, 1).forEach(node -> node.answerAcquires(denied::apply));
        CompletableFuture<Lease> second = a.queue("x");
        settle();
        assertThat(first.isHeld()).isTrue();

        release(first);

        assertThat(cluster.await(second).fencingToken()).isGreaterThan(first.fencingToken());
    }

    @Test
    void withoutAMajorityForTheRaiseItGoesBackToTheNodes() {
        Lease first = a.acquire("x");
        a.nodes(0, 1).forEach(node -> node.requests().lose());
        CompletableFuture<Lease> second = a.queue("x");
        cluster.advance(seconds(1));
        a.nodes(0, 1).forEach(node -> node.requests().pass());
        assertThat(first.isHeld()).isTrue();

        release(first);

        Lease lease = cluster.await(second);
        assertThat(a.node(0).releases()).hasSize(1);
        assertThat(lease.fencingToken()).isGreaterThan(first.fencingToken());
    }

    // ---- others wait too

    @Test
    void whoWaitsElsewhereWaitsForSixteenMoreAtMost() {
        Lease holder = a.acquire("x");
        List<CompletableFuture<Lease>> line = queue(a, 40);
        settle();
        CompletableFuture<Lease> other = b.queue("x");
        settle();

        int handed = 0;
        while (!other.isDone()) {
            release(holder);
            settle();
            if (line.get(0).isDone()) {
                holder = line.remove(0).join();
                handed++;
            }
        }

        assertThat(handed).isEqualTo(QuorumLease.MOST_HAND_OVERS);
        assertThat(line).noneMatch(CompletableFuture::isDone);
        assertThat(other.join().fencingToken()).isGreaterThan(holder.fencingToken());
        release(other.join());
        assertThat(cluster.await(line.get(0)).isHeld())
                .as("then its turn comes again")
                .isTrue();
    }

    @Test
    void anotherModeOrTtlOrSwitchedOffStandsAtTheNodes() {
        a.acquire("x");
        queue(a, 1);
        List<DistributedLock> apart = List.of(
                a.lock("x").shared(),
                a.lock("x").ttl(seconds(20)),
                a.lock("x").maxHold(seconds(5)),
                a.lock("x").autoExtend(false),
                a.lock("x").localHandOver(false));

        apart.forEach(a::queue);

        assertThat(cluster.server(0).state("lock:x").waiters()).hasSize(apart.size());
    }

    // ---- not everything may be handed on

    @Test
    void aLeaseAtRiskIsNotHandedOn() {
        Lease first = a.acquire("x");
        CompletableFuture<Lease> second = a.queue("x");
        settle();
        a.nodes(0, 1).forEach(node -> node.requests().lose());
        cluster.advance(seconds(20));
        assertThat(first.isHeld()).isTrue();

        CompletableFuture<ReleaseOutcome> outcome = first.releaseAsync().toCompletableFuture();
        a.nodes(0, 1).forEach(node -> node.requests().pass());
        cluster.advance(seconds(1));

        assertThat(outcome).isDone();
        assertThat(a.node(2).releases()).hasSize(1);
        assertThat(cluster.await(second).remaining()).isGreaterThan(seconds(25));
    }

    @Test
    void whenALeaseIsLostOnlyItsHolderIsToldAndTheOthersAskAnew() {
        List<Loss> firstLost = new ArrayList<>();
        List<Loss> secondLost = new ArrayList<>();
        Lease first = a.acquire("x").onLost(firstLost::add);
        CompletableFuture<Lease> second = a.queue("x");
        CompletableFuture<Lease> third = a.queue("x");
        settle();
        release(first);
        cluster.await(second).onLost(secondLost::add);
        a.nodes(0, 1).forEach(node -> node.disconnect("cut"));
        cluster.advance(seconds(30));

        assertThat(firstLost).isEmpty();
        assertThat(secondLost).hasSize(1);
        assertThat(third).isNotDone();
        assertThat(second.join().release()).isEqualTo(ReleaseOutcome.EXPIRED);
        assertThat(first.release()).as("told again").isEqualTo(ReleaseOutcome.RELEASED);

        a.nodes(0, 1).forEach(node -> node.reconnect());
        assertThat(cluster.await(third).isHeld()).isTrue();
    }

    @Test
    void theLongestHoldIsEachHoldersOwn() {
        DistributedLock lock = a.lock("x").maxHold(seconds(50));
        Lease first = a.acquire(lock);
        CompletableFuture<Lease> second = a.queue(lock);
        cluster.advance(seconds(40));
        release(first);
        List<Loss> losses = new ArrayList<>();
        Lease lease = cluster.await(second).onLost(losses::add);
        cluster.advance(seconds(40));

        assertThat(lease.isHeld()).isTrue();
        cluster.advance(seconds(10));
        assertThat(losses)
                .singleElement()
                .satisfies(loss -> assertThat(loss.reason()).isEqualTo(Loss.Reason.MAX_HOLD));
    }

    @Test
    void aHolderIsToldThatSomebodyElseWaitsThoughThatWasKnownBefore() {
        Lease first = a.acquire("x");
        CompletableFuture<Lease> second = a.queue("x");
        settle();
        b.queue("x");
        settle();
        release(first);
        List<String> told = new ArrayList<>();

        cluster.await(second).onContended(() -> told.add("contended"));
        cluster.world().drain();

        assertThat(told).hasSize(1);
    }

    // ---- giving up

    @Test
    void whoDoesNotWaitIsRefusedWithoutARequest() {
        a.acquire("x");
        int asked = a.node(0).acquires().size();

        Acquisition refused = a.tryAcquire("x");

        assertThat(refused).isInstanceOfSatisfying(Acquisition.Refused.class, no -> {
            assertThat(no.refusal().reason()).isEqualTo(Refusal.Reason.HELD);
            assertThat(no.refusal().message()).contains("fake:A: HELD by a, which is this client for 29 s more");
        });
        assertThat(a.node(0).acquires()).hasSize(asked);
    }

    @Test
    void whoseTimeIsUpLeavesTheLine() {
        Lease first = a.acquire("x");
        CompletableFuture<Acquisition> brief = a.lock("x").tryAcquireAsync(seconds(1));
        CompletableFuture<Lease> patient = a.queue("x");
        cluster.advance(seconds(1));

        assertThat(cluster.await(brief)).isInstanceOfSatisfying(Acquisition.Refused.class, no -> {
            assertThat(no.refusal().reason()).isEqualTo(Refusal.Reason.HELD);
            assertThat(no.refusal().waited()).isEqualTo(seconds(1));
        });
        release(first);
        assertThat(cluster.await(patient).isHeld()).isTrue();
    }

    /** An unanswered request for tokens may take a node timeout; other clients do not wait that long. */
    @Test
    void aLeaseThatWaitsForATokenGoesBackAsSoonAsNobodyWantsIt() {
        Lease first = a.acquire("x");
        a.nodes().forEach(node -> node.answers().lose());
        CompletableFuture<Acquisition> brief = a.lock("x").tryAcquireAsync(millis(20));
        cluster.advance(millis(5));
        assertThat(release(first)).isEqualTo(ReleaseOutcome.RELEASED);
        cluster.advance(millis(10));
        assertThat(a.node(0).releases()).as("it is kept for who waits").isEmpty();

        cluster.advance(millis(5));
        assertThat(brief).isDone();
        assertThat(a.node(0).releases()).hasSize(1);
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void whoseTimeIsUpInFrontLeavesThePlaceAtTheNodesToTheNext() {
        b.acquire("x");
        CompletableFuture<Acquisition> brief = a.lock("x").tryAcquireAsync(seconds(1));
        CompletableFuture<Lease> patient = a.queue("x");
        String place = cluster.server(0).state("lock:x").waiters().get(0).owner();
        cluster.advance(seconds(2));

        assertThat(cluster.await(brief).isHeld()).isFalse();
        assertThat(patient).isNotDone();
        assertThat(cluster.server(0).state("lock:x").waiters())
                .singleElement()
                .satisfies(waiter -> assertThat(waiter.owner()).isEqualTo(place));
    }

    @Test
    void whoIsCancelledLeavesTheLine() {
        Lease first = a.acquire("x");
        CompletableFuture<Lease> second = a.queue("x");
        CompletableFuture<Lease> third = a.queue("x");
        settle();

        second.cancel(true);
        release(first);

        assertThat(cluster.await(third).isHeld()).isTrue();
        release(third.join());
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void whoIsCancelledInFrontLeavesThePlaceAtTheNodesToTheNext() {
        Lease others = b.acquire("x");
        CompletableFuture<Lease> second = a.queue("x");
        CompletableFuture<Lease> third = a.queue("x");
        String place = cluster.server(0).state("lock:x").waiters().get(0).owner();

        second.cancel(true);
        cluster.world().drain();

        assertThat(cluster.server(0).state("lock:x").waiters())
                .singleElement()
                .satisfies(waiter -> assertThat(waiter.owner()).isEqualTo(place));
        release(others);
        assertThat(cluster.await(third).isHeld()).isTrue();
    }

    @Test
    void theLastOneCancelledLeavesTheNodes() {
        b.acquire("x");
        CompletableFuture<Lease> second = a.queue("x");
        CompletableFuture<Lease> third = a.queue("x");

        second.cancel(true);
        third.cancel(true);
        cluster.world().drain();

        assertThat(cluster.server(0).state("lock:x").waiters()).isEmpty();
    }

    @Test
    void closingRefusesThoseInLineAndGivesTheLeaseBack() {
        Lease first = a.acquire("x");
        List<CompletableFuture<Lease>> line = queue(a, 3);
        settle();

        a.holdfast().close();
        cluster.world().drain();

        assertThat(first.isHeld()).isFalse();
        assertThat(line).allMatch(CompletableFuture::isDone);
        assertThat(line)
                .allSatisfy(
                        waiter -> assertThatThrownBy(waiter::join).hasCauseInstanceOf(HoldfastClosedException.class));
        cluster.world().drain();
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void extensionByHandIsForTheHolderOnly() {
        Lease first = a.acquire("x");
        CompletableFuture<Lease> second = a.queue("x");
        settle();
        release(first);

        assertThat(cluster.await(first.extendAsync(Duration.ofHours(1)))).isEqualTo(ExtendOutcome.LOST);
        assertThat(cluster.await(cluster.await(second).extendAsync(Duration.ofHours(1))))
                .isEqualTo(ExtendOutcome.EXTENDED);
        assertThat(second.join().remaining()).isGreaterThan(Duration.ofMinutes(59));
    }
}
