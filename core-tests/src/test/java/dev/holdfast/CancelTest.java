package dev.holdfast;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Giving up: cancelled futures, interrupts at every wait. */
class CancelTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");

    @Test
    void aCancelledFutureLeavesTheQueue() {
        Lease held = cluster.client("b").acquire("x");
        CompletableFuture<Lease> waiting = a.queue("x");
        cluster.advance(seconds(5));

        waiting.cancel(false);
        cluster.world().drain();

        assertThat(cluster.server(0).state("lock:x").waiters()).isEmpty();
        assertThat(waiting).isCancelled();
        assertThat(held.isHeld()).isTrue();
        assertThat(a.machine().pendingTimers()).as("timers of its own").isZero();
    }

    @Test
    void aFutureThatTheCallerEndsOtherwiseLeavesTheQueueToo() {
        cluster.client("b").acquire("x");
        CompletableFuture<Lease> waiting = a.queue("x");

        waiting.completeExceptionally(new TimeoutException("as orTimeout does"));
        cluster.world().drain();

        assertThat(cluster.server(0).state("lock:x").waiters()).isEmpty();
    }

    @Test
    void aLeaseThatIsMadeAtTheSameMomentIsGivenBack() {
        CompletableFuture<Lease> future = a.lock("x").acquireAsync(seconds(1)); // created, but not handed over yet
        assertThat(cluster.traces("x")).isEqualTo(3);

        future.cancel(true);
        cluster.world().drain();

        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void aWaiterBehindACancelledRequestThatDoesNotWaitGoesOnWaiting() {
        isServedThoughTheOneBeforeItIsCancelled(ZERO);
    }

    @Test
    void aWaiterBehindACancelledRequestWhoseTimeIsOverGoesOnWaiting() {
        isServedThoughTheOneBeforeItIsCancelled(millis(5));
    }

    private void isServedThoughTheOneBeforeItIsCancelled(Duration waitOfTheFirst) {
        Lease held = cluster.client("b").acquire("x");
        a.nodes().forEach(node -> node.requests().hold());
        CompletableFuture<Acquisition> first = a.lock("x").tryAcquireAsync(waitOfTheFirst);
        CompletableFuture<Lease> second = a.lock("x").acquireAsync(seconds(20));
        cluster.advance(millis(6));

        first.cancel(true);
        a.nodes().forEach(node -> node.requests().release());
        cluster.advance(seconds(1));
        assertThat(second).isNotDone();

        held.releaseAsync();
        cluster.advance(seconds(1));
        assertThat(second).isCompleted();
    }

    @Test
    void anAttemptThatIsCancelledWhileItRaisesGivesAllBack() {
        FakeClient b = cluster.client("b");
        b.nodes(1, 2).forEach(node -> node.requests().lose());
        b.tryAcquire("x"); // puts the fence of the first node one ahead
        CompletableFuture<Lease> waiting = a.queue("x");
        assertThat(waiting).isDone();
        waiting.join().release();
        a.nodes(1, 2).forEach(node -> node.requests().hold());
        CompletableFuture<Lease> raising = a.queue("x");

        raising.cancel(true);
        a.nodes(1, 2).forEach(node -> node.requests().release());
        cluster.world().drain();

        assertThat(cluster.traces("x")).isZero();
    }

    /** Runs a call that blocks in another thread, interrupts it there, and returns how it ended. */
    private static Throwable interrupted(Consumer<CountDownLatch> awaitBlocked, Blocking blocking) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        FutureTask<Void> task = new FutureTask<>(() -> {
            begun.countDown();
            blocking.call();
            return null;
        });
        Thread thread = new Thread(task);
        thread.start();
        begun.await();
        awaitBlocked.accept(begun);
        await().until(() -> thread.getState() == Thread.State.WAITING);
        thread.interrupt();
        try {
            task.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    private interface Blocking {
        void call() throws Exception;
    }

    @Test
    void everyBlockingMethodThrowsWhenItIsInterrupted() throws Exception {
        Lease lease = a.acquire("x");
        a.nodes().forEach(node -> node.requests().hold()); // time stands still, so no wait times out

        assertThat(interrupted(x -> {}, () -> a.lock("y").acquire())).isInstanceOf(InterruptedException.class);
        assertThat(interrupted(x -> {}, () -> a.lock("y").acquire(seconds(1))))
                .isInstanceOf(InterruptedException.class);
        assertThat(interrupted(x -> {}, () -> a.lock("y").tryAcquire())).isInstanceOf(InterruptedException.class);
        assertThat(interrupted(x -> {}, () -> a.lock("y").tryAcquire(seconds(1))))
                .isInstanceOf(InterruptedException.class);
        assertThat(interrupted(x -> {}, () -> a.lock("y").run(seconds(1), held -> {})))
                .isInstanceOf(InterruptedException.class);
        assertThat(interrupted(x -> {}, () -> lease.extend(seconds(30)))).isInstanceOf(InterruptedException.class);
        assertThat(interrupted(x -> {}, () -> a.holdfast().admin().status("y")))
                .isInstanceOf(InterruptedException.class);
        assertThat(interrupted(x -> {}, () -> a.holdfast().admin().list("", 1)))
                .isInstanceOf(InterruptedException.class);
        assertThat(interrupted(x -> {}, () -> a.holdfast().admin().breakLease("y", 1, "why")))
                .isInstanceOf(InterruptedException.class);

        assertThat(lease.isHeld()).isTrue();
        a.nodes().forEach(node -> node.requests().release());
        cluster.world().drain();
        assertThat(cluster.traces("y")).isZero();
    }

    @Test
    void aReleaseIsFinishedThoughItIsInterruptedAndTheInterruptStaysVisible() throws Exception {
        Lease lease = a.acquire("x");
        a.nodes().forEach(node -> node.requests().hold());
        boolean[] visible = new boolean[1];
        FutureTask<ReleaseOutcome> release = new FutureTask<>(() -> {
            ReleaseOutcome outcome = lease.release();
            visible[0] = Thread.currentThread().isInterrupted();
            return outcome;
        });
        Thread thread = new Thread(release);
        thread.start();
        await().until(() -> a.node(2).requests().held() == 1);

        thread.interrupt();
        assertThat(release.isDone()).isFalse();
        a.nodes().forEach(node -> node.requests().release());

        assertThat(release.get()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(visible[0]).isTrue();
    }

    @Test
    void aRefusedFutureFailsWithTheReason() {
        cluster.client("b").acquire("x");

        assertThatThrownBy(() -> cluster.await(a.lock("x").acquireAsync(seconds(1))))
                .hasCauseInstanceOf(LockTimeoutException.class);
    }
}
