package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.testkit.Stalls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** First come, first served, at one node and at five. */
@Tag("slow")
class QueueOrderTest {

    private static final String LOCK = "line";

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void twentyWaitersAreServedInTheOrderInWhichTheyCame(int nodes) throws Exception {
        try (LiveNodes live = new LiveNodes(nodes)) {
            Lease holder = live.client(LiveNodes::lasting).lock(LOCK).acquire(LiveNodes.SOON);
            Holdfast onlooker = live.client();
            List<Integer> served = Collections.synchronizedList(new ArrayList<>());
            List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
            List<CompletableFuture<Void>> waiters = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                int place = i;
                waiters.add(live.client(LiveNodes::lasting)
                        .lock(LOCK)
                        .acquireAsync(Duration.ofMinutes(1))
                        .thenAccept(lease -> {
                            served.add(place);
                            tokens.add(lease.fencingToken());
                            lease.close();
                        }));
                LiveNodes.awaitWaiters(onlooker, LOCK, i + 1);
            }
            tokens.add(holder.fencingToken());
            holder.release();
            CompletableFuture.allOf(waiters.toArray(CompletableFuture<?>[]::new))
                    .orTimeout(1, TimeUnit.MINUTES)
                    .join();
            assertThat(served)
                    .containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
            assertThat(tokens).isSorted().doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void aWaiterThatIsKilledDelaysTheRestByItsWaiterTtlAtMost(int nodes) throws Exception {
        Process dead = null;
        try (Stalls stalls = new Stalls();
                LiveNodes live = new LiveNodes(nodes)) {
            Holdfast onlooker = live.client();
            Lease holder = live.client().lock(LOCK).acquire(LiveNodes.SOON);
            dead = Jvm.start(
                    WaitingWorker.class,
                    directory.resolve("dead.log"),
                    Stream.concat(Stream.of(LOCK), Stream.of(live.uris())).toList());
            LiveNodes.awaitWaiters(onlooker, LOCK, 1);
            CompletableFuture<Lease> next = live.client().lock(LOCK).acquireAsync(Duration.ofMinutes(1));
            LiveNodes.awaitWaiters(onlooker, LOCK, 2);
            dead.destroyForcibly().waitFor();
            long released = System.nanoTime();
            holder.release();
            // The dead one may be granted first: its vote lives for a waiterTtl, and is noticed by asking again within
            // a third more.
            Lease lease = next.get(LiveNodes.SOON.toSeconds(), TimeUnit.SECONDS);
            long served = System.nanoTime();
            lease.close();
            assertThat(Duration.ofNanos(served - released).minus(stalls.between(released, served)))
                    .isLessThan(LiveNodes.WAITER_TTL.multipliedBy(2));
        } finally {
            if (dead != null) {
                dead.destroyForcibly();
            }
        }
    }
}
