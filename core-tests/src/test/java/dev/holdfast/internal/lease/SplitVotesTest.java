package dev.holdfast.internal.lease;

import static dev.holdfast.Spans.millis;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Refusal;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several clients try to acquire at the same moment and do not wait: the votes are split, and one client still gets the lock. */
class SplitVotesTest {

    private final FakeCluster cluster = new FakeCluster(5, 7);

    /** Returns clients whose first requests reach the nodes in different orders: those of the first client reach node 0 first, and so on. */
    private List<FakeClient> clients(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    FakeClient client = cluster.client("client-" + i);
                    for (int node = 0; node < 5; node++) {
                        client.node(node).requests().delay(Duration.ofNanos(1_000_000L * ((node + 5 - i) % 5 + 1)));
                    }
                    return client;
                })
                .toList();
    }

    private static CompletableFuture<Acquisition> ask(FakeClient client) {
        return client.lock("x").tryAcquireAsync(Duration.ZERO);
    }

    private static List<Acquisition> held(List<CompletableFuture<Acquisition>> asked) {
        return asked.stream()
                .map(CompletableFuture::join)
                .filter(Acquisition::isHeld)
                .toList();
    }

    @Test
    void oneOfFiveGetsItAlthoughEachHasHadOneVote() {
        List<FakeClient> clients = clients(5);
        for (int round = 0; round < 100; round++) {
            List<CompletableFuture<Acquisition>> asked = new ArrayList<>();
            clients.forEach(client -> asked.add(ask(client)));
            cluster.advance(Duration.ofSeconds(2));

            assertThat(asked).allMatch(CompletableFuture::isDone);
            assertThat(held(asked)).as("round %d", round).hasSize(1);
            cluster.await(held(asked).get(0).lease().releaseAsync());
            cluster.advance(millis(100));
            assertThat(cluster.traces("x")).isZero();
        }
    }

    @Test
    void alsoWhileANodeIsSilent() {
        List<FakeClient> clients = clients(2);
        clients.forEach(
                client -> client.nodes(3, 4).forEach(node -> node.requests().lose()));
        for (int round = 0; round < 50; round++) {
            List<CompletableFuture<Acquisition>> asked = new ArrayList<>();
            clients.forEach(client -> asked.add(ask(client)));
            cluster.advance(Duration.ofSeconds(5));

            assertThat(held(asked)).as("round %d", round).hasSize(1);
            cluster.await(held(asked).get(0).lease().releaseAsync());
            cluster.advance(millis(100));
        }
    }

    /** A node that stands still costs one node timeout, not one for each round of requests to the others. */
    @Test
    void aSilentNodeIsWaitedForOnce() {
        List<FakeClient> clients = List.of(cluster.client("a"), cluster.client("b"));
        for (int node = 0; node < 4; node++) {
            clients.get(node / 2).node(node).requests().delay(millis(1));
            clients.get(1 - node / 2).node(node).requests().delay(millis(20));
        }
        clients.forEach(client -> client.node(4).requests().lose());
        Duration nodeTimeout = millis(500); // the timeout at the default ttl
        for (int round = 0; round < 50; round++) {
            List<CompletableFuture<Acquisition>> asked = new ArrayList<>();
            clients.forEach(client -> asked.add(ask(client)));
            cluster.advance(nodeTimeout.plusMillis(200));

            assertThat(asked).as("round %d", round).allMatch(CompletableFuture::isDone);
            assertThat(held(asked)).as("round %d", round).hasSize(1);
            cluster.await(held(asked).get(0).lease().releaseAsync());
            cluster.advance(millis(100));
        }
    }

    @Test
    void whoFindsAHolderDoesNotAskAgain() {
        Lease lease = cluster.client("a").acquire("x");
        FakeClient b = cluster.client("b");

        Acquisition refused = cluster.await(ask(b));

        assertThat(refused.isHeld()).isFalse();
        assertThat(b.node(0).acquires()).hasSize(1);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void whoFindsOthersInLineDoesNotAskAgain() {
        FakeClient a = cluster.client("a");
        Lease lease = a.acquire("x");
        CompletableFuture<Lease> waiting = cluster.client("b").queue("x");
        a.nodes(0, 1, 2, 3, 4).forEach(node -> node.pushes().hold());
        CompletableFuture<?> released = lease.releaseAsync().toCompletableFuture();
        FakeClient c = cluster.client("c");

        assertThat(cluster.await(ask(c)).isHeld()).isFalse();

        assertThat(c.node(0).acquires()).hasSize(1);
        cluster.await(released);
        assertThat(cluster.await(waiting).isHeld()).isTrue();
    }

    /** Creates a client among lasting votes of dead clients, whose attempts each got the votes of two nodes. */
    private FakeClient amongLeftOverVotes() {
        for (int i = 0; i < 2; i++) {
            FakeClient dead = cluster.client("dead-" + i);
            int first = 2 * i;
            for (int node = 0; node < 5; node++) {
                if (node != first && node != first + 1) {
                    dead.node(node).requests().lose();
                }
            }
            dead.lock("x").tryAcquireAsync(Duration.ZERO);
            cluster.world().drain();
            dead.kill();
        }
        return cluster.client("b");
    }

    @Test
    void itEndsWhereTheVotesStaySplit() {
        FakeClient b = amongLeftOverVotes();
        CompletableFuture<Acquisition> asked = ask(b);
        cluster.advance(Duration.ofSeconds(1));

        assertThat(asked).isDone();
        assertThat(asked.join()).isInstanceOfSatisfying(Acquisition.Refused.class, refused -> {
            assertThat(refused.refusal().reason()).isEqualTo(Refusal.Reason.HELD);
            assertThat(refused.refusal().waited()).isLessThan(millis(200));
        });
        assertThat(b.node(4).acquires()).hasSize(6);
    }

    @Test
    void cancelledOrClosedMeanwhileItEndsAtOnce() {
        FakeClient b = amongLeftOverVotes();
        CompletableFuture<Acquisition> cancelled = ask(b);
        cluster.world().drain();
        assertThat(cancelled).isNotDone();
        cancelled.cancel(true);
        cluster.advance(Duration.ofSeconds(1));
        assertThat(b.node(4).acquires()).hasSizeLessThan(3);

        CompletableFuture<Acquisition> closed = ask(b);
        cluster.world().drain();
        b.holdfast().close();
        cluster.advance(millis(1));
        assertThat(closed).isCompletedExceptionally();
        assertThat(closed.handle((held, failure) -> failure instanceof CompletionException e ? e.getCause() : failure)
                        .join())
                .isInstanceOf(HoldfastClosedException.class);
    }

    @Test
    void othersOfTheClientWhoComeMeanwhileAreServed() {
        FakeClient b = amongLeftOverVotes();
        CompletableFuture<Acquisition> first = ask(b);
        cluster.world().drain();
        CompletableFuture<Acquisition> second = ask(b);
        CompletableFuture<Lease> waiting = b.lock("x").acquireAsync(DistributedLock.FOREVER);
        cluster.advance(Duration.ofSeconds(1));
        assertThat(List.of(first, second))
                .allMatch(asked -> asked.isDone() && !asked.join().isHeld());

        cluster.advance(Duration.ofSeconds(40)); // the left-over votes end

        assertThat(waiting).isCompletedWithValueMatching(Lease::isHeld);
    }
}
