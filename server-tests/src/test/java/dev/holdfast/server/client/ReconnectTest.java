package dev.holdfast.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.Unavailable;
import dev.holdfast.testkit.RecordingListener;
import dev.holdfast.time.Scheduler;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reconnects of a client to an address where no Holdfast server answers, and their reports. */
class ReconnectTest {

    private static final Duration CONNECT_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Timing real = Timing.system("reconnect");
    private final Retries retries = new Retries();
    private final RecordingListener listener = new RecordingListener();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile int status = 401;
    private HttpServer server;

    /** A scheduler that keeps the delays of retries and fires each on request of the test; all other timers never fire. */
    private final class Retries implements Scheduler {

        final List<Long> delayMillis = new CopyOnWriteArrayList<>();
        final List<Runnable> tasks = new CopyOnWriteArrayList<>();

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            if (delayNanos % 1_000_000 != 1) {
                return () -> {};
            }
            tasks.add(task);
            delayMillis.add(delayNanos / 1_000_000);
            return () -> tasks.remove(task);
        }

        void fire(int number) {
            await("retry " + number).atMost(PATIENCE).until(() -> delayMillis.size() > number);
            tasks.remove(0).run();
        }

        @Override
        public void execute(Runnable task) {
            real.scheduler().execute(task);
        }

        @Override
        public void start(String name, Runnable task) {
            real.scheduler().start(name, task);
        }

        @Override
        public void close() {
            real.scheduler().close();
        }
    }

    /** Delays are drawn from a range; this draws the shortest plus one nanosecond, which distinguishes a retry from other timers. */
    private static final RandomGenerator SHORTEST = () -> 2;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.incrementAndGet();
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
        real.scheduler().close();
    }

    private LockNode open() {
        NodeContext context = new NodeContext(
                "tester@host~00000001",
                listener,
                NodeOptions.defaults().connectTimeout(CONNECT_TIMEOUT),
                new Timing(real.ticker(), retries, SHORTEST),
                new NodeContext.Times(ttl -> 0, 86_400_000, 30_000),
                3);
        return new RemoteNodeProvider()
                .open("holdfast://localhost:" + server.getAddress().getPort(), context);
    }

    private static <T> T answer(java.util.concurrent.CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    @Test
    void aRefusalIsRetriedAfterHalfASecondAndThenLessAndLessOften() {
        LockNode node = open();
        try {
            for (int retry = 0; retry < 7; retry++) {
                retries.fire(retry);
            }
            await().atMost(PATIENCE).until(() -> asked.get() == 8);

            await().atMost(PATIENCE).until(() -> retries.delayMillis.size() == 8);
            assertThat(retries.delayMillis).containsExactly(250L, 500L, 1_000L, 2_000L, 4_000L, 5_000L, 5_000L, 5_000L);
            assertThat(listener.connection()).as("told once").hasSize(1);
        } finally {
            node.close();
        }
    }

    @Test
    void anAddressWhereNobodyListensIsRetriedSooner() {
        server.stop(0);
        LockNode node = open();
        try {
            for (int retry = 0; retry < 8; retry++) {
                retries.fire(retry);
            }
            await().atMost(PATIENCE).until(() -> retries.delayMillis.size() == 9);

            assertThat(retries.delayMillis).containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 320L, 500L, 500L);
            assertThat(listener.connection()).as("told once").hasSize(1);
            assertThat(answer(node.inspect("a")))
                    .isEqualTo(new Unavailable(
                            "not connected: connection refused: no server listens at this address", false));
        } finally {
            node.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "401, REFUSED, wants a token",
        "403, REFUSED, lacks a right",
        "404, REFUSED, no Holdfast server at this address",
        "421, REFUSED, answers only requests to localhost",
        "500, DOWN, HTTP 500",
        "503, DOWN, HTTP 503",
        "200, DOWN, HTTP 200"
    })
    void aRefusalSaysWhatCanHelp(int refusal, NodeStatus.State state, String words) {
        status = refusal;
        LockNode node = open();
        try {
            await().atMost(PATIENCE).until(() -> !retries.tasks.isEmpty());

            NodeStatus told = answer(node.status());
            assertThat(told.state()).isEqualTo(state);
            assertThat(told.detail()).contains(words);
        } finally {
            node.close();
        }
    }

    @Test
    void aNewReasonIsToldAndTheSameOneIsNot() {
        LockNode node = open();
        try {
            retries.fire(0);
            retries.fire(1);
            await().atMost(PATIENCE).until(() -> retries.delayMillis.size() == 3);
            assertThat(listener.connection()).hasSize(1);
            status = 503;
            retries.fire(2);

            await().atMost(PATIENCE).until(() -> listener.connection().size() == 2);
        } finally {
            node.close();
        }
    }

    @Test
    void aClosedNodeDoesNotConnectAgain() {
        LockNode node = open();
        await().atMost(PATIENCE).until(() -> !retries.tasks.isEmpty());
        Runnable late = retries.tasks.get(0);
        int before = asked.get();

        node.close();
        assertThat(retries.tasks).as("the retry is cancelled").isEmpty();
        late.run(); // its timer fired at the same moment

        real.scheduler().close();
        assertThat(asked.get()).isEqualTo(before);
        assertThat(answer(node.acquire(dev.holdfast.node.AcquireRequest.forVote(
                        "a",
                        dev.holdfast.node.OwnerId.parse("tester@host~00000001/1/0")
                                .orElseThrow(),
                        dev.holdfast.lock.LockMode.EX,
                        1_000,
                        500,
                        1))))
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        why -> assertThat(why).isEqualTo(new Unavailable("not connected: closed", false)));
    }
}
