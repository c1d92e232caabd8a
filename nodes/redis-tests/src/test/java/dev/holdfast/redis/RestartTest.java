package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Quarantined;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.OwnerId;
import dev.holdfast.redis.process.RedisOptions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that comes back with what it knew some time ago (PROTOCOL §5). */
@Tag("slow")
class RestartTest {

    private static final String FENCE = "{lock:a}:holdfast:fence";

    private TestServer server = TestServer.start(RedisOptions.defaults().appendOnly(true));
    private int connections = 1;

    @AfterEach
    void stopServer() {
        server.close();
    }

    private NodeUser open() {
        return NodeUser.open(server.nodeUri()).connected();
    }

    /** It is killed, and its file has this as the last value of the fence. */
    private void restartWithFence(NodeUser user, String older) {
        server.commands().set(FENCE, older);
        server.process.restart();
        user.awaitTold("available", ++connections);
    }

    private long take(NodeUser user) {
        OwnerId owner = user.newOwner();
        long fence = ((Granted) user.acquire("lock:a", owner)).fence();
        user.release("lock:a", owner);
        return fence;
    }

    @Test
    void tokensRiseThoughTheLatestWereForgotten() {
        try (NodeUser user = open()) {
            for (int run = 0; run < 4; run++) {
                long first = take(user);
                take(user);
                long last = take(user);
                restartWithFence(user, Long.toString(first));
                assertThat(take(user)).as("after restart %d", run).isGreaterThan(last);
            }
        }
    }

    @Test
    void whoWaitedGetsATokenThatRisesToo() {
        try (NodeUser user = open()) {
            long first = take(user);
            long last = take(user);
            OwnerId holder = user.newOwner();
            OwnerId waiter = user.newOwner();
            user.acquire("lock:a", holder);
            assertThat(user.acquire("lock:a", waiter, LockMode.EX, true)).isInstanceOf(Queued.class);
            restartWithFence(user, Long.toString(first));

            user.release("lock:a", holder);

            assertThat(((Granted) user.acquire("lock:a", waiter)).fence()).isGreaterThan(last + 1);
        }
    }

    @Test
    void aVoteIsHealedOverAnOlderFenceAndTheNextTokenIsAboveAllThatWereGiven() {
        try (NodeUser user = open()) {
            long first = take(user);
            take(user);
            OwnerId owner = user.newOwner();
            long token = ((Granted) user.acquire("lock:a", owner)).fence();
            server.commands().del("lock:a");
            restartWithFence(user, Long.toString(first));

            Granted healed = (Granted) user.extend("lock:a", owner, token, NodeUser.TTL_MILLIS);

            assertThat(healed.fence()).isGreaterThan(token);
            user.release("lock:a", owner);
            assertThat(take(user)).isEqualTo(healed.fence() + 1);
        }
    }

    @Test
    void whoConnectsLaterDoesNotRaiseTheFence() {
        await().until(() -> server.process.info().uptime().compareTo(Duration.ofSeconds(2)) >= 0);
        long first;
        try (NodeUser user = open()) {
            first = take(user);
        }
        await().until(() -> server.process.info().uptime().compareTo(Duration.ofSeconds(4)) >= 0);
        try (NodeUser later = open()) {
            assertThat(take(later)).isEqualTo(first + 1);
        }
    }

    /** Its uptime is the difference of two clocks of whole seconds, so one that was started at the end of a second is soon a second old. */
    @Test
    void aServerIsNotTakenForOlderThanItIs() {
        server.close();
        await().pollInterval(Duration.ofMillis(5)).until(() -> System.currentTimeMillis() % 1_000 > 850);
        long before = System.nanoTime();
        server = TestServer.start();
        long second = System.currentTimeMillis() / 1_000;
        await().pollInterval(Duration.ofMillis(5)).until(() -> System.currentTimeMillis() / 1_000 > second);

        try (NodeUser user =
                NodeUser.open(server.nodeUri(), NodeOptions.defaults(), 60_000).connected()) {
            Quarantined answer = (Quarantined) user.acquire("lock:a", user.newOwner());
            long age = (System.nanoTime() - before) / 1_000_000;
            assertThat(answer.remainingMillis()).isGreaterThanOrEqualTo(60_000 - age);
        }
    }
}
