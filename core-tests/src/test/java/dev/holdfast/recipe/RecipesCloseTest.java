package dev.holdfast.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.observe.LeaseObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A client that is closed between two steps of a recipe leaves no waiter behind. */
class RecipesCloseTest {

    private static final long LONGEST_SECONDS = 20;

    /** Returns a client that another thread closes at the moment at which the client acquires the first such lock, before the recipe receives it. */
    private static Holdfast closedWhenGranted(String node, Predicate<String> lock) {
        AtomicReference<Holdfast> client = new AtomicReference<>();
        ClientObserver closer = new ClientObserver() {
            @Override
            public LeaseObserver attempt(String name, LockMode mode) {
                return !lock.test(name)
                        ? LeaseObserver.NONE
                        : new LeaseObserver() {
                            @Override
                            public void granted(Lease lease, Duration waited) {
                                CountDownLatch refused = new CountDownLatch(1);
                                new Thread(() -> client.get().close(), "closer").start();
                                new Thread(() -> awaitClosed(client.get(), refused), "asker").start();
                                try {
                                    assertThat(refused.await(LONGEST_SECONDS, TimeUnit.SECONDS))
                                            .isTrue();
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                            }
                        };
            }
        };
        Holdfast made = Holdfast.builder().nodes(node).observer(closer).connect();
        client.set(made);
        return made;
    }

    private static void awaitClosed(Holdfast client, CountDownLatch refused) {
        while (refused.getCount() > 0) {
            try {
                client.admin().statusAsync("another");
                Thread.onSpinWait();
            } catch (HoldfastClosedException e) {
                refused.countDown();
            }
        }
    }

    private static void assertThatItEndsClosed(CompletableFuture<?> waiting) {
        assertThatThrownBy(() -> waiting.get(LONGEST_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(HoldfastClosedException.class);
    }

    @Test
    void c11_closingBetweenTwoLocksOfAMultiLockEndsItsWait() {
        Holdfast client = closedWhenGranted("memory:", "x"::equals);

        assertThatItEndsClosed(client.locks("x", "y").tryAcquireAsync(DistributedLock.FOREVER));
    }

    @Test
    void c11_closingBetweenTheGateAndThePlacesOfASemaphoreEndsItsWait() throws Exception {
        try (Holdfast other = Holdfast.connect("memory:c11-gate")) {
            Acquisition held = other.semaphore("api", 1).tryAcquire();
            Holdfast client = closedWhenGranted("memory:c11-gate", "api#gate"::equals);

            assertThatItEndsClosed(client.semaphore("api", 1).tryAcquireAsync(DistributedLock.FOREVER));
            held.close();
        }
    }
}
