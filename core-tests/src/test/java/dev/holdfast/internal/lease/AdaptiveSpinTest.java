package dev.holdfast.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.HandClient;
import dev.holdfast.internal.time.Trust;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting threads spin briefly while that pays (docs/decisions/0022). Here the spinning thread itself performs the actions of the other threads. */
@Timeout(60)
class AdaptiveSpinTest {

    private static final long WAIT_MILLIS = 1_000_000;
    private static final long LONGER_THAN_A_MOMENT_MILLIS = 1;

    private final CompletableFuture<String> future = new CompletableFuture<>();
    private final AtomicInteger looks = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private Runnable others = () -> {};

    private final Trust trust = new Trust();

    private AdaptiveSpin untrusted() {
        return untrusted(looks, AdaptiveSpin.SHARED_YIELDS);
    }

    private AdaptiveSpin untrusted(AtomicInteger counted, int looksOfAll) {
        return new AdaptiveSpin(
                trust,
                () -> {
                    counted.incrementAndGet();
                    others.run();
                },
                looksOfAll);
    }

    private AdaptiveSpin trusted() {
        for (int i = 0; i < 100; i++) {
            trust.paid();
        }
        return untrusted();
    }

    private int looksOf(AdaptiveSpin wait, CompletableFuture<String> awaited) {
        int before = looks.get();
        wait.spin(awaited);
        return looks.get() - before;
    }

    /** The result of a separate thread. */
    private <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "waits");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return task;
    }

    private void awaitSleep() {
        await().until(() -> threads.get(0).getState() == Thread.State.WAITING);
    }

    @AfterEach
    void end() throws InterruptedException {
        serve(); // a release can't be interrupted
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join();
        }
    }

    // ---- a future

    @Test
    void aThreadLooksForAMoment() {
        assertThat(looksOf(trusted(), future)).isEqualTo(AdaptiveSpin.MAX_YIELDS);
    }

    @Test
    void whatIsThereIsNotWaitedFor() {
        future.complete("there");

        assertThat(looksOf(trusted(), future)).isZero();
    }

    @Test
    void whatComesEndsTheMoment() {
        others = () -> {
            if (looks.get() == 3) {
                future.complete("there");
            }
        };

        assertThat(looksOf(trusted(), future)).isEqualTo(3);
    }

    @Test
    void anInterruptEndsTheMomentAndStaysVisible() {
        others = () -> Thread.currentThread().interrupt();

        assertThat(looksOf(trusted(), future)).isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void whatDoesNotPayIsGivenUpAndTriedNowAndThen() {
        AdaptiveSpin wait = trusted();
        for (int i = 0; i < 10; i++) {
            wait.spin(future);
        }

        looks.set(0);
        for (int i = 0; i < Trust.TRY_EVERY * 3; i++) {
            wait.spin(future);
        }
        assertThat(looks).hasValue(3 * AdaptiveSpin.MAX_YIELDS);
    }

    @Test
    void whatPaysIsTrusted() {
        AdaptiveSpin wait = untrusted();
        while (looks.get() == 0) {
            CompletableFuture<String> awaited = new CompletableFuture<>();
            others = () -> awaited.complete("there");
            wait.spin(awaited);
        }

        others = () -> {};
        assertThat(looksOf(wait, future)).isEqualTo(AdaptiveSpin.MAX_YIELDS);
    }

    /** Each begins while those before it are in the middle of theirs. */
    @Test
    void thoseWhoAreAwakeTogetherShareTheMoment() {
        AdaptiveSpin wait = trusted();
        List<Integer> counts = new ArrayList<>();
        AtomicInteger depth = new AtomicInteger(1);
        others = () -> {
            if (depth.incrementAndGet() <= 100) {
                CompletableFuture<String> mine = new CompletableFuture<>();
                int before = looks.get();
                wait.spin(mine);
                counts.add(0, looks.get() - before);
            }
        };
        wait.spin(future);

        assertThat(wait.yields(1)).isEqualTo(AdaptiveSpin.MAX_YIELDS);
        assertThat(wait.yields(8)).isEqualTo(AdaptiveSpin.SHARED_YIELDS / 8);
        assertThat(wait.yields(10_000)).isEqualTo(AdaptiveSpin.MIN_YIELDS);
        assertThat(AdaptiveSpin.forNodes().yields(8)).isEqualTo(wait.yields(8));
        assertThat(AdaptiveSpin.forQueues().yields(10_000))
                .as("in a quick line")
                .isEqualTo(AdaptiveSpin.MAX_YIELDS);
        assertThat(counts.get(counts.size() - 1)).as("the hundredth").isEqualTo(AdaptiveSpin.MIN_YIELDS);

        trust.paid();
        assertThat(looksOf(wait, future)).as("alone again").isEqualTo(AdaptiveSpin.MAX_YIELDS);
    }

    // ---- a lock

    private final HandClient client = new HandClient(1);
    private final AtomicInteger looksInLine = new AtomicInteger();
    private final ClientLeases keeper = new ClientLeases(
            client.quorum,
            ttl -> {},
            trusted(),
            untrusted(looksInLine, Integer.MAX_VALUE)); // they share what is trusted

    private ClientLeases.Pending ask() {
        return keeper.acquire(HandClient.settings(WAIT_MILLIS), LeaseSettings.DEFAULTS, null);
    }

    private void serve() {
        client.nodes.get(0).serve();
        client.time.work();
    }

    /** The thread queues after this many hand-overs of the lease, with this time between them. */
    private LeaseHandle holderAfter(int handOvers, long betweenMillis) {
        client.nodes.get(0).beginToAnswerAtOnce();
        List<ClientLeases.Pending> line = new ArrayList<>();
        for (int i = 0; i <= handOvers; i++) {
            line.add(ask());
        }
        client.time.pass(LONGER_THAN_A_MOMENT_MILLIS);
        for (int i = 0; i < handOvers; i++) {
            client.time.pass(betweenMillis);
            ((LeaseHandle) line.get(i).outcome().join().lease()).startRelease();
            serve();
        }
        return (LeaseHandle) line.get(handOvers).outcome().join().lease();
    }

    @Test
    void whoAsksTheNodesLooks() throws Exception {
        others = this::serve;

        assertThat(ask().await().lease()).as("answered by whoever looked").isNotNull();
    }

    /** With five nodes and 8 threads it gained nothing, and the slowest acquires took three times as long. */
    @Test
    void whoAsksSeveralNodesSleepsAtOnce() throws Exception {
        HandClient several = new HandClient(3);
        ClientLeases ofSeveral = new ClientLeases(several.quorum, ttl -> {}, trusted(), untrusted());

        FutureTask<Acquisition> asked = start(() -> ofSeveral
                .acquire(HandClient.settings(WAIT_MILLIS), LeaseSettings.DEFAULTS, null)
                .await());
        awaitSleep();
        several.nodes.forEach(node -> node.serve());
        several.time.work();

        assertThat(asked.get(20, TimeUnit.SECONDS).lease()).isNotNull();
        assertThat(looks).hasValue(0);
    }

    @Test
    void whoGivesBackLooks() throws Exception {
        ClientLeases.Pending asked = ask();
        serve();
        others = this::serve;

        FutureTask<ReleaseOutcome> release =
                start(((LeaseHandle) asked.outcome().join().lease())::release);
        assertThat(release.get(20, TimeUnit.SECONDS))
                .as("answered by whoever looked")
                .isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void whoGivesBackWhatOthersWaitForSleepsAtOnce() throws Exception {
        ClientLeases.Pending asked = ask();
        serve();
        LeaseHandle holder = (LeaseHandle) asked.outcome().join().lease();
        client.listeners
                .get(0)
                .contended(
                        "lock",
                        OwnerId.parse(holder.owner()).orElseThrow(),
                        holder.fencingToken(),
                        new Ticket(1, "other~00000000"),
                        null);

        FutureTask<ReleaseOutcome> release = start(holder::release);
        awaitSleep();
        serve();
        assertThat(release.get()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(looks).hasValue(0);
    }

    @Test
    void whoWaitsInAQuickLineLooks() throws Exception {
        LeaseHandle holder = holderAfter(2, 0);
        others = holder::startRelease;

        assertThat(ask().await().lease()).as("released by whoever looked").isNotNull();
        assertThat(looksInLine).hasValue(1);
        assertThat(looks).hasValue(0);
    }

    @Test
    void whoWaitsInASlowLineSleepsAtOnce() {
        holderAfter(2, LONGER_THAN_A_MOMENT_MILLIS);

        start(() -> ask().await());
        awaitSleep();
        assertThat(looks.get() + looksInLine.get()).isZero();
    }

    @Test
    void whoWaitsForAHolderSleepsAtOnce() {
        holderAfter(0, 0);

        start(() -> ask().await());
        awaitSleep();
        assertThat(looks.get() + looksInLine.get()).isZero();
    }
}
