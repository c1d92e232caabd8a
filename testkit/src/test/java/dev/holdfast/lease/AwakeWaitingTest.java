package dev.holdfast.lease;

import static dev.holdfast.Spans.millis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Lease;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import dev.holdfast.testkit.ManualTiming;
import dev.holdfast.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait for a lease that goes round quickly stay awake for a moment (docs/decisions/0020). */
@Timeout(60)
class AwakeWaitingTest {

    private static final Duration LONGER_THAN_A_MOMENT = millis(1);

    private final ManualTiming time = new ManualTiming(1);
    private final Ticker ticker = time.timing().ticker();
    private final CompletableFuture<String> future = new CompletableFuture<>();
    private final List<Thread> threads = new ArrayList<>();

    /** What a thread of its own comes to. */
    private <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "waits");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return task;
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join();
        }
    }

    private Thread thread() {
        return threads.get(0);
    }

    private void awaitSleep() {
        await().until(() -> thread().getState() == Thread.State.WAITING);
    }

    private void assertStaysAwake() {
        await().during(millis(50)).until(() -> thread().getState() == Thread.State.RUNNABLE);
    }

    // ---- a future

    @Test
    void aThreadIsAwakeForAMomentAndThenSleeps() throws Exception {
        FutureTask<String> waiter = start(() -> Await.awake(future, ticker));
        assertStaysAwake();

        time.advance(LONGER_THAN_A_MOMENT);
        awaitSleep();
        assertThat(waiter).isNotDone();

        future.complete("there");
        assertThat(waiter.get()).isEqualTo("there");
    }

    @Test
    void whatComesWhileItIsAwakeIsSeen() throws Exception {
        FutureTask<String> waiter = start(() -> Await.awake(future, ticker));
        future.complete("there");

        assertThat(waiter.get()).isEqualTo("there");
    }

    @Test
    void anInterruptIsSeenWhileItIsAwake() throws Exception {
        FutureTask<Boolean> waiter = start(() -> {
            try {
                Await.awake(future, ticker);
                return false;
            } catch (InterruptedException e) {
                return !Thread.currentThread().isInterrupted();
            }
        });
        thread().interrupt();

        assertThat(waiter.get()).as("thrown, and thereby told").isTrue();
    }

    // ---- a lock

    /** Who waits behind a holder, after so many hand-overs with this time between them. */
    private FutureTask<Lease> waitBehind(FakeCluster cluster, int handOvers, Duration between) {
        FakeClient client = cluster.client("a");
        Lease holder = client.acquire("x");
        List<CompletableFuture<Lease>> line =
                IntStream.range(0, handOvers).mapToObj(i -> client.queue("x")).toList();
        cluster.advance(millis(2));
        for (CompletableFuture<Lease> next : line) {
            cluster.advance(between);
            cluster.await(holder.releaseAsync());
            holder = cluster.await(next);
        }
        return start(() -> client.lock("x").acquire());
    }

    @Test
    void whoWaitsForAQuickLineStaysAwakeForAMoment() {
        FakeCluster cluster = new FakeCluster(1);
        FutureTask<Lease> waiter = waitBehind(cluster, 2, Duration.ZERO);
        assertStaysAwake();

        cluster.advance(LONGER_THAN_A_MOMENT);
        awaitSleep();
        assertThat(waiter).isNotDone();
    }

    @Test
    void whoWaitsForASlowLineSleepsAtOnce() {
        waitBehind(new FakeCluster(1), 2, millis(1));

        awaitSleep();
    }

    @Test
    void whoIsFirstSleepsAtOnce() {
        waitBehind(new FakeCluster(1), 0, Duration.ZERO);

        awaitSleep();
    }

    @Test
    void whoWaitsForTheNodesAgainSleepsAtOnce() throws Exception {
        FakeCluster cluster = new FakeCluster(1);
        FakeClient client = cluster.client("a");
        Lease holder = client.acquire("x");
        List<CompletableFuture<Lease>> line =
                IntStream.range(0, 3).mapToObj(i -> client.queue("x")).toList();
        cluster.advance(millis(2));
        for (int i = 0; i < 2; i++) {
            cluster.await(holder.releaseAsync());
            holder = cluster.await(line.get(i));
        }
        client.node(0).disconnect("gone"); // what is lost now is asked for in vain
        cluster.advance(Duration.ofMinutes(1));
        assertThat(holder.lost().toCompletableFuture().get(20, TimeUnit.SECONDS))
                .isNotNull();

        start(() -> client.lock("x").acquire());
        awaitSleep();
    }
}
