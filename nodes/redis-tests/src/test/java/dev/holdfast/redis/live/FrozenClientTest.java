package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.time.Ticker;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A client whose machine is frozen, so that neither of its clocks moves: a live migration, a snapshot of a virtual machine. Its nodes seem to
 * jump ahead. The frozen client ends its leases earlier, and no other client loses a lease or is refused one.
 */
@Tag("slow")
class FrozenClientTest {

    private static final Duration TTL = Duration.ofSeconds(30);

    /** {@code -Dholdfast.frozen.millis=20000} freezes for so long in every case. */
    private static final long FROZEN_MILLIS = Long.getLong("holdfast.frozen.millis", 0);

    /** Clocks that stand still for a while, once. */
    private static final class FreezingClocks implements Ticker {

        private final Ticker machine = Ticker.system();
        private volatile long frozenAtNanos;
        private volatile long frozenNanos;

        void freeze(Duration length) {
            frozenAtNanos = machine.nanos();
            frozenNanos = length.toNanos();
        }

        /** How much of the freeze has passed. */
        private long missedNanos() {
            return Math.min(machine.nanos() - frozenAtNanos, frozenNanos);
        }

        @Override
        public long nanos() {
            return machine.nanos() - missedNanos();
        }

        @Override
        public long wallMillis() {
            return machine.wallMillis() - missedNanos() / 1_000_000;
        }
    }

    /** With a quarantine also for a single node, whose clock no client watches otherwise. */
    private static HoldfastBuilder settings(RedisProcesses servers) {
        String[] uris = IntStream.range(0, servers.size())
                .mapToObj(index -> servers.node(index).uri().toString())
                .toArray(String[]::new);
        return Holdfast.builder().nodes(uris).ttl(TTL).restartQuarantine(TTL);
    }

    /** The lease has been extended meanwhile, so its remaining time alone shows nothing. */
    private static boolean isNoLongerThanItsVotes(Holdfast bystander, Lease own) throws InterruptedException {
        return bystander.admin().status("frozen").holders().stream()
                .anyMatch(holder -> own.remaining().compareTo(holder.remaining()) <= 0);
    }

    @ParameterizedTest
    @CsvSource({"1, 400", "3, 400", "5, 400", "3, 3000"})
    void a1_costsNoOtherClientARefusalOrALease(int nodes, long usualMillis) throws Exception {
        long frozenMillis = FROZEN_MILLIS > 0 ? FROZEN_MILLIS : usualMillis;
        FreezingClocks clocks = new FreezingClocks();
        Timing real = Timing.system("frozen");
        Timing freezing = new Timing(clocks, real.scheduler(), real.random());
        try (RedisProcesses servers = RedisProcesses.start(nodes);
                Holdfast bystander = settings(servers).connect();
                Holdfast frozen = settings(servers).timing(freezing).connect()) {
            Lease kept = bystander.lock("bystander").acquire(Duration.ofSeconds(20));
            List<Object> losses = new ArrayList<>();
            kept.onLost(losses::add);
            Lease own = frozen.lock("frozen").acquire(Duration.ofSeconds(20));
            await("both clocks are watched")
                    .pollDelay(Duration.ofMillis(200))
                    .until(() -> frozen.lock("probe").tryAcquire().isHeld());
            Duration before = own.remaining();

            clocks.freeze(Duration.ofMillis(frozenMillis));
            await("the machine goes on")
                    .atMost(LiveNodes.SOON.plusMillis(frozenMillis))
                    .until(() -> clocks.missedNanos() == clocks.frozenNanos);

            await("the frozen client notices, and shortens its own lease or extends it anew")
                    .atMost(LiveNodes.SOON)
                    .until(() -> {
                        frozen.lock("noticing")
                                .ttl(Duration.ofSeconds(1))
                                .tryAcquire()
                                .close();
                        return own.remaining().compareTo(before.minusMillis(frozenMillis / 2)) < 0
                                || (frozenMillis > TTL.toMillis() / 10 && isNoLongerThanItsVotes(bystander, own));
                    });
            for (int i = 0; i < 20; i++) {
                try (var turn = bystander.lock("turn-" + i).tryAcquire()) {
                    assertThat(turn.isHeld()).as("turn %d of the bystander", i).isTrue();
                }
            }
            assertThat(losses).isEmpty();
            assertThat(kept.isHeld()).isTrue();
            assertThat(bystander.admin().nodes()).extracting(NodeStatus::state).containsOnly(NodeStatus.State.UP);
            assertThat(frozen.admin().nodes())
                    .as("the frozen client knows that the nodes are well")
                    .extracting(NodeStatus::state)
                    .containsOnly(NodeStatus.State.UP);
            assertThat(frozen.lock("afterwards").tryAcquire().isHeld()).isTrue();
        } finally {
            real.scheduler().close();
        }
    }
}
