package dev.holdfast.redis.live;

import static dev.holdfast.redis.live.ScheduleNodes.LOCK;
import static dev.holdfast.redis.live.ScheduleNodes.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SealOutcome;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcesses;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One Redis: what it loses if it restarts, and what it does not. */
@Tag("slow")
class OnlyNodeTest {

    private static final RedisOptions FORCING_EACH_WRITE =
            RedisOptions.defaults().appendOnly(true).config("appendfsync always");

    /** The fences of an only node follow its clock: tokens rise after any loss of state, also within the same second. */
    @Test
    void tokensRiseThoughTheServerForgetsEverythingBetweenTwoTurns() throws Exception {
        try (RedisProcesses servers = RedisProcesses.start(1);
                Holdfast client = Holdfast.connect(servers.node(0).uri().toString())) {
            long last = 0;
            for (int turn = 0; turn < 200; turn++) {
                try (Lease lease = client.lock("a").acquire(Duration.ofSeconds(5))) {
                    assertThat(lease.fencingToken()).isGreaterThan(last);
                    last = lease.fencingToken();
                    servers.node(0).send("FLUSHALL");
                }
            }
        }
    }

    @Test
    void aRestartWithoutDataMakesTwoHoldersThatOnlyTheTokenTellsApart() {
        try (ScheduleNodes nodes = new ScheduleNodes(1, RedisOptions.defaults())) {
            Lease stale = ScheduleNodes.acquire(nodes.client(), 1);

            nodes.server(0).restartEmpty();

            Lease fresh = ScheduleNodes.tryUntilHeld(nodes.client().lock(LOCK));
            ScheduleNodes.assertOnlyTheTokenTellsThemApart(stale, fresh);
        }
    }

    @Test
    void aServerThatForcesEachWriteKeepsItsLockAndItsSealWhenItIsKilled() {
        try (ScheduleNodes nodes = new ScheduleNodes(1, FORCING_EACH_WRITE)) {
            Holdfast holder = nodes.client();
            Lease lease = ScheduleNodes.acquire(holder, 1);
            Lease done = ScheduleNodes.tryUntilHeld(holder.lock("done"));
            assertThat(done.seal(Duration.ofHours(1))).isEqualTo(SealOutcome.SEALED);

            nodes.server(0).kill();
            nodes.server(0).restart();

            Holdfast other = nodes.client();
            awaitRefusal(other, LOCK, Refusal.Reason.HELD);
            awaitRefusal(other, "done", Refusal.Reason.SEALED);
            await().atMost(SOON)
                    .pollInSameThread()
                    .until(() -> lease.extend(ScheduleNodes.TTL) == ExtendOutcome.EXTENDED);
        }
    }

    private static void awaitRefusal(Holdfast client, String lock, Refusal.Reason reason) {
        await().atMost(SOON).pollInSameThread().untilAsserted(() -> {
            try (Acquisition acquisition = client.lock(lock).tryAcquire()) {
                assertThat(acquisition)
                        .isInstanceOfSatisfying(
                                Acquisition.Refused.class,
                                refused ->
                                        assertThat(refused.refusal().reason()).isEqualTo(reason));
            }
        });
    }
}
