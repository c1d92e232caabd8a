package dev.holdfast.simulator;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.recipe.MultiAcquisition;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Asks for several locks, and for permits of a semaphore, of a client that may be closed at any moment. Watches {@link Promise#ENDED}. */
final class ClosingWorker extends HoldfastWorker {

    private static final int PERMITS = 2;

    ClosingWorker(Schedule schedule, SimClient client) {
        super(schedule, client);
    }

    @Override
    void ask(Turn turn, Duration wait) {
        turn.lock.ended(turn); // what it asks for in its place is no turn: only its end is watched
        Duration patience = schedule.chance(0.5) && !schedule.isCalm() ? DistributedLock.FOREVER : wait;
        try {
            switch (random.nextInt(3)) {
                case 0 -> severalLocks(patience);
                case 1 -> permit(patience);
                default -> seal(patience);
            }
        } catch (HoldfastClosedException e) {
            return; // this worker's client has gone
        }
        schedule.count(Count.ATTEMPTS);
    }

    private void severalLocks(Duration wait) {
        List<DistributedLock> locks = schedule.locks().stream()
                .map(lock -> client.holdfast().lock("multi-" + lock.name()))
                .toList();
        follow(client.holdfast().locks(locks).tryAcquireAsync(wait), "several locks", got -> {
            if (got instanceof MultiAcquisition.Held all) {
                schedule.count(Count.ACQUISITIONS);
                client.after(random.nextInt(60), () -> watch(all.leases().releaseAsync(), "their release"));
            }
        });
    }

    private void permit(Duration wait) {
        follow(client.holdfast().semaphore("s", PERMITS).tryAcquireAsync(wait), "a permit", this::useAndRelease);
    }

    private void seal(Duration wait) {
        follow(client.holdfast().lock("once").tryAcquireAsync(wait), "a lock", got -> {
            if (got.isHeld()) {
                watch(got.lease().extendAsync(Duration.ofMillis(schedule.anyTtlMillis())), "an extension");
                watch(got.lease().writeValueAsync("v"), "a value");
                client.after(random.nextInt(60), () -> watch(got.lease().sealAsync(Duration.ofMillis(1)), "a seal"));
            }
        });
    }

    private void useAndRelease(Acquisition got) {
        if (got.isHeld()) {
            schedule.count(Count.ACQUISITIONS);
            client.after(random.nextInt(60), () -> watch(got.lease().releaseAsync(), "its release"));
        }
    }

    private <T> void follow(CompletableFuture<T> asked, String what, Consumer<T> then) {
        watch(asked, what);
        asked.whenComplete((got, failure) -> {
            if (got != null) {
                then.accept(got);
            }
            rest();
        });
    }

    private void watch(CompletionStage<?> stage, String what) {
        client.awaits(stage.toCompletableFuture(), what);
    }
}
