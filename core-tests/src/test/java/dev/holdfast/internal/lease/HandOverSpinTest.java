package dev.holdfast.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.HandClient;
import dev.holdfast.lock.LockOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads spin only in a queue that moves within microseconds, and only as long as that pays off. */
class HandOverSpinTest {

    private static final long WAIT_MILLIS = 1_000_000;

    private final CompletableFuture<String> future = new CompletableFuture<>();
    private final AtomicInteger yields = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private final HandClient client = new HandClient(1);
    private Runnable others = () -> {};
    private final HandOverSpin spin = new HandOverSpin(client.time.timing().ticker(), () -> {
        yields.incrementAndGet();
        others.run();
    });
    private final ClientLeases leases = new ClientLeases(client.quorum, ttl -> {}, spin);

    private int yieldsFor(CompletableFuture<String> awaited) {
        int before = yields.get();
        spin.spin(awaited);
        return yields.get() - before;
    }

    /** Returns the number of waits until the next spin, for a future that does not complete. */
    private int waitsUntilNextSpin() {
        int waits = 1;
        while (yieldsFor(future) == 0) {
            waits++;
        }
        return waits;
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join();
        }
    }

    // ---- a future

    @Test
    void yieldsSoManyTimes() {
        assertThat(yieldsFor(future)).isEqualTo(HandOverSpin.YIELDS);
    }

    @Test
    void aCompleteFutureNeedsNoSpin() {
        future.complete("there");

        assertThat(yieldsFor(future)).isZero();
    }

    @Test
    void completionEndsTheSpin() {
        others = () -> {
            if (yields.get() == 3) {
                future.complete("there");
            }
        };

        assertThat(yieldsFor(future)).isEqualTo(3);
    }

    @Test
    void anInterruptEndsTheSpinAndStaysVisible() {
        others = () -> Thread.currentThread().interrupt();

        assertThat(yieldsFor(future)).isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aSpinThatPaysOffIsRepeated() {
        for (int i = 0; i < 10; i++) {
            CompletableFuture<String> awaited = new CompletableFuture<>();
            others = () -> awaited.complete("there");
            assertThat(yieldsFor(awaited)).isEqualTo(1);
        }
    }

    @Test
    void aSpinInVainPausesTheNextOnes() {
        spin.spin(future);

        assertThat(waitsUntilNextSpin()).isEqualTo(HandOverSpin.PAUSE);
    }

    @Test
    void spinsThatHavePaidOffGoOnAfterOneInVain() {
        Runnable nothing = others;
        for (int i = 0; i < 3; i++) {
            CompletableFuture<String> awaited = new CompletableFuture<>();
            others = () -> awaited.complete("there");
            spin.spin(awaited);
        }
        others = nothing;
        assertThat(yieldsFor(future)).isEqualTo(HandOverSpin.YIELDS);

        assertThat(waitsUntilNextSpin()).isEqualTo(1);
        assertThat(waitsUntilNextSpin()).as("two in vain of five").isEqualTo(HandOverSpin.PAUSE);
    }

    @Test
    void aSpinThatOtherWorkHoldsUpPausesTheNextOnesForLonger() {
        CompletableFuture<String> awaited = new CompletableFuture<>();
        others = () -> {
            client.time.pass(3);
            awaited.complete("there");
        };
        spin.spin(awaited);

        assertThat(waitsUntilNextSpin()).isEqualTo(HandOverSpin.LONG_PAUSE);
    }

    // ---- a lock

    private ClientLeases.Pending ask() {
        return HandClient.acquire(leases, WAIT_MILLIS, LockOptions.defaults());
    }

    /** Returns the holder after this many hand-overs with this time between them. */
    private LeaseHandle holderAfter(int handOvers, long betweenMillis) {
        client.nodes.get(0).beginToAnswerAtOnce();
        List<ClientLeases.Pending> queue = new ArrayList<>();
        for (int i = 0; i <= handOvers; i++) {
            queue.add(ask());
        }
        client.time.pass(1);
        for (int i = 0; i < handOvers; i++) {
            client.time.pass(betweenMillis);
            ((LeaseHandle) queue.get(i).outcome().join().lease()).startRelease();
            client.nodes.get(0).serve();
            client.time.work();
        }
        return (LeaseHandle) queue.get(handOvers).outcome().join().lease();
    }

    /** Starts a thread that waits for the lock, and returns once it sleeps. */
    private void sleepInQueue() {
        ClientLeases.Pending pending = ask();
        Thread thread = new Thread(() -> {
            try {
                pending.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the test is over
            }
        });
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.WAITING);
    }

    @Test
    void aWaiterInAQuickQueueSpins() throws Exception {
        LeaseHandle holder = holderAfter(2, 0);
        others = holder::startRelease;

        assertThat(ask().await().lease()).as("released while it spun").isNotNull();
        assertThat(yields).hasValue(1);
    }

    @Test
    void aWaiterInASlowQueueSleepsAtOnce() {
        holderAfter(2, 1);

        sleepInQueue();
        assertThat(yields).hasValue(0);
    }

    @Test
    void aWaiterBehindTheFirstHolderSleepsAtOnce() {
        holderAfter(0, 0);

        sleepInQueue();
        assertThat(yields).hasValue(0);
    }

    // the answer takes longer than waking a thread, and the server needs the processor
    @Test
    void aCallerThatWaitsForTheNodesSleepsAtOnce() {
        sleepInQueue();

        assertThat(yields).hasValue(0);
    }
}
