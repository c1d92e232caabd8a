package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The resources that must not remain in the end: keys, threads, connections. */
@Tag("slow")
class NothingLeftTest {

    private static final long BRIEF_MILLIS = 2_000;

    @Test
    void everyKeyExpires() throws Exception {
        try (TestServer server = TestServer.start();
                NodeUser user = NodeUser.open(server.nodeUri()).connected()) {
            var redis = server.commands();
            for (LockMode mode : LockMode.values()) {
                acquire(user, "lock:" + mode, user.newOwner(), mode);
                acquire(user, "lock:" + mode, user.newOwner(), LockMode.PW);
                acquire(user, "lock:{x}" + mode, user.newOwner(), mode);
                acquire(user, "lock:{x}" + mode, user.newOwner(), LockMode.EX);
                NodeUser.answer(user.node.release(new ReleaseRequest("lock:" + mode, user.newOwner(), BRIEF_MILLIS)));
                NodeUser.answer(user.node.release(new ReleaseRequest(
                        "lock:s" + mode, user.newOwner(), 0, Seal.now(user.newOwner(), BRIEF_MILLIS))));
            }
            assertThat(redis.dbsize()).isGreaterThan(20);
            assertThat(redis.keys("*")).allMatch(key -> redis.pttl(key) != -1);
            await().until(() ->
                    redis.keys("*").stream().allMatch(key -> key.contains("fence") || key.contains(":ttl")));
        }
    }

    private static Object acquire(NodeUser user, String resource, OwnerId owner, LockMode mode) {
        return NodeUser.answer(
                user.node.acquire(AcquireRequest.forQueuedVote(resource, owner, mode, BRIEF_MILLIS, BRIEF_MILLIS, 1)));
    }

    @Test
    void manyWaitersGoInOrderAndLeaveNothing() throws Exception {
        int waiters = 10_000;
        try (TestServer server = TestServer.start();
                NodeUser user = NodeUser.open(server.nodeUri()).connected()) {
            OwnerId[] owners = new OwnerId[waiters];
            for (int i = 0; i < waiters; i++) {
                owners[i] = user.newOwner();
                user.node.acquire(AcquireRequest.forQueuedVote("lock:a", owners[i], LockMode.EX, 60_000, 60_000, 1));
            }
            Granted first = (Granted) user.acquire("lock:a", owners[0]);
            long fence = first.fence();
            assertThat(((Queued) user.acquire("lock:a", owners[waiters - 1], LockMode.EX, true)).place())
                    .isEqualTo(waiters - 1);
            for (OwnerId owner : owners) {
                user.node.release(new ReleaseRequest("lock:a", owner, 0));
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> user.told.count("granted") == waiters - 1);
            assertThat(user.told.lines.stream().filter(line -> line.startsWith("granted")))
                    .element(waiters - 2)
                    .isEqualTo("granted lock:a " + owners[waiters - 1] + " " + (fence + waiters - 1));
            assertThat(server.commands().keys("*"))
                    .containsExactlyInAnyOrder(
                            "{lock:a}:holdfast:fence", "{lock:a}:holdfast:others", "{lock:a}:holdfast:ttl");
            OwnerId last = user.newOwner();
            user.acquire("lock:a", last);
            user.release("lock:a", last);
            assertThat(server.commands().keys("*"))
                    .containsExactlyInAnyOrder("{lock:a}:holdfast:fence", "{lock:a}:holdfast:ttl");
        }
    }

    @Test
    void theLastNodeTakesLettucesThreadsWithIt() throws Exception {
        try (TestServer server = TestServer.start()) {
            server.client().shutdown();
            Set<Thread> before = threads();
            NodeUser first = NodeUser.open(server.nodeUri()).connected();
            NodeUser second = NodeUser.open(server.nodeUri()).connected();
            int open = threads().size();
            try (NodeUser third = NodeUser.open(server.nodeUri()).connected()) {
                assertThat(threads()).as("no thread per node").hasSizeLessThanOrEqualTo(open + 2);
            }
            first.close();
            assertThat(second.acquire("lock:a", second.newOwner())).isInstanceOf(Granted.class);
            second.close();
            await().atMost(Duration.ofSeconds(30)).until(() -> before.containsAll(threads()));
        }
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread ->
                        thread.getName().contains("lettuce") || thread.getName().startsWith("test"))
                .collect(Collectors.toSet());
    }
}
