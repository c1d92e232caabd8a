package dev.holdfast.torture.client;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.lock.Waiting;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.testkit.history.AttemptId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client of Holdfast. */
final class HoldfastContender implements Contender {

    /**
     * How long nodes remember fences. It is short, so that fences expire and are based on time again within a run, and
     * so that remaining state is visible at the end. It is longer than any step of a clock: a node whose clock was set
     * forward must remember its fences until the true time has passed them.
     */
    private static final Duration FENCE_RETENTION = Duration.ofSeconds(5);

    /**
     * How long a queue entry lasts. At a cluster it is longer, so that an election does not cost waiters their position while
     * their clients look for the new leader.
     */
    private static final Duration WAITER_TTL = Duration.ofSeconds(1);

    private static final Duration WAITER_TTL_AT_CLUSTER = Duration.ofSeconds(4);

    private final Holdfast holdfast;
    private final Diary diary;
    private final boolean strict;

    HoldfastContender(ClientSettings settings, Diary diary) {
        this.diary = diary;
        this.strict = settings.nodes().get(0).startsWith(LockNaming.CLUSTER);
        Duration waiterTtl = strict ? WAITER_TTL_AT_CLUSTER : WAITER_TTL;
        holdfast = Holdfast.builder()
                .nodes(settings.nodes())
                .clientName(settings.name())
                .lockOptions(options -> options.ttl(Wish.LONGEST_TTL).waiterTtl(waiterTtl))
                .restartQuarantine(Duration.ofMillis(settings.quarantineMillis()))
                .fenceRetention(FENCE_RETENTION)
                .connect();
    }

    /** Returns the client that its workers use for recipes. */
    Holdfast holdfast() {
        return holdfast;
    }

    @Override
    public Optional<Holding> acquire(Wish wish, AttemptId who) throws InterruptedException {
        DistributedLock lock = holdfast.lock(wish.lock())
                .mode(wish.mode())
                .ttl(wish.ttl())
                .autoExtend(wish.autoExtend())
                .localHandOver(false) // every attempt queues at the nodes, where its position is checked
                .onWaiting(noteOnce(who));
        DistributedLock wanted = wish.maxHold() == null ? lock : lock.maxHold(wish.maxHold());
        Acquisition acquisition = wish.cancelAfter() == null
                ? wanted.tryAcquire(wish.patience())
                : acquireOrCancel(wanted, wish.patience(), wish.cancelAfter());
        if (acquisition == null || !acquisition.isHeld()) {
            return Optional.empty();
        }
        Lease lease = acquisition.lease();
        lease.onLost(loss -> {
            if (strict && Set.of(Loss.Reason.RELEASED, Loss.Reason.TAKEN).contains(loss.reason())) {
                diary.taken(who);
            }
            diary.lost(who);
        });
        return Optional.of(new Held(lease, wish.ttl()));
    }

    @Override
    public boolean isStrict() {
        return strict;
    }

    @Override
    public Optional<List<Long>> look(String lock) throws InterruptedException {
        LockStatus status = holdfast.lock(lock).status();
        return status.hasQuorum()
                ? Optional.of(
                        status.holders().stream().map(LockStatus.Holder::token).toList())
                : Optional.empty();
    }

    private Consumer<Waiting> noteOnce(AttemptId who) {
        AtomicBoolean noted = new AtomicBoolean();
        return waiting -> {
            long queued = waiting.nodes().stream()
                    .filter(node -> node.kind() == NodeReport.Kind.QUEUED)
                    .count();
            if (queued > waiting.nodes().size() / 2 && noted.compareAndSet(false, true)) {
                diary.queued(who);
            }
        };
    }

    private static @Nullable Acquisition acquireOrCancel(DistributedLock lock, Duration wait, Duration cancelAfter)
            throws InterruptedException {
        CompletableFuture<Acquisition> future = lock.tryAcquireAsync(wait);
        try {
            return future.get(cancelAfter.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return future.cancel(true) ? null : future.join();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private record Held(Lease lease, Duration ttl) implements Holding {

        @Override
        public long token() {
            return lease.fencingToken();
        }

        /**
         * Returns when the lease ends. The method reads the clock first, so a pause between the two reads can't make
         * the result later than the true end. A lease reports its loss a hundredth of its ttl before its end, and
         * releases its votes at once. The next holder may learn of that before this worker does.
         */
        @Override
        public long validUntilNanos() {
            long now = Diary.now();
            return now + lease.remaining().toNanos() - ttl.toNanos() / 100;
        }

        @Override
        public boolean isHeld() {
            return lease.isHeld();
        }

        @Override
        public void extend() throws InterruptedException {
            lease.extend(ttl);
        }

        @Override
        public boolean release() {
            return lease.release() == ReleaseOutcome.RELEASED;
        }

        @Override
        public Optional<String> value() {
            return lease.value();
        }

        @Override
        public boolean writeValue(String value) throws InterruptedException {
            return lease.writeValue(value) == WriteOutcome.WRITTEN;
        }
    }

    @Override
    public void close() {
        holdfast.close();
    }
}
