package dev.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import dev.holdfast.redis.NodeUser;
import dev.holdfast.redis.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many threads on one connection: all are answered, each in its order, and also when the connection ends meanwhile. */
class ServerConnectionTest {

    private static final int KILLS = 10;
    private static final long PAUSE_NANOS = 1_000_000;
    private static final int THREADS = 8;

    private final AtomicLong attempts = new AtomicLong(1_780_000_000_000_000L);

    private TestServer server;
    private NodeUser user;

    @BeforeEach
    void connect() {
        server = TestServer.start();
        user = NodeUser.open(server.nodeUri()).connected();
    }

    @AfterEach
    void close() {
        user.close();
        server.close();
    }

    private interface Work {
        void of(int thread) throws Exception;
    }

    private static void onThreads(Work work) throws InterruptedException {
        CountDownLatch start = new CountDownLatch(1);
        Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                    work.of(number);
                } catch (Throwable e) {
                    thrown.add(e);
                }
            });
            thread.start();
            threads.add(thread);
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(thrown).isEmpty();
    }

    private CompletableFuture<AcquireAnswer> acquire(String resource, OwnerId owner) {
        return user.node
                .acquire(AcquireRequest.forVote(resource, owner, LockMode.EX, NodeUser.TTL_MILLIS, 10_000, 1))
                .toCompletableFuture();
    }

    private CompletableFuture<ReleaseAnswer> release(String resource, OwnerId owner) {
        return user.node.release(new ReleaseRequest(resource, owner, 0)).toCompletableFuture();
    }

    private OwnerId newOwner() {
        return new OwnerId(user.client, attempts.incrementAndGet(), 0);
    }

    @Test
    void whatAThreadAsksIsCarriedOutInItsOrder() throws Exception {
        onThreads(thread -> {
            String resource = "lock:" + thread;
            List<CompletableFuture<?>> answers = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) { // any two the wrong way round would be denied, or absent
                OwnerId owner = newOwner();
                answers.add(acquire(resource, owner));
                answers.add(release(resource, owner));
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get(10, TimeUnit.SECONDS))
                        .isInstanceOf(i % 2 == 0 ? AcquireAnswer.Granted.class : ReleaseAnswer.Released.class);
            }
        });
    }

    @Test
    void allAreAnsweredHoweverOftenTheConnectionEnds() throws Exception {
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger unavailable = new AtomicInteger();
        CompletableFuture<Void> killer = CompletableFuture.runAsync(() -> {
            for (int kill = 0; kill < KILLS; kill++) {
                int before = answered.get();
                await("answers over a new connection")
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> answered.get() > before + 100);
                server.killClients("default");
            }
        });
        onThreads(thread -> {
            while (!killer.isDone()) {
                List<CompletableFuture<AcquireAnswer>> answers = new ArrayList<>();
                for (int i = 0; i < 64; i++) {
                    answers.add(acquire("lock:" + thread, newOwner()));
                }
                for (CompletableFuture<AcquireAnswer> answer : answers) {
                    AcquireAnswer said = answer.get(10, TimeUnit.SECONDS);
                    (said instanceof Unavailable ? unavailable : answered).incrementAndGet();
                }
                if (answers.get(answers.size() - 1).join() instanceof Unavailable) {
                    // Threads that are refused at once would leave a busy machine no time to connect.
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        });
        killer.join();
        assertThat(answered).hasPositiveValue();
        assertThat(unavailable).hasPositiveValue();
    }

    @Test
    void whatIsUnderWayWhenTheNodeIsClosedIsAnswered() throws Exception {
        CountDownLatch asked = new CountDownLatch(THREADS);
        Thread closer = new Thread(() -> {
            try {
                asked.await();
                user.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        closer.start();
        onThreads(thread -> {
            List<CompletableFuture<AcquireAnswer>> answers = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                answers.add(acquire("lock:" + thread + ":" + i, newOwner()));
                if (i == 100) {
                    asked.countDown();
                }
            }
            for (CompletableFuture<AcquireAnswer> answer : answers) {
                assertThat(answer.get(10, TimeUnit.SECONDS)).isNotNull();
            }
        });
        closer.join();
    }
}
