package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Quarantined;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.Epoch;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.time.Ticker;
import dev.holdfast.time.Timing;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that may have lost its state is quarantined (PROTOCOL §5). */
@Tag("slow")
class QuarantineTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60); // for a busy machine
    private static final long QUARANTINE_MILLIS = 60_000;

    private TestServer server;
    private RedisCommands<String, String> redis;

    @BeforeEach
    void startServer() throws Exception {
        server = TestServer.start();
        redis = server.commands();
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    private NodeUser open(long quarantineMillis) {
        return NodeUser.open(server.nodeUri(), NodeOptions.defaults(), quarantineMillis)
                .connected();
    }

    private void declareClean() {
        String runId = redis.info("server")
                .lines()
                .filter(line -> line.startsWith("run_id:"))
                .findFirst()
                .orElseThrow()
                .substring("run_id:".length());
        redis.set(Epoch.KEY, runId + "/by0operator", SetArgs.Builder.px(86_400_000));
    }

    @Test
    void aYoungServerIsNotAskedForVotesButReleasesGoThrough() {
        try (NodeUser user = open(QUARANTINE_MILLIS)) {
            OwnerId owner = user.newOwner();
            redis.set("lock:a", owner.toString());
            Quarantined answer = (Quarantined) user.acquire("lock:a", owner);
            assertThat(answer.remainingMillis()).isBetween(QUARANTINE_MILLIS - 10_000, QUARANTINE_MILLIS);
            assertThat(user.release("lock:a", owner)).isEqualTo(new ReleaseAnswer.Released());
            assertThat(redis.keys("*")).containsExactly(Epoch.KEY);
            assertThat(user.status().state()).isEqualTo(NodeStatus.State.QUARANTINED);
            assertThat(user.status().quarantine()).isPositive();
        }
    }

    /** The attempt releases the vote, because the node says that it does not count: no later waiter waits for it. */
    @Test
    void whatAYoungServerPushesIsPassedOnButDoesNotCount() {
        try (NodeUser waiting = open(QUARANTINE_MILLIS);
                NodeUser other = open(0)) {
            OwnerId holder = other.newOwner();
            OwnerId waiter = waiting.newOwner();
            assertThat(other.acquire("lock:a", holder)).isInstanceOf(Granted.class);
            other.acquire("lock:a", waiter, LockMode.EX, true); // as if the server had kept it through a restart

            other.release("lock:a", holder);

            waiting.awaitTold("granted", 1);
            assertThat(waiting.node.quarantineMillis(500)).isPositive();
        }
    }

    /** Clients with a shorter quarantine count its next grant, and the fences of a later run must be above it. */
    @Test
    void a5_aReleaseOfAClientWithALongQuarantineGrantsNoFenceOfTheFuture() {
        try (NodeUser patient = open(QUARANTINE_MILLIS);
                NodeUser other = open(0)) {
            OwnerId holder = patient.newOwner();
            OwnerId waiter = other.newOwner();
            redis.set("lock:a", holder.toString(), SetArgs.Builder.px(60_000));
            other.acquire("lock:a", waiter, LockMode.EX, true);

            assertThat(patient.release("lock:a", holder)).isEqualTo(new ReleaseAnswer.Released());

            assertThat(redis.get("lock:a")).isEqualTo(waiter.toString());
            long next = Long.parseLong(redis.time().get(0)) + 1;
            assertThat(Long.parseLong(redis.get("{lock:a}:holdfast:fence"))).isLessThan(next << 20);
        }
    }

    @Test
    void aQuarantinedServerExtendsTheVoteThatItHas() {
        try (NodeUser user = open(QUARANTINE_MILLIS);
                NodeUser other = open(0)) {
            OwnerId owner = user.newOwner();
            Granted granted = (Granted) other.acquire("lock:a", owner);
            assertThat(NodeUser.answer(user.node.acquire(extension(owner, granted.fence()))))
                    .isInstanceOf(Granted.class);
            other.release("lock:a", owner);
            assertThat(NodeUser.answer(user.node.acquire(extension(owner, granted.fence()))))
                    .as("nothing is healed")
                    .isInstanceOf(Quarantined.class);
            assertThat(redis.get("lock:a")).isNull();
        }
    }

    private static AcquireRequest extension(OwnerId owner, long fence) {
        return AcquireRequest.forVote("lock:a", owner, LockMode.EX, 60_000, 500, 1)
                .extending(fence, null);
    }

    @Test
    void whatAServerOfAgePushesDoes() {
        declareClean();
        try (NodeUser waiting = open(QUARANTINE_MILLIS);
                NodeUser other = open(0)) {
            OwnerId holder = other.newOwner();
            OwnerId waiter = waiting.newOwner();
            assertThat(other.acquire("lock:a", holder)).isInstanceOf(Granted.class);
            other.acquire("lock:a", waiter, LockMode.EX, true);

            other.release("lock:a", holder);

            waiting.awaitTold("granted", 1);
        }
    }

    @Test
    void aServerThatWasDeclaredCleanVotesAtOnce() {
        declareClean();
        try (NodeUser user = open(QUARANTINE_MILLIS)) {
            assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Granted.class);
            assertThat(user.status().state()).isEqualTo(NodeStatus.State.UP);
        }
    }

    @Test
    void whoIsInQuarantineLearnsThatItWasDeclaredClean() {
        try (NodeUser user = open(QUARANTINE_MILLIS)) {
            assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Quarantined.class);
            declareClean();
            await().until(() -> acquireBriefly(user) instanceof Granted);
            user.awaitTold("available", 2);
        }
    }

    @Test
    void quarantineEndsWithTimeAndWaitersAreTold() {
        try (NodeUser user = open(5_000)) {
            assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Quarantined.class);
            await().atMost(Duration.ofSeconds(30)).until(() -> user.told.count("available") >= 2);
            assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Granted.class);
            assertThat(redis.get(Epoch.KEY))
                    .as("the memory is watched from now on")
                    .isNotNull();
            assertThat(redis.pttl(Epoch.KEY)).isBetween(50_000L, 120_000L);
        }
    }

    @Test
    void aRestartWithoutMemoryIsQuarantined() throws Exception {
        declareClean();
        try (NodeUser user = open(QUARANTINE_MILLIS)) {
            assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Granted.class);
            server.process.restart();
            user.awaitTold("available", 2);
            assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Quarantined.class);
        }
    }

    @Test
    void flushedMemoryIsQuarantinedForAllClients() {
        declareClean();
        try (NodeUser user = open(QUARANTINE_MILLIS);
                NodeUser other = open(QUARANTINE_MILLIS)) {
            assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Granted.class);
            assertThat(other.acquire("lock:b", other.newOwner())).isInstanceOf(Granted.class);
            redis.flushall();
            await().atMost(PATIENCE).until(() -> acquireBriefly(user) instanceof Quarantined);
            await().until(() -> acquireBriefly(other) instanceof Quarantined);
            assertThat(Epoch.parse(redis.get(Epoch.KEY)).orElseThrow().isDeclaredClean())
                    .isFalse();
            try (NodeUser late = open(QUARANTINE_MILLIS)) {
                assertThat(late.acquire("lock:c", late.newOwner())).isInstanceOf(Quarantined.class);
            }
        }
    }

    @Test
    void whoComesBackFromIdlingNoticesBeforeItsFirstVoteCounts() {
        declareClean();
        try (NodeUser user = open(QUARANTINE_MILLIS)) {
            redis.flushall();
            AcquireAnswer first = user.acquire("lock:a", user.newOwner());
            assertThat(first).isInstanceOfAny(Granted.class, Quarantined.class);
            assertThat(user.node.quarantineMillis(500))
                    .as("known when the answer is there: an attempt releases a vote that does not count")
                    .isPositive();
            assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Quarantined.class);
        }
    }

    @Test
    void a1_aStepOfTheClockIsQuarantinedByWhoSawItAndNobodyElse() {
        declareClean();
        AtomicLong behindNanos = new AtomicLong();
        Timing real = Timing.system("test");
        Timing stepping = new Timing(
                new Ticker() {
                    @Override
                    public long nanos() {
                        return real.ticker().nanos() - behindNanos.get();
                    }

                    @Override
                    public long wallMillis() {
                        return real.ticker().wallMillis() - behindNanos.get() / 1_000_000;
                    }
                },
                real.scheduler(),
                real.random());
        try (NodeUser user = new NodeUser(server.nodeUri(), NodeOptions.defaults(), QUARANTINE_MILLIS, stepping);
                NodeUser other = open(QUARANTINE_MILLIS)) {
            user.connected();
            // a vote that lasts: who looks at the clock only now and then, on a busy machine, can't see a step in
            // between
            assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Granted.class);
            assertThat(acquireBriefly(user)).isInstanceOf(Granted.class);
            behindNanos.set(5_000_000_000L); // seen from here, the server's clock is set forward
            await().atMost(PATIENCE).until(() -> acquireBriefly(user) instanceof Quarantined);
            assertThat(acquireBriefly(other))
                    .as("another client has not seen a step")
                    .isInstanceOf(Granted.class);
            assertThat(Epoch.parse(redis.get(Epoch.KEY)).orElseThrow().isDeclaredClean())
                    .as("nothing is published")
                    .isTrue();
        }
    }

    @Test
    void withoutQuarantineNothingIsWatchedOrWritten() {
        try (NodeUser user = open(0)) {
            assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Granted.class);
            redis.flushall();
            assertThat(acquireBriefly(user)).isInstanceOf(Granted.class);
            assertThat(redis.exists(Epoch.KEY)).isZero();
        }
    }

    /** Where no timer is left and no answer is due, nothing can be sent before the next request. */
    @Test
    void nothingIsSentWhileIdle() {
        declareClean();
        Timing real = Timing.system("test");
        PendingTimers timers = new PendingTimers(real.scheduler());
        try (NodeUser user = new NodeUser(
                server.nodeUri(),
                NodeOptions.defaults(),
                QUARANTINE_MILLIS,
                new Timing(real.ticker(), timers, real.random()))) {
            user.connected();
            long before = scriptsRun();
            acquire(user, 2_000);
            assertThat(timers.pending()).as("the watch is on").isPositive();
            await("more than the request, and the look before it").until(() -> scriptsRun() > before + 2);

            await("no timer is left").atMost(Duration.ofSeconds(30)).until(() -> timers.pending() == 0);

            long idle = scriptsRun();
            user.inspect("lock:brief");
            assertThat(scriptsRun())
                    .as("the request alone, which comes after all before it")
                    .isEqualTo(idle + 1);
            await("no timer is left").atMost(Duration.ofSeconds(30)).until(() -> timers.pending() == 0);
        }
    }

    private long scriptsRun() {
        String stats = redis.info("commandstats");
        return stats.lines()
                .filter(line -> line.startsWith("cmdstat_evalsha:calls="))
                .mapToLong(line -> Long.parseLong(line.replaceAll("cmdstat_evalsha:calls=([0-9]+),.*", "$1")))
                .sum();
    }

    private static Object acquireBriefly(NodeUser user) {
        return acquire(user, 500);
    }

    private static Object acquire(NodeUser user, long ttlMillis) {
        return NodeUser.answer(user.node.acquire(
                AcquireRequest.forVote("lock:brief", user.newOwner(), LockMode.NL, ttlMillis, 500, 1)));
    }
}
