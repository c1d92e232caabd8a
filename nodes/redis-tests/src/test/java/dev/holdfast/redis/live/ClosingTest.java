package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.Lease;
import dev.holdfast.testkit.Stalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that is closed releases everything, in any state. */
@Tag("slow")
class ClosingTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void closingEndsWaitingAttemptsReleasesLeasesAndStopsThreads(int nodes) throws Exception {
        try (Stalls stalls = new Stalls();
                LiveNodes live = new LiveNodes(nodes)) {
            Set<Thread> before = threads();
            Holdfast onlooker = live.client(LiveNodes::patient);
            Holdfast closing = live.settings().connect();
            Lease held = closing.lock("held").acquire(LiveNodes.SOON);
            Lease other = onlooker.lock("other").acquire(LiveNodes.SOON);
            List<CompletableFuture<Lease>> waiting = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                waiting.add(closing.lock("other").localHandOver(false).acquireAsync(Duration.ofMinutes(5)));
            }
            LiveNodes.awaitWaiters(onlooker, "other", 10);

            long start = System.nanoTime();
            closing.close();
            long end = System.nanoTime();
            assertThat(Duration.ofNanos(end - start).minus(stalls.between(start, end)))
                    .isLessThan(Duration.ofSeconds(1));

            assertThat(held.isHeld()).isFalse();
            for (CompletableFuture<Lease> attempt : waiting) {
                await().atMost(LiveNodes.SOON).until(attempt::isDone);
                assertThat(attempt.handle((lease, failure) -> failure).join())
                        .isInstanceOf(HoldfastClosedException.class);
            }
            LiveNodes.awaitWaiters(onlooker, "other", 0);
            onlooker.lock("held").tryAcquire().lease().close();
            other.close();
            onlooker.close(); // clients share their event loops, which end with the last of them
            await().atMost(LiveNodes.SOON)
                    .untilAsserted(() -> assertThat(threads().stream()
                                    .filter(thread -> !before.contains(thread))
                                    .map(Thread::getName)
                                    .filter(name -> name.contains("holdfast") || name.contains("lettuce")))
                            .isEmpty());
        }
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .collect(Collectors.toSet());
    }
}
