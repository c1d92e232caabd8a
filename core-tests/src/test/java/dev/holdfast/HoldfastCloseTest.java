package dev.holdfast;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.election.Candidacy;
import dev.holdfast.election.Leadership;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.observe.ExtensionObserver;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import dev.holdfast.testkit.FaultyNode;
import dev.holdfast.testkit.Stalls;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Closing a client is quick: it ends all waits, releases all leases, and leaves nothing behind. */
class HoldfastCloseTest {

    private static final Duration LONGEST_CLOSE = millis(1_000);

    private final Timing timing = Timing.system("servers");
    private final MemoryNode[] servers = IntStream.range(0, 3)
            .mapToObj(server -> new MemoryNode("server-" + server, timing, 86_400_000))
            .toArray(MemoryNode[]::new);
    private final List<FaultyNode> nodes = new ArrayList<>();

    /** A client in real time. */
    private Holdfast client(String name) {
        HoldfastBuilder builder = Holdfast.builder().clientName(name);
        for (MemoryNode server : servers) {
            builder.node(context -> {
                FaultyNode node = new FaultyNode(
                        "memory:" + server,
                        timing,
                        context.listener(),
                        fresh -> server.connect(context.client(), fresh));
                nodes.add(node);
                return node;
            });
        }
        return builder.connect();
    }

    private static <T> Future<T> inThread(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        new Thread(task, "waiting-in-a-test").start();
        return task;
    }

    private static void awaitWaiters(Holdfast client, String name, int count) {
        await().until(() -> client.admin().status(name).waiters().size() == count);
    }

    /** Returns how long it takes, without the time in which this machine was busy with other work. */
    private static Duration closing(Holdfast client) throws InterruptedException {
        try (Stalls stalls = new Stalls()) {
            long start = System.nanoTime();
            client.close();
            long end = System.nanoTime();
            return Duration.ofNanos(end - start).minus(stalls.between(start, end));
        }
    }

    private static boolean isGone(String threads) {
        return Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.isAlive() && thread.getName().startsWith(threads));
    }

    @Test
    void closingEndsAttemptsThatWaitGivesLeasesBackAndStopsItsThreads() throws Exception {
        try (Holdfast other = client("other")) {
            Holdfast closed = client("closed");
            Lease held = closed.lock("held").acquire();
            Lease others = other.lock("x").acquire();
            Future<Lease> blocked =
                    inThread(() -> closed.lock("x").localHandOver(false).acquire());
            CompletableFuture<Lease> async = closed.lock("x").acquireAsync(DistributedLock.FOREVER);
            awaitWaiters(other, "x", 2);

            assertThat(closing(closed)).isLessThan(LONGEST_CLOSE);

            assertThatThrownBy(blocked::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(HoldfastClosedException.class);
            assertThatThrownBy(async::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(HoldfastClosedException.class);
            assertThat(held.isHeld()).isFalse();
            assertThat(others.isHeld()).isTrue();
            assertThat(other.admin().status("x").waiters()).isEmpty();
            assertThat(other.lock("held").tryAcquire().isHeld()).isTrue();
        }
        await().until(() -> isGone("holdfast-timer") && isGone("holdfast-worker")); // named memory nodes live on
    }

    @Test
    void closingIsQuickThoughNoNodeAnswers() throws Exception {
        Holdfast closed = client("closed");
        closed.lock("held").acquire();
        Future<Lease> blocked =
                inThread(() -> closed.lock("held").localHandOver(false).acquire());
        awaitWaiters(closed, "held", 1);
        nodes.forEach(node -> node.requests().lose());

        assertThat(closing(closed)).isLessThan(LONGEST_CLOSE);

        assertThatThrownBy(blocked::get).hasCauseInstanceOf(HoldfastClosedException.class);
        await().until(() -> isGone("holdfast-timer") && isGone("holdfast-worker")); // named memory nodes live on
    }

    @Test
    void closingWaitsUntilTheNodesHaveHeardOfIt() throws Exception {
        try (Holdfast other = client("other")) {
            Lease others = other.lock("x").acquire();
            nodes.clear();
            Holdfast closed = client("closed");
            closed.lock("x").acquireAsync(DistributedLock.FOREVER);
            awaitWaiters(other, "x", 1);
            nodes.forEach(node -> node.requests().delay(millis(50)));

            closed.close();

            assertThat(other.admin().status("x").waiters()).as("left in line").isEmpty();
            assertThat(others.isHeld()).isTrue();
        }
    }

    @Test
    void aLeaseThatIsToLastLongerOutlivesItsClient() throws Exception {
        try (Holdfast other = client("other")) {
            Holdfast closed = client("closed");
            long start = System.nanoTime();
            CompletableFuture<ReleaseOutcome> outcome = closed.lock("x")
                    .ttl(millis(500))
                    .acquire()
                    .releaseAfter(millis(1_500))
                    .toCompletableFuture();

            assertThat(closing(closed)).isLessThan(LONGEST_CLOSE);
            assertThat(outcome.get()).isEqualTo(ReleaseOutcome.UNCONFIRMED);

            other.lock("x").acquire();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(millis(1_400));
        }
        await().until(() -> isGone("holdfast-timer") && isGone("holdfast-worker")); // named memory nodes live on
    }

    @Test
    void closingIsQuickThoughALeaseIsToLastAndNoNodeAnswers() throws Exception {
        Holdfast closed = client("closed");
        Lease lease = closed.lock("x").acquire();
        nodes.forEach(node -> node.requests().lose());
        lease.releaseAfter(seconds(100));

        assertThat(closing(closed)).isLessThan(LONGEST_CLOSE);
    }

    @Test
    void whatIsAskedOfAClosedClientIsRefused() {
        Holdfast closed = Holdfast.connect("memory:");
        DistributedLock lock = closed.lock("x");
        closed.close();
        closed.close();

        assertThatThrownBy(lock::acquire).isInstanceOf(HoldfastClosedException.class);
        assertThatThrownBy(() -> lock.tryAcquire()).isInstanceOf(HoldfastClosedException.class);
        assertThatThrownBy(() -> closed.admin().status("x")).isInstanceOf(HoldfastClosedException.class);
        assertThatThrownBy(() -> closed.admin().list("", 10)).isInstanceOf(HoldfastClosedException.class);
        assertThatThrownBy(() -> closed.admin().nodes()).isInstanceOf(HoldfastClosedException.class);
    }

    @Test
    void aLeaseOfAClosedClientSaysThatItIsReleased() {
        Holdfast closed = Holdfast.connect("memory:");
        Lease lease = closed.lock("x").tryAcquireAsync(Duration.ZERO).join().lease();
        List<Loss> losses = new ArrayList<>();
        lease.onLost(losses::add);

        closed.close();

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.extendAsync(seconds(30)).toCompletableFuture().join()).isEqualTo(ExtendOutcome.LOST);
        assertThatCode(lease::close).doesNotThrowAnyException();
        assertThat(losses).isEmpty();
    }

    @Test
    void closingOneClientLeavesAnotherOnTheSameTimingAlone() {
        FakeCluster cluster = new FakeCluster(1);
        FakeClient a = cluster.client("a");
        FakeClient b =
                cluster.client("b", settings -> settings.timing(a.machine().timing()));
        Lease lease = b.acquire("x");

        a.holdfast().close();

        cluster.advance(seconds(60));
        assertThat(lease.isHeld()).isTrue();
    }

    /** Closes its client at the first extension, loss or request, on the thread of that notification. */
    private static final class Closer implements ClientObserver {

        final AtomicReference<Holdfast> client = new AtomicReference<>();
        final CompletableFuture<String> closedOn = new CompletableFuture<>();

        private void close() {
            Holdfast closed = client.get();
            if (closed != null && !closedOn.isDone()) {
                closed.close();
                closedOn.complete(Thread.currentThread().getName());
            }
        }

        @Override
        public ExtensionObserver extension(String lock, LockMode mode) {
            close();
            return ExtensionObserver.NONE;
        }
    }

    @Test
    void c11_closingFromAnObserverOnTheTimerThreadReturns() throws Exception {
        Closer closer = new Closer();
        Holdfast closed = Holdfast.builder()
                .nodes("memory:")
                .ttl(millis(100))
                .observer(closer)
                .connect();
        Lease held = closed.lock("x").acquire();
        CompletableFuture<Lease> waiting = closed.lock("x").localHandOver(false).acquireAsync(DistributedLock.FOREVER);

        closer.client.set(closed);

        assertThat(closer.closedOn.get(10, TimeUnit.SECONDS)).startsWith("holdfast-timer");
        assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(HoldfastClosedException.class);
        await().until(() -> !held.isHeld());
        await().until(() -> isGone("holdfast-timer") && isGone("holdfast-worker"));
    }

    @Test
    void c11_aCandidacyWhoseWorkNeverEndsEndsWithItsClient() throws Exception {
        Holdfast closed = Holdfast.connect("memory:");
        CountDownLatch leads = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicReference<Leadership> led = new AtomicReference<>();
        Candidacy candidacy = closed.election("x").stand(leadership -> {
            led.set(leadership);
            leads.countDown();
            while (mayEnd.getCount() > 0) {
                try {
                    mayEnd.await();
                } catch (InterruptedException e) {
                    // this work ignores interrupts
                }
            }
        });
        leads.await();

        closed.close();

        candidacy.closeAsync().toCompletableFuture().get(10, TimeUnit.SECONDS);
        led.get().stepDown().toCompletableFuture().get(10, TimeUnit.SECONDS);
        mayEnd.countDown();
        await().until(() -> isGone("holdfast-leader"));
    }
}
