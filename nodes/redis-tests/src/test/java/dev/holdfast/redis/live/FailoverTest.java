package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.redis.process.RedisCluster;
import dev.holdfast.redis.process.SentinelSet;
import dev.holdfast.testkit.redis.ReplicatedRedis;
import dev.holdfast.testkit.redis.TcpProxy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Tokens rise through failovers that lose acknowledged writes. The replica loses its connection to the primary, and clients continue to take turns at the
 * primary. Then the test promotes the replica, which does not know these turns.
 *
 * <p>{@code -Dholdfast.failovers=70} in place of a few each takes minutes.
 */
@Tag("slow")
class FailoverTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int FAILOVERS = Integer.getInteger("holdfast.failovers", 0);

    /** Turns of each lock that the promoted replica does not know, and turns after that. */
    private static final int LOST_TURNS = 3;

    /** By turns the primary is cut off, so that both servers keep their runs, and is killed. */
    @Test
    void b6_tokensRiseWhereAReplicaIsPromotedBehindAStableAddress(TestReporter reporter) throws Exception {
        int failovers = failovers(4);
        try (ReplicatedRedis redis = ReplicatedRedis.start();
                Turns turns = new Turns(locks(3), redis.uri().toString())) {
            for (int i = 0; i < failovers; i++) {
                turns.awaitMore(LOST_TURNS);
                redis.fallBehind();
                turns.awaitMore(LOST_TURNS);
                if (i % 2 == 0) {
                    redis.switchOver();
                } else {
                    redis.failOver();
                }
                turns.awaitMore(LOST_TURNS);
                redis.replace();
            }
            check(turns, failovers, reporter);
        }
    }

    @Test
    void b6_tokensRiseWhereSentinelsPromoteAReplica(TestReporter reporter) throws Exception {
        int failovers = failovers(2);
        try (SentinelSet redis = SentinelSet.start();
                Turns turns = new Turns(locks(3), redis.uri())) {
            for (int i = 0; i < failovers; i++) {
                turns.awaitMore(LOST_TURNS);
                redis.fallBehind();
                turns.awaitMore(LOST_TURNS);
                redis.failOver();
                turns.awaitMore(LOST_TURNS);
                redis.replace();
            }
            check(turns, failovers, reporter);
        }
    }

    /** By turns the master is killed, and an operator lets a replica take over from a master that runs on. */
    @Test
    void b6_tokensRiseWhereAClusterPromotesAReplica(TestReporter reporter) throws Exception {
        int failovers = failovers(2);
        try (RedisCluster redis = RedisCluster.start();
                Turns turns = new Turns(locks(9), redis.uri())) {
            for (int i = 0; i < failovers; i++) {
                int shard = i % RedisCluster.SHARDS;
                turns.awaitMore(LOST_TURNS);
                redis.fallBehind(shard);
                turns.awaitMore(LOST_TURNS);
                if (i % 2 == 0) {
                    redis.takeOver(shard);
                } else {
                    redis.failOver(shard);
                }
                turns.awaitMore(LOST_TURNS);
                redis.replace(shard);
            }
            check(turns, failovers, reporter);
        }
    }

    /**
     * The holder has the votes of the first two nodes. The first is replaced by its replica, which does not know its vote, and the third has not voted:
     * together they are a majority.
     */
    @Test
    void b6_aPromotedReplicaOfAQuorumDoesNotVoteForASecondHolder() throws Exception {
        Duration ttl = Duration.ofSeconds(4);
        try (ReplicatedRedis first = ReplicatedRedis.start();
                ReplicatedRedis second = ReplicatedRedis.start();
                ReplicatedRedis third = ReplicatedRedis.start();
                TcpProxy nowhere = TcpProxy.to(third.primary())) {
            nowhere.refuse();
            await().atMost(SOON).until(() -> isOlderThan(ttl, first, second, third));
            try (Holdfast holder = client(ttl, first.uri(), second.uri(), nowhere.uri());
                    Holdfast other = client(ttl, first.uri(), second.uri(), third.uri())) {
                try (Lease warm = other.lock("warm").acquire(SOON)) {
                    assertThat(warm.isHeld()).isTrue();
                }
                first.fallBehind();
                Lease lease = holder.lock("it").acquire(SOON);
                assertThat(first.primary().keys("lock:it")).hasSize(1);
                first.failOver();
                assertThat(first.primary().keys("lock:it"))
                        .as("the vote is lost")
                        .isEmpty();

                try (Acquisition acquisition = other.lock("it").tryAcquire(ttl.dividedBy(2))) {
                    assertThat(acquisition.isHeld() && lease.isHeld())
                            .as("two holders at once, %s and %s", lease, acquisition)
                            .isFalse();
                }
            }
        }
    }

    /** So that no server is in quarantine for its age. */
    private static boolean isOlderThan(Duration age, ReplicatedRedis... nodes) {
        return Stream.of(nodes)
                .flatMap(node -> Stream.of(node.primary(), node.replica()))
                .allMatch(server -> server.info().uptime().compareTo(age.plusSeconds(2)) >= 0);
    }

    private static Holdfast client(Duration ttl, URI... nodes) {
        return Holdfast.builder()
                .nodes(Stream.of(nodes).map(URI::toString).toList())
                .lockOptions(options -> options.ttl(ttl).autoExtend(false))
                .fenceRetention(Duration.ofMinutes(1))
                .connect();
    }

    private static int failovers(int usual) {
        return FAILOVERS == 0 ? usual : FAILOVERS;
    }

    /** Names that lie at all three masters of a cluster. */
    private static List<String> locks(int count) {
        return IntStream.range(0, count).mapToObj(i -> "lock:" + i).toList();
    }

    private static void check(Turns turns, int failovers, TestReporter reporter) {
        reporter.publishEntry(failovers + " failovers, " + turns.watch.turns() + " turns, "
                + turns.watch.violations().size() + " tokens that did not rise");
        assertThat(turns.watch.violations()).isEmpty();
    }
}
