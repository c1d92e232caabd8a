package dev.holdfast.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.election.Candidacy;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.ThreadLock;
import dev.holdfast.lock.ThreadReadWriteLock;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.testkit.FaultyNode;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Clients are closed at random moments, while threads use every recipe. No thread keeps waiting, no stage stays open, and no key or thread is left. The
 * property {@code holdfast.closes} sets the number of rounds, and {@code holdfast.closes.seed} sets the seed.
 */
class CloseUnderLoadTest {

    private static final int ROUNDS = Integer.getInteger("holdfast.closes", 150);
    private static final long SEED = Long.getLong("holdfast.closes.seed", 20260101);
    private static final int THREADS = 6;
    private static final int THREADS_LOOKED_FOR_EVERY = 50;
    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final Duration FOREVER = DistributedLock.FOREVER;

    private static final Timing TIMING = Timing.system("closed-nodes");
    private static final List<MemoryNode> NODES = IntStream.range(0, 3)
            .mapToObj(node -> new MemoryNode("closed-" + node, TIMING, 1_000))
            .toList();

    private static long before;

    @BeforeAll
    static void countThreads() {
        before = clientThreads();
    }

    @AfterAll
    static void endTheNodes() {
        TIMING.scheduler().close();
    }

    private static long clientThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.isAlive() && thread.getName().matches("holdfast-(timer|worker|leader).*"))
                .count();
    }

    private static Holdfast client(Duration delay) {
        HoldfastBuilder builder = Holdfast.builder().clientName("closed").ttl(Duration.ofSeconds(5));
        for (MemoryNode server : NODES) {
            builder.node(context -> {
                FaultyNode node = new FaultyNode(
                        "memory:" + server.id(),
                        TIMING,
                        context.listener(),
                        fresh -> server.connect(context.client(), fresh));
                if (!delay.isZero()) {
                    node.requests().delay(delay);
                }
                return node;
            });
        }
        return builder.connect();
    }

    @Test
    void c11_closingAtAnyMomentLeavesNoThreadNoStageAndNoKey() {
        for (int round = 0; round < ROUNDS; round++) {
            new Round(SEED + round).play();
            if (round % THREADS_LOOKED_FOR_EVERY == 0 || round == ROUNDS - 1) {
                await().atMost(LONGEST).until(() -> clientThreads() <= before);
            }
        }
    }

    /** Two clients under load, closed one after the other. */
    private static final class Round {

        private final long seed;
        private final SplittableRandom random;
        private final Queue<CompletableFuture<?>> stages = new ConcurrentLinkedQueue<>();
        private final Queue<Throwable> unexpected = new ConcurrentLinkedQueue<>();
        private final List<Thread> threads = new ArrayList<>();

        Round(long seed) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
        }

        void play() {
            Duration delay = random.nextBoolean() ? Duration.ZERO : Duration.ofNanos(random.nextLong(1_000_000));
            List<Holdfast> clients = List.of(client(delay), client(Duration.ZERO));
            for (int thread = 0; thread < THREADS; thread++) {
                User user = new User(clients.get(thread % 2), random.split());
                threads.add(new Thread(user, "closed-user-" + thread));
            }
            threads.forEach(Thread::start);
            for (Holdfast client : clients) {
                LockSupport.parkNanos(random.nextLong(3_000_000));
                client.close();
            }
            check();
        }

        private void check() {
            until("a thread waits for ever", () -> threads.stream().noneMatch(Thread::isAlive));
            until("a stage stays open", () -> stages.stream().allMatch(CompletableFuture::isDone));
            assertThat(unexpected).as("seed %d", seed).isEmpty();
            until("a key is left", this::nothingIsLeft);
        }

        private void until(String otherwise, Callable<Boolean> condition) {
            await().alias("seed " + seed + ", " + otherwise)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(LONGEST)
                    .until(condition);
        }

        private boolean nothingIsLeft() {
            try (Holdfast onlooker = client(Duration.ZERO)) {
                for (String name : onlooker.admin().list("", 1_000).names()) {
                    var status = onlooker.admin().status(name);
                    if (!status.waiters().isEmpty() || !status.holders().isEmpty()) {
                        return false;
                    }
                }
                return true;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Uses one recipe after the other until its client is closed. */
        private final class User implements Runnable {

            private final Holdfast client;
            private final SplittableRandom chance;
            private int made;

            User(Holdfast client, SplittableRandom chance) {
                this.client = client;
                this.chance = chance;
            }

            @Override
            public void run() {
                try {
                    while (true) {
                        use(chance.nextInt(14));
                    }
                } catch (HoldfastClosedException e) {
                    // the expected exception
                } catch (Throwable thrown) {
                    unexpected.add(thrown);
                }
            }

            private void use(int recipe) throws Exception {
                try {
                    useNow(recipe);
                } catch (HoldfastClosedException e) {
                    throw e;
                } catch (HoldfastException e) {
                    // a lease that was lost, or nodes that were closed just now
                }
            }

            private DistributedLock lock(String name) {
                return client.lock(name).localHandOver(chance.nextBoolean());
            }

            private void useNow(int recipe) throws Exception {
                switch (recipe) {
                    case 0 -> lock("a").acquire().release();
                    case 1 -> lock("b").mode(LockMode.PR).acquire(FOREVER).close();
                    case 2 -> client.locks("a", "b", "c").acquire(FOREVER).close();
                    case 3 -> client.locks("c", "d").tryAcquire().close();
                    case 4 -> client.semaphore("s", 2).acquire(FOREVER).close();
                    case 5 -> client.semaphore("s", 2).tryAcquire().close();
                    case 6 ->
                        client.once("once-" + chance.nextInt(3), Duration.ofMillis(1))
                                .run(FOREVER, lease -> {});
                    case 7 -> threadLock();
                    case 8 -> readWriteLock();
                    case 9 -> elections();
                    case 10 -> lock("d").run(FOREVER, Lease::ensureHeld);
                    case 11 -> keep(client.locks("a", "b").tryAcquireAsync(FOREVER), MultiAcquisition::close);
                    case 12 -> keep(client.semaphore("s", 2).tryAcquireAsync(FOREVER), Acquisition::close);
                    default -> keep(lock("a").tryAcquireAsync(FOREVER), this::useAsync);
                }
            }

            /** Keeps some of the stages that continue without this thread, a few at a time. */
            private <T> void keep(CompletableFuture<T> future, Consumer<T> end) {
                stages.add(future);
                stages.add(future.thenAccept(end).handle((none, failure) -> none));
                if (++made % 4 == 0) {
                    future.handle((value, failure) -> failure).join();
                }
            }

            private void useAsync(Acquisition acquisition) {
                if (acquisition.isHeld()) {
                    Lease lease = acquisition.lease();
                    stage(lease.extendAsync(Duration.ofSeconds(6)));
                    stage(lease.writeValueAsync("v"));
                    stage(lease.releaseAsync());
                }
            }

            private void stage(CompletionStage<?> stage) {
                stages.add(stage.toCompletableFuture());
            }

            private void threadLock() {
                ThreadLock lock = client.lock("t").asReentrantLock();
                lock.lock();
                lock.lock();
                lock.unlock();
                lock.unlock();
            }

            private void readWriteLock() {
                ThreadReadWriteLock lock = client.lock("t").asReadWriteLock();
                ThreadLock part = chance.nextBoolean() ? lock.readLock() : lock.writeLock();
                part.lock();
                part.unlock();
            }

            private void elections() {
                Candidacy candidacy = client.election("e").stand(leadership -> stage(leadership.writeStateAsync("s")));
                if (chance.nextBoolean()) {
                    candidacy.close();
                } else {
                    stage(candidacy.closeAsync());
                }
            }
        }
    }
}
