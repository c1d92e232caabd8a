package dev.holdfast.internal.quorum;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Votes flow to the earliest request (PROTOCOL §4, CONTENDED). */
class YieldTest {

    private final FakeCluster cluster = new FakeCluster(5);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");
    private final FakeClient c = cluster.client("c");

    /** Queues the client: its requests reach these servers now, and the others when the test releases them. */
    private CompletableFuture<Lease> queueAt(FakeClient client, int... servers) {
        client.nodes().forEach(node -> node.requests().hold());
        CompletableFuture<Lease> waiting = client.queue("x");
        client.nodes(servers).forEach(node -> node.requests().release());
        cluster.world().drain();
        return waiting;
    }

    /** A request that left the queue before it came back would let the later reader in together with the earlier one. */
    @Test
    void whoYieldsToAReaderStaysBeforeLaterReaders() {
        a.nodes().forEach(node -> node.requests().hold());
        a.queue(a.lock("x").shared());
        cluster.advance(millis(1));
        queueAt(b, 2);
        cluster.advance(millis(1));
        c.nodes().forEach(node -> node.requests().hold());
        c.queue(c.lock("x").shared());
        c.node(2).requests().release();
        cluster.world().drain();

        a.node(2).requests().release(); // b yields its vote
        cluster.world().drain();

        assertThat(cluster.server(2).state("lock:x").holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.owner()).startsWith("a~"));
        assertThat(cluster.server(2).state("lock:x").waiters())
                .extracting(waiter -> waiter.owner().substring(0, 1))
                .containsExactly("b", "c");
        assertThat(c.node(2).releases())
                .as("the later reader has never had the vote")
                .isEmpty();
    }

    private void letGo(FakeClient client) {
        client.nodes().forEach(node -> node.requests().release());
        cluster.world().drain();
    }

    @Test
    @DisplayName("S14: three clients, votes 2 + 2 + 1: nobody wins, again and again")
    void s14_splitVotesGoToTheEarliestRequestWithoutWaitingForAnything() {
        CompletableFuture<Lease> first = queueAt(a, 0, 1);
        cluster.advance(millis(1));
        CompletableFuture<Lease> second = queueAt(b, 2, 3);
        cluster.advance(millis(1));
        CompletableFuture<Lease> third = queueAt(c, 4);
        List.of(a, b, c).forEach(this::letGo);

        assertThat(first).isDone();
        assertThat(second).isNotDone();
        assertThat(third).isNotDone();
        assertThat(cluster.votes(first.join())).isEqualTo(5);
        assertThat(cluster.world().elapsed()).isEqualTo(millis(2));

        first.join().release();
        cluster.world().drain();
        assertThat(second).isDone();
        second.join().release();
        cluster.world().drain();
        assertThat(third).isDone();
    }

    @Test
    void whoYieldsKeepsItsPlaceUnderANewRound() {
        CompletableFuture<Lease> first = queueAt(a, 0, 1);
        cluster.advance(millis(1));
        CompletableFuture<Lease> second = queueAt(b, 2, 3);
        letGo(a);
        letGo(b);
        assertThat(first).isDone();

        assertThat(b.node(2).acquires().get(0).owner().round()).isZero();
        assertThat(b.node(2).acquires())
                .last()
                .satisfies(request -> assertThat(request.owner().round()).isEqualTo(1));
        assertThat(cluster.server(2).state("lock:x").waiters()).hasSize(1);
        assertThat(second).isNotDone();
    }

    @Test
    void aLatePushForTheRoundThatWasGivenBackIsNoVote() {
        Lease held = c.acquire("x");
        CompletableFuture<Lease> late = b.queue("x");
        b.node(2).pushes().hold();
        c.nodes(0, 1, 3, 4).forEach(node -> node.requests().lose());
        held.releaseAsync();
        cluster.world().drain(); // b has the vote of the third node, and does not know it yet
        a.machine().stepWall(seconds(-60));
        CompletableFuture<Lease> early = a.queue("x"); // an earlier ticket
        assertThat(b.node(2).pushes().held()).as("GRANTED, then CONTENDED").isEqualTo(2);

        b.node(2).pushes().releaseLast();
        assertThat(cluster.server(2).state("lock:x").holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.owner()).startsWith("a~"));
        b.node(2).pushes().release();
        cluster.world().drain();

        assertThat(b.node(2).releases())
                .extracting(release -> release.owner().round())
                .as("given back, and the ghost of it too")
                .containsExactly(0, 0);
        cluster.advance(seconds(40));
        assertThat(early).isDone();
        assertThat(late).isNotDone();
    }

    @Test
    void nobodyYieldsAMajority() {
        CompletableFuture<Lease> late = queueAt(b, 0, 1, 2);
        assertThat(late).isDone();
        a.machine().stepWall(seconds(-60));

        CompletableFuture<Lease> early = a.queue("x"); // an earlier ticket

        assertThat(early).isNotDone();
        assertThat(cluster.votes(late.join())).isGreaterThanOrEqualTo(3);
        assertThat(late.join().isHeld()).isTrue();
    }

    @Test
    void withoutAPushTheAnswerToTheNextQuestionTellsWhoCameFirst() {
        List.of(a, b)
                .forEach(client -> client.nodes().forEach(node -> node.pushes().lose()));
        CompletableFuture<Lease> first = queueAt(a, 0, 1);
        cluster.advance(millis(1));
        CompletableFuture<Lease> second = queueAt(b, 2, 3, 4);
        assertThat(second).isDone();
        second.join().release();
        CompletableFuture<Lease> third = queueAt(b, 2, 3);
        letGo(a);
        letGo(b);

        cluster.advance(seconds(5));

        assertThat(first).isDone();
        assertThat(third).isNotDone();
    }

    @Test
    void oneThatDoesNotWaitYieldsTooAndSaysSo() {
        CompletableFuture<Lease> first = queueAt(a, 0, 1);
        cluster.advance(millis(1));
        b.nodes().forEach(node -> node.requests().hold());
        CompletableFuture<Acquisition> second = b.lock("x").tryAcquireAsync(java.time.Duration.ZERO);
        b.nodes(2, 3).forEach(node -> node.requests().release());
        letGo(a);
        letGo(b);
        cluster.advance(seconds(1));

        assertThat(first).isDone();
        assertThat(second.join())
                .isInstanceOfSatisfying(
                        Acquisition.Refused.class,
                        refused -> assertThat(refused.refusal().nodes())
                                .extracting(NodeReport::kind)
                                .contains(NodeReport.Kind.YIELDED, NodeReport.Kind.HELD));
        assertThat(cluster.votes(first.join())).isGreaterThanOrEqualTo(3);
    }

    /** Each of many clients reaches a different server first; all are served, in the order of their requests. */
    @Test
    void aCrowdIsServedInOrder() {
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        List<FakeClient> crowd = IntStream.range(0, 20)
                .mapToObj(i -> cluster.client("crowd-" + i))
                .toList();
        for (FakeClient client : crowd) {
            waiting.add(queueAt(client, waiting.size() % 5, (waiting.size() + 2) % 5));
            cluster.advance(millis(1));
        }
        crowd.forEach(this::letGo);

        long token = 0;
        for (CompletableFuture<Lease> next : waiting) {
            assertThat(next).isDone();
            assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(waiting.indexOf(next) + 1);
            assertThat(next.join().fencingToken()).isGreaterThan(token);
            token = next.join().fencingToken();
            next.join().release();
            cluster.world().drain();
        }
        assertThat(cluster.traces("x")).isZero();
    }
}
