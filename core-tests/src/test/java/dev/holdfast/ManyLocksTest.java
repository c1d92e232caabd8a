package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many locks, leases and waiters need no thread each. */
@Tag("slow")
class ManyLocksTest {

    private static final int MANY = 100_000;

    /** The threads of tests that ran earlier in this process: workers stay for some seconds after their last task. */
    private final Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();

    private List<Thread> newThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast-") && !threadsBefore.contains(thread))
                .toList();
    }

    @Test
    void aHundredThousandLeasesNeedNoThreadEach() throws Exception {
        try (Holdfast holdfast = Holdfast.connect("memory:")) {
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                leases.add(holdfast.lock("lock-" + i).acquire(Duration.ZERO));
            }
            assertThat(newThreads()).hasSizeLessThan(10);
            assertThat(leases).allMatch(Lease::isHeld);
        }
    }

    /** Waits until this many waiters have queued. Each of them may be re-sending its request in another thread at this moment. */
    private static void awaitWaiters(Holdfast holdfast, int count) {
        await().pollInSameThread()
                .untilAsserted(
                        () -> assertThat(holdfast.admin().status("x").waiters()).hasSize(count));
    }

    @Test
    void thousandsOfWaitersOnOneLockNeedNoThreadEachAndAllCanGiveUpAtOnce() throws Exception {
        try (Holdfast holdfast = Holdfast.connect("memory:")) {
            Lease held = holdfast.lock("x").acquire();
            List<CompletableFuture<Lease>> waiting = new ArrayList<>();
            for (int i = 0; i < MANY / 20; i++) {
                waiting.add(holdfast.lock("x").localHandOver(false).acquireAsync(DistributedLock.FOREVER));
            }
            awaitWaiters(holdfast, waiting.size());
            assertThat(newThreads()).hasSizeLessThan(10);

            waiting.forEach(future -> future.cancel(true));

            awaitWaiters(holdfast, 0);
            assertThat(held.isHeld()).isTrue();
        }
    }
}
