package dev.holdfast;

import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.SelfDeadlockException;
import dev.holdfast.lock.ThreadLock;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** C13: a thread that acquires a lock it already holds fails, where its hold is known. */
class SelfDeadlockTest {

    private final Holdfast client = Holdfast.connect("memory:");
    private final DistributedLock x = client.lock("x");

    @AfterEach
    void close() {
        client.close();
    }

    private static void assertRefused(ThrowingCallable asking) {
        assertThatThrownBy(asking)
                .isInstanceOf(SelfDeadlockException.class)
                .hasMessageContaining("held by this thread itself");
    }

    private void assertRefusedToAskForX() {
        assertRefused(() -> x.acquire(seconds(2)));
        assertRefused(() -> x.tryAcquire(seconds(2)));
        assertRefused(() -> x.run(seconds(2), lease -> {}));
        assertRefused(() -> x.shared().acquire(seconds(2)));
        assertRefused(() -> client.locks("w", "x").acquire(seconds(2)));
        assertRefused(() -> client.once("x", seconds(1)).run(seconds(2), lease -> {}));
        assertRefused(() -> x.asLock().tryLock(2, java.util.concurrent.TimeUnit.SECONDS));
    }

    @Test
    void c13_workUnderALockThatAsksForItAgainFailsAtOnce() throws Exception {
        x.run(seconds(1), lease -> assertRefusedToAskForX());

        x.acquire(seconds(1)).close();
    }

    @Test
    void c13_workUnderSeveralLocksOrOnceThatAsksForOneAgainFailsAtOnce() throws Exception {
        client.locks("x", "y").<Boolean, Exception>call(seconds(1), leases -> {
            assertRefusedToAskForX();
            return true;
        });
        client.once("x", Spans.millis(1)).run(seconds(1), lease -> assertRefusedToAskForX());
    }

    @Test
    void c13_aThreadThatHasLockedAViewIsRefusedByAnotherView() throws Exception {
        ThreadLock view = x.asReentrantLock();
        view.lock();
        view.lock();
        assertRefusedToAskForX();
        assertRefused(() -> x.asReentrantLock().lock());
        view.unlock();
        assertRefusedToAskForX();
        view.unlock();

        x.acquire(seconds(1)).close();
    }

    @Test
    void c13_allPermitsOfASemaphoreInOneThreadAreEnough() throws Exception {
        client.semaphore("s", 2)
                .run(
                        seconds(1),
                        one -> client.semaphore("s", 2).run(seconds(1), two -> {
                            assertRefused(() -> client.semaphore("s", 2).acquire(seconds(2)));
                        }));
    }

    @Test
    void c13_theWorkOfALeaderIsAScopeToo() throws Exception {
        CompletableFuture<Boolean> refused = new CompletableFuture<>();
        client.election("x").stand(leadership -> {
            try {
                assertRefusedToAskForX();
                refused.complete(true);
            } catch (Throwable thrown) {
                refused.completeExceptionally(thrown);
            }
        });

        assertThat(refused.get()).isTrue();
    }

    @Test
    void c13_whatDoesNotWaitForItselfIsNotRefused() throws Exception {
        try (Holdfast other = Holdfast.connect("memory:")) {
            x.run(seconds(1), lease -> {
                assertThat(x.tryAcquire().isHeld()).as("nobody waits").isFalse();
                other.lock("x").acquire(seconds(1)).close();
                client.lock("y").acquire(seconds(1)).close();
                x.mode(LockMode.NL).acquire(seconds(1)).close();
                CompletableFuture<Lease> later = x.acquireAsync(seconds(10));
                lease.release();
                later.get().close();
                x.acquire(seconds(1)).close();
            });
            x.shared().run(seconds(1), lease -> x.shared().acquire(seconds(1)).close());
        }
    }

    @Test
    void c13_anotherThreadWaitsAsUsual() throws Exception {
        x.run(seconds(1), lease -> {
            CompletableFuture<Boolean> others = CompletableFuture.supplyAsync(() -> {
                try {
                    return x.tryAcquire(Spans.millis(50)).isHeld();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(others.join()).isFalse();
        });
    }
}
