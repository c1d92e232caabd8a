package dev.holdfast.redis.live;

import static dev.holdfast.redis.live.ScheduleNodes.KEY;
import static dev.holdfast.redis.live.ScheduleNodes.LOCK;
import static dev.holdfast.redis.live.ScheduleNodes.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.redis.process.ClockShim;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Schedules in which clocks of servers are set, by their numbers in docs/explanation/guarantees.md; five servers. */
@Tag("slow")
class ClockSchedulesTest {

    private static final RedisOptions STEPPABLE = RedisOptions.defaults().steppableClock(true);
    private static final Duration BEYOND_TTL = ScheduleNodes.TTL.plusSeconds(1);
    private static final Duration BACK = Duration.ofSeconds(-100);

    @BeforeEach
    void clocksCanBeSet() {
        ClockShim.unavailable().ifPresent(why -> assumeTrue(false, why));
    }

    private static Holdfast unwatched(ScheduleNodes nodes) {
        NodeOptions patient =
                NodeOptions.defaults().timeout(Duration.ofSeconds(5)); // what is asked once may take a while
        return nodes.client(
                settings -> settings.restartQuarantine(Duration.ZERO).nodeOptions(patient));
    }

    private static Lease heldByTheFirstThree(ScheduleNodes nodes, Holdfast holdfast) {
        nodes.forEach(RedisProcess::kill, 3, 4);
        Lease lease = ScheduleNodes.acquire(holdfast, 3);
        nodes.forEach(server -> server.restart(true), 3, 4);
        return lease;
    }

    private static void awaitQuarantine(Holdfast client, int node) {
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(client.admin().nodes().get(node).state()).isEqualTo(NodeStatus.State.QUARANTINED));
    }

    /**
     * Waits until all clocks have been read once more. A client that has only one reading of each clock takes a step for its own freeze, since nothing shows
     * that the other clocks did not step at the same time.
     */
    private static void awaitNextReadings(ScheduleNodes nodes) {
        Map<RedisProcess, Long> before = new HashMap<>();
        nodes.servers().forEach(server -> before.put(server, readings(server)));
        await().atMost(SOON)
                .untilAsserted(() -> before.forEach(
                        (server, count) -> assertThat(readings(server)).isGreaterThan(count)));
    }

    private static long readings(RedisProcess server) {
        Matcher calls = Pattern.compile("cmdstat_time:calls=(\\d+)")
                .matcher(String.valueOf(server.send("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    @Test
    @DisplayName("S5: one node's clock steps forward beyond the ttl, two others were unreachable")
    void s05_aNodeWhoseClockWasSeenToStepForwardDoesNotVote() throws Exception {
        try (ScheduleNodes nodes = new ScheduleNodes(5, STEPPABLE)) {
            Holdfast holdfast = nodes.client(settings -> settings.ttl(ScheduleNodes.TTL));
            Lease lease = heldByTheFirstThree(nodes, holdfast);
            Holdfast other = nodes.client(settings -> settings.ttl(ScheduleNodes.TTL));
            Lease watching = other.lock("watching").acquire(SOON);
            awaitNextReadings(nodes);
            nodes.server(2).stepClock(BEYOND_TTL);
            awaitQuarantine(holdfast, 2);
            assertThat(nodes.server(2).send("GET", KEY))
                    .as("gone before its time")
                    .isNull();

            awaitQuarantine(other, 2); // each client believes what it has seen itself
            assertThat(watching.isHeld()).isTrue();

            for (int i = 0; i < 10; i++) {
                assertThat(other.lock(LOCK).tryAcquire().isHeld()).isFalse();
            }
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    @DisplayName("S5: the same, before anybody has seen the step")
    void s05_untilTheStepIsSeenOnlyTheTokenHelps() throws Exception {
        try (ScheduleNodes nodes = new ScheduleNodes(5, STEPPABLE)) {
            Lease stale = heldByTheFirstThree(nodes, unwatched(nodes));
            Holdfast other = unwatched(nodes);
            nodes.server(2).stepClock(BEYOND_TTL);

            ScheduleNodes.assertOnlyTheTokenTellsThemApart(stale, ScheduleNodes.tryUntilHeld(other.lock(LOCK)));
        }
    }

    @Test
    @DisplayName("S6: the clocks of a majority step forward")
    void s06_aMajorityThatStepsForwardMakesTwoHoldersAndTheFirstIsToldAtItsNextExtension() throws Exception {
        try (ScheduleNodes nodes = new ScheduleNodes(5, STEPPABLE)) {
            Lease stale = ScheduleNodes.acquire(unwatched(nodes), 5);
            Holdfast other = unwatched(nodes);
            nodes.forEach(server -> server.stepClock(BEYOND_TTL), 0, 1, 2);

            Lease fresh = ScheduleNodes.tryUntilHeld(other.lock(LOCK));

            ScheduleNodes.assertOnlyTheTokenTellsThemApart(stale, fresh);
            assertThat(stale.extend(ScheduleNodes.TTL)).isEqualTo(ExtendOutcome.LOST);
            assertThat(fresh.isHeld()).isTrue();
        }
    }

    @Test
    @DisplayName("S7: a node's clock steps back, and a lock lives too long there")
    void s07_aNodeWhoseClockSteppedBackIsDoneWithoutAndShown() throws Exception {
        try (ScheduleNodes nodes = new ScheduleNodes(5, STEPPABLE)) {
            Duration ttl = Duration.ofSeconds(3);
            Holdfast holdfast = nodes.client(settings -> settings.ttl(ttl));
            leave(nodes, holdfast);
            nodes.server(0).stepClock(BACK);
            assertThat((Long) nodes.server(0).send("PTTL", KEY))
                    .isGreaterThan(Duration.ofSeconds(90).toMillis());

            Holdfast other = nodes.client(settings -> settings.ttl(ttl));
            Lease next = other.lock(LOCK).acquire(SOON);

            assertThat(next.isHeld()).isTrue();
            awaitQuarantine(holdfast, 0);
        }
    }

    /** Votes that no client releases, as a killed holder leaves them. */
    private static void leave(ScheduleNodes nodes, Holdfast holdfast) throws Exception {
        Lease lease = ScheduleNodes.tryUntilHeld(holdfast.lock(LOCK).autoExtend(false));
        Object value = nodes.server(0).send("GET", KEY);
        lease.release();
        nodes.servers().forEach(server -> server.send("SET", KEY, String.valueOf(value), "PX", "3000"));
    }

    @Test
    @DisplayName("S8: a clock is set back across a restart from an append-only file")
    void s08_aVoteThatLivesTooLongAfterARestartHoldsUpNobody() throws Exception {
        try (ScheduleNodes nodes =
                new ScheduleNodes(5, STEPPABLE.appendOnly(true).config("appendfsync always"))) {
            Duration ttl = Duration.ofSeconds(3);
            Holdfast holdfast = nodes.client(settings -> settings.ttl(ttl).restartQuarantine(ttl));
            leave(nodes, holdfast);
            RedisProcess late = nodes.server(0);
            late.stop();
            late.stepClock(BACK);
            late.restart(true);
            assertThat((Long) late.send("PTTL", KEY))
                    .isGreaterThan(Duration.ofSeconds(90).toMillis());

            Holdfast other = nodes.client(settings -> settings.ttl(ttl).restartQuarantine(ttl));
            Lease next = other.lock(LOCK).acquire(SOON);

            assertThat(next.isHeld()).isTrue();
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(
                                    LiveNodes.status(other, LOCK).nodes().get(0).state())
                            .as("the vote that lives too long")
                            .hasValueSatisfying(state ->
                                    assertThat(state.holders().get(0).owner()).isNotEqualTo(next.owner())));
        }
    }
}
