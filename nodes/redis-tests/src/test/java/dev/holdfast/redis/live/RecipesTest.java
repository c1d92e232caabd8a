package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.recipe.LockSemaphore;
import dev.holdfast.recipe.MultiLease;
import dev.holdfast.recipe.MultiLock;
import dev.holdfast.testkit.Effort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recipes under many clients, at one real node and at three. */
@Tag("slow")
class RecipesTest {

    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final int CLIENTS = 50;

    private interface Turn {
        void take(int client) throws Exception;
    }

    private static void all(int clients, Turn turn) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                int client = i;
                running.add(threads.submit(() -> {
                    turn.take(client);
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get(LONGEST.toSeconds() + 10, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void fiftyClientsWithRandomSetsOfEightLocksAllFinish(int nodes) throws Exception {
        int locks = 8;
        int rounds = Effort.of(2, 5);
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        AtomicIntegerArray inside = new AtomicIntegerArray(locks);
        long[] tokens = new long[locks]; // each written under its lock only
        AtomicInteger turns = new AtomicInteger();
        try (LiveNodes live = new LiveNodes(nodes)) {
            List<Holdfast> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(live.client(LiveNodes::lasting));
            }
            all(CLIENTS, client -> {
                Random random = new Random(seed + client);
                for (int round = 0; round < rounds; round++) {
                    List<Integer> wanted = someOf(locks, random);
                    List<DistributedLock> set = wanted.stream()
                            .map(lock -> clients.get(client).lock("lock" + lock))
                            .toList();
                    MultiLock multi = clients.get(client).locks(set);
                    try (MultiLease leases = multi.acquire(LONGEST)) {
                        for (int lock : wanted) {
                            long token = leases.fencingToken("lock" + lock);
                            assertThat(inside.incrementAndGet(lock)).isEqualTo(1);
                            assertThat(token).isGreaterThan(tokens[lock]);
                            tokens[lock] = token;
                        }
                        for (int lock : wanted) {
                            inside.decrementAndGet(lock);
                        }
                        leases.ensureHeld();
                        turns.incrementAndGet();
                    }
                }
            });
        }
        assertThat(turns).hasValue(CLIENTS * rounds);
    }

    private static List<Integer> someOf(int locks, Random random) {
        List<Integer> all = new ArrayList<>();
        for (int lock = 0; lock < locks; lock++) {
            all.add(lock);
        }
        Collections.shuffle(all, random);
        return all.subList(0, 1 + random.nextInt(4));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aSemaphoreLetsNoMoreInAndEverybodyOnce(int nodes) throws Exception {
        int permits = 3;
        int rounds = Effort.of(4, 10);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        int[] turns = new int[12];
        try (LiveNodes live = new LiveNodes(nodes)) {
            List<LockSemaphore> semaphores = new ArrayList<>();
            for (int i = 0; i < turns.length; i++) {
                semaphores.add(live.client(LiveNodes::lasting).semaphore("api", permits));
            }
            all(turns.length, client -> {
                for (int round = 0; round < rounds; round++) {
                    try (Lease permit = semaphores.get(client).acquire(LONGEST)) {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        Thread.sleep(2); // work
                        inside.decrementAndGet();
                        permit.ensureHeld();
                        turns[client]++;
                    }
                }
            });
        }
        assertThat(most.get()).isBetween(2, permits);
        assertThat(Arrays.stream(turns)).allMatch(taken -> taken == rounds);
    }
}
