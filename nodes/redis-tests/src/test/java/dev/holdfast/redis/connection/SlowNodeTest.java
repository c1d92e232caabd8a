package dev.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import dev.holdfast.redis.NodeUser;
import dev.holdfast.redis.RedisNodeProvider;
import dev.holdfast.redis.process.Direction;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.testkit.RecordingListener;
import dev.holdfast.testkit.redis.TcpProxy;
import dev.holdfast.time.Timing;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A server that is slow but alive: answers keep coming, so the connection stays, and callers that time out retry. */
class SlowNodeTest {

    private static final NodeOptions HASTY = NodeOptions.defaults().connectTimeout(Duration.ofMillis(500));
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int MANY = 2 * Link.MOST_WHILE_BEHIND;
    private static final int ROUND = 500;

    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private int sent;

    private CompletionStage<AcquireAnswer> ask(NodeUser user) {
        unanswered.incrementAndGet();
        OwnerId owner = user.newOwner();
        return user.node
                .acquire(AcquireRequest.forVote("lock:" + sent++, owner, LockMode.EX, NodeUser.TTL_MILLIS, 10_000, 1))
                .whenComplete((answer, thrown) -> {
                    unanswered.decrementAndGet();
                    if (answer instanceof Unavailable unavailable) {
                        assertThat(unavailable.maybeExecuted()).isFalse();
                        assertThat(unavailable.reason()).contains("the server is behind");
                        refused.incrementAndGet();
                    }
                });
    }

    /** One round of callers that all have given the round before up. */
    private void askRound(NodeUser user) {
        for (int i = 0; i < ROUND; i++) {
            ask(user);
        }
    }

    @Test
    void requestsToAServerThatIsBehindAreBounded() {
        try (RedisProcess server = RedisProcess.start();
                TcpProxy proxy = TcpProxy.to(server);
                NodeUser user = NodeUser.open(proxy.uri().toString(), HASTY, 0).connected()) {
            OwnerId holder = user.newOwner();
            assertThat(user.acquire("lock:held", holder)).isInstanceOf(Granted.class);
            OwnerId reader = user.newOwner();
            Granted shared = (Granted) NodeUser.answer(user.node.acquire(
                    AcquireRequest.forVote("lock:read", reader, LockMode.PR, NodeUser.TTL_MILLIS, 10_000, 1)));
            proxy.throttle(10_000, Direction.TO_CLIENT);
            await("new requests are refused")
                    .atMost(SOON)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> {
                        if (unanswered.get() < MANY) {
                            askRound(user);
                        } else {
                            ask(user); // a starved client takes its time to find that the server is behind
                        }
                        return refused.get() > 0;
                    });
            int outstanding = unanswered.get();
            for (int round = 0; round < 20; round++) {
                askRound(user);
            }

            assertThat(refused.get())
                    .as("refused of %s, unanswered %s", sent, unanswered)
                    .isGreaterThan(ROUND);
            assertThat(unanswered.get()).isLessThanOrEqualTo(outstanding + ROUND);
            CompletionStage<AcquireAnswer> extended = user.node.acquire(
                    AcquireRequest.forVote("lock:read", reader, LockMode.PR, NodeUser.TTL_MILLIS, 10_000, 1)
                            .extending(shared.fence(), null));
            CompletionStage<ReleaseAnswer> released = user.node.release(new ReleaseRequest("lock:held", holder, 0));
            proxy.pass();
            await().atMost(SOON).until(() -> unanswered.get() == 0);
            assertThat(NodeUser.answer(extended))
                    .as("extensions of shared leases are not refused")
                    .isInstanceOf(Granted.class);
            assertThat(NodeUser.answer(released))
                    .as("releases are not refused")
                    .isInstanceOf(ReleaseAnswer.Released.class);
            await("it is asked again")
                    .atMost(SOON)
                    .until(() -> user.acquire("lock:held", user.newOwner()) instanceof Granted);
        }
    }

    @Test
    void c11_aListOfAServerThatFallsSilentEnds() {
        try (RedisProcess server = RedisProcess.start();
                TcpProxy proxy = TcpProxy.to(server);
                NodeUser user = NodeUser.open(proxy.uri().toString(), HASTY, 0).connected()) {
            proxy.blackHole(Direction.TO_CLIENT);
            CompletableFuture<ListAnswer> list = user.node.list("lock:", 10).toCompletableFuture();

            await("the connection is taken for dead").atMost(SOON).until(list::isDone);
            assertThat(list.join()).isInstanceOf(Unavailable.class);
        }
    }

    @Test
    void c11_anAnswerThatFailsWhileItIsReadEndsItsRequest() {
        AtomicBoolean failing = new AtomicBoolean();
        Timing timing = Timing.system("failing-check");
        try (RedisProcess server = RedisProcess.start();
                LockNode node = new RedisNodeProvider()
                        .open(
                                server.uri().toString(),
                                new NodeContext(
                                        "test~0123456789abcdef",
                                        new RecordingListener(),
                                        NodeOptions.defaults(),
                                        timing,
                                        new NodeContext.Times(
                                                ttlMillis -> {
                                                    if (failing.get()) {
                                                        throw new IllegalStateException("a test");
                                                    }
                                                    return 0;
                                                },
                                                3_600_000,
                                                NodeUser.TTL_MILLIS),
                                        3))) {
            await().atMost(SOON).until(() -> NodeUser.answer(node.status()).state() == NodeStatus.State.UP);
            OwnerId owner = new OwnerId("test~0123456789abcdef", 1, 0);
            Granted granted = (Granted) NodeUser.answer(
                    node.acquire(AcquireRequest.forVote("lock:x", owner, LockMode.EX, NodeUser.TTL_MILLIS, 10_000, 1)));
            server.pause();
            CompletableFuture<AcquireAnswer> extended = node.acquire(
                            AcquireRequest.forVote("lock:x", owner, LockMode.EX, NodeUser.TTL_MILLIS, 10_000, 1)
                                    .extending(granted.fence(), null))
                    .toCompletableFuture();
            failing.set(true);
            server.resume();

            await("it ends").atMost(Duration.ofSeconds(10)).until(extended::isDone);
            assertThat(extended.join()).isInstanceOf(Unavailable.class);
        } finally {
            timing.scheduler().close();
        }
    }

    @Test
    void c11_aNodeWhoseListenerFailsWhileItConnectsTriesAgain() {
        AtomicInteger failures = new AtomicInteger();
        RecordingListener told = new RecordingListener();
        NodeListener failing = (NodeListener) Proxy.newProxyInstance(
                NodeListener.class.getClassLoader(),
                new Class<?>[] {NodeListener.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("identified")) {
                        return method.invoke(told, arguments);
                    }
                    if (failures.getAndIncrement() == 0) {
                        throw new IllegalStateException("a test");
                    }
                    return null;
                });
        Timing timing = Timing.system("failing-listener");
        try (RedisProcess server = RedisProcess.start();
                LockNode node = new RedisNodeProvider()
                        .open(
                                server.uri().toString(),
                                new NodeContext(
                                        "test~0123456789abcdef",
                                        failing,
                                        NodeOptions.defaults(),
                                        timing,
                                        new NodeContext.Times(ttlMillis -> 0, 3_600_000, NodeUser.TTL_MILLIS),
                                        3))) {
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> NodeUser.answer(node.status()).state() == NodeStatus.State.UP);
            assertThat(failures.get()).isGreaterThan(1);
        } finally {
            timing.scheduler().close();
        }
    }

    @Test
    void aBurstIsNotRefused() {
        try (RedisProcess server = RedisProcess.start();
                NodeUser user = NodeUser.open(server.uri().toString(), HASTY, 0).connected()) {
            List<CompletableFuture<AcquireAnswer>> answers = new ArrayList<>();
            for (int i = 0; i < 2 * Link.MOST_WHILE_BEHIND; i++) {
                answers.add(ask(user).toCompletableFuture());
            }
            await().atMost(SOON).until(() -> unanswered.get() == 0);
            assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isInstanceOf(Granted.class));
        }
    }
}
