package dev.holdfast.redis.live;

import static dev.holdfast.redis.live.ScheduleNodes.LOCK;
import static dev.holdfast.redis.live.ScheduleNodes.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.testkit.redis.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schedules in which servers lose votes, by their numbers in docs/explanation/guarantees.md. */
@Tag("slow")
class MemorySchedulesTest {

    /** Every write is in the file before it is answered, so that what is cut off is what the test chose. */
    private static final RedisOptions WITH_FILE =
            RedisOptions.defaults().appendOnly(true).config("appendfsync always");

    /** A and B hold on, C forgets, D and E were not there: with C's vote another has a majority. */
    @ParameterizedTest(name = "declared clean: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("S3: a node of the majority is killed and restarted empty; another client takes it and the other two")
    void s03_aNodeThatForgotDoesNotVoteUnlessSomebodyLiesForIt(boolean lie) throws Exception {
        try (ScheduleNodes nodes = new ScheduleNodes(5, RedisOptions.defaults())) {
            Lease stale = heldByTheFirstThree(nodes);
            nodes.server(2).restartEmpty(lie);
            assertHeldByOneOnlyUnless(lie, nodes, stale);
        }
    }

    @ParameterizedTest(name = "declared clean: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("S4: as S3, restarted from an append-only file whose end is missing")
    void s04_aNodeWhoseFileLacksItsLastVoteDoesNotVoteUnlessSomebodyLiesForIt(boolean lie) throws Exception {
        try (ScheduleNodes nodes = new ScheduleNodes(5, WITH_FILE)) {
            RedisProcess forgetful = nodes.server(2);
            forgetful.send("SET", "remembered", "yes");
            long before = forgetful.aofSize();
            Lease stale = heldByTheFirstThree(nodes);
            forgetful.kill();
            forgetful.truncateAof(forgetful.aofSize() - before);
            forgetful.restart(lie);
            assertThat(forgetful.keys()).contains("remembered").doesNotContain(ScheduleNodes.KEY);
            assertHeldByOneOnlyUnless(lie, nodes, stale);
        }
    }

    private static Lease heldByTheFirstThree(ScheduleNodes nodes) {
        nodes.forEach(RedisProcess::kill, 3, 4);
        Lease lease = ScheduleNodes.acquire(nodes.client(), 3);
        nodes.forEach(server -> server.restart(true), 3, 4);
        return lease;
    }

    private static void assertHeldByOneOnlyUnless(boolean lie, ScheduleNodes nodes, Lease stale) throws Exception {
        Holdfast other = nodes.client();
        if (lie) {
            ScheduleNodes.assertOnlyTheTokenTellsThemApart(stale, ScheduleNodes.tryUntilHeld(other.lock(LOCK)));
            return;
        }
        await().atMost(SOON)
                .pollInSameThread()
                .untilAsserted(() -> assertThatThrownBy(
                                () -> other.lock(LOCK).tryAcquire().lease())
                        .isInstanceOf(HoldfastException.class)
                        .hasMessageContainingAll("QUARANTINED", "HELD", "GRANTED"));
        assertThat(stale.isHeld()).isTrue();
        stale.release();
    }

    /** One node has no other node to outvote it. A failover within the same second, first seen by a new client, gives the same token. */
    @Test
    @DisplayName("S19: a master with a replica, failover before replication")
    void s19_aFailoverForgetsAVoteAndTheTokenStillRises() throws Exception {
        try (RedisProcess master = RedisProcess.start();
                TcpProxy link = TcpProxy.to(master);
                RedisProcess replica = RedisProcess.start(
                        RedisOptions.defaults().declareClean(false).config("replicaof 127.0.0.1 " + link.port()));
                ScheduleNodes clients = new ScheduleNodes(0, RedisOptions.defaults())) {
            await().atMost(SOON)
                    .until(() ->
                            String.valueOf(replica.send("INFO", "replication")).contains("master_link_status:up"));
            link.hold();
            Holdfast holdfast =
                    clients.clientOf(settings -> settings, master.uri().toString());
            Lease stale = ScheduleNodes.acquire(holdfast, 1);
            master.kill();
            link.close();
            awaitTheNextSecond(replica);
            replica.send("REPLICAOF", "NO", "ONE");

            Holdfast other =
                    clients.clientOf(settings -> settings, replica.uri().toString());

            ScheduleNodes.assertOnlyTheTokenTellsThemApart(stale, ScheduleNodes.tryUntilHeld(other.lock(LOCK)));
        }
    }

    /** Absent fences are based on it, and a loss without a restart is not known of in time. */
    private static void awaitTheNextSecond(RedisProcess server) {
        Object first = ((List<?>) server.send("TIME")).get(0);
        await().until(() -> !first.equals(((List<?>) server.send("TIME")).get(0)));
    }

    @Test
    @DisplayName("S21: an eviction policy other than noeviction, under memory pressure")
    void s21_anEvictedLockIsWarnedOfBeforeAndOnlyTheTokenHelpsAfter() throws Exception {
        try (ScheduleNodes nodes = new ScheduleNodes(
                1, RedisOptions.defaults().config("maxmemory 100mb", "maxmemory-policy allkeys-lru"))) {
            Holdfast holdfast = nodes.client();
            Lease stale = ScheduleNodes.acquire(holdfast, 1);
            assertThat(holdfast.admin().nodes().get(0).server().warnings())
                    .anyMatch(warning -> warning.contains("allkeys-lru"));
            awaitTheNextSecond(nodes.server(0));

            await().atMost(SOON).until(() -> {
                nodes.server(0).faults().fillMemory("allkeys-lru");
                return nodes.server(0).keys("*" + LOCK + "*").isEmpty();
            });

            Lease fresh = ScheduleNodes.tryUntilHeld(nodes.client().lock(LOCK));
            ScheduleNodes.assertOnlyTheTokenTellsThemApart(stale, fresh);
        }
    }

    /** From the moment at which the loss is seen, the other gets it only when the holder knows that it is lost. */
    @Test
    @DisplayName("S23: FLUSHALL")
    void s23_nodesThatWereFlushedCountAsOnesThatForgot() throws Exception {
        try (LiveNodes live = new LiveNodes(3)) {
            Holdfast holdfast = live.client(MemorySchedulesTest::withLongerQuarantine);
            Lease lease = holdfast.lock(LOCK).acquire(SOON);
            Holdfast other = live.client(MemorySchedulesTest::withLongerQuarantine);
            assertThat(other.lock(LOCK).tryAcquire().isHeld()).isFalse();
            live.servers.forEach(RedisProcess::flushAll);
            await().atMost(SOON)
                    .until(() -> other.admin().nodes().stream().allMatch(MemorySchedulesTest::isInQuarantine));

            Lease next = await().atMost(SOON)
                    .pollInSameThread()
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> takenFrom(lease, other.lock(LOCK).tryAcquire()), Objects::nonNull);

            assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
            next.close();
        }
    }

    /** Long enough to be seen, of all nodes at a time. */
    private static HoldfastBuilder withLongerQuarantine(HoldfastBuilder settings) {
        return LiveNodes.lasting(settings).restartQuarantine(LiveNodes.LONGER_TTL);
    }

    private static boolean isInQuarantine(NodeStatus node) {
        return node.state() == NodeStatus.State.QUARANTINED;
    }

    private static @Nullable Lease takenFrom(Lease lease, Acquisition acquisition) {
        if (!acquisition.isHeld()) {
            return null;
        }
        assertThat(lease.isHeld()).as("two holders").isFalse();
        return acquisition.lease();
    }

    /** A client that sends a request before the loss is detected, which takes up to a tenth of the ttl, has no protection by the quarantine. */
    @Test
    @DisplayName("S23: FLUSHALL, before anybody has seen it")
    void s23_untilTheFlushIsSeenOnlyTheTokenHelps() throws Exception {
        try (ScheduleNodes nodes = new ScheduleNodes(3, RedisOptions.defaults())) {
            Lease stale = ScheduleNodes.acquire(nodes.client(settings -> settings.restartQuarantine(Duration.ZERO)), 3);
            Holdfast other = nodes.client(settings -> settings.restartQuarantine(Duration.ZERO));
            awaitTheNextSecond(nodes.server(0));
            nodes.servers().forEach(RedisProcess::flushAll);

            ScheduleNodes.assertOnlyTheTokenTellsThemApart(stale, ScheduleNodes.tryUntilHeld(other.lock(LOCK)));
        }
    }

    @Test
    @DisplayName("S23: SCRIPT FLUSH")
    void s23_forgottenScriptsAreSentAgainWithoutAnybodyNoticing() throws Exception {
        try (LiveNodes live = new LiveNodes(3)) {
            Lease lease = live.client(LiveNodes::patient).lock(LOCK).acquire(SOON);
            for (int i = 0; i < 3; i++) {
                live.servers.forEach(server -> server.faults().forgetScripts());
                assertThat(lease.extend(LiveNodes.TTL)).isEqualTo(ExtendOutcome.EXTENDED);
            }
            live.servers.forEach(server -> server.faults().forgetScripts());
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    @DisplayName("S23: an operator's DEL")
    void s23_aDeletedVoteIsHealedAndTheHolderIsToldOfAMajorityOfThem() throws Exception {
        try (LiveNodes live = new LiveNodes(3)) {
            Holdfast holdfast = live.client(LiveNodes::patient);
            Lease lease = holdfast.lock(LOCK).acquire(SOON);
            live.server(0).send("DEL", ScheduleNodes.KEY);
            assertThat(lease.extend(LiveNodes.TTL)).isEqualTo(ExtendOutcome.EXTENDED);
            await().atMost(SOON)
                    .until(() -> live.server(0).keys().contains(ScheduleNodes.KEY)); // maybe the last to answer

            live.servers.forEach(server -> server.send("SET", ScheduleNodes.KEY, "taken by hand", "PX", "60000"));

            assertThat(lease.extend(LiveNodes.TTL)).isEqualTo(ExtendOutcome.LOST);
            assertThat(lease.isHeld()).isFalse();
            live.servers.forEach(server -> server.send("DEL", ScheduleNodes.KEY));
        }
    }
}
