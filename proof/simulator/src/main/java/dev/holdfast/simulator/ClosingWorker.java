package dev.holdfast.simulator;

import dev.holdfast.election.Candidacy;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.recipe.MultiAcquisition;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A worker that requests several locks, permits of a semaphore, and leadership, on a client that may be closed at any moment. Watches
 * {@link Promise#ENDED}.
 */
final class ClosingWorker extends HoldfastWorker {

    private static final int PERMITS = 2;
    private static final long LONGEST_CANDIDACY_NANOS = 200_000_000;

    ClosingWorker(Schedule schedule, SimClient client) {
        super(schedule, client);
    }

    @Override
    void ask(Turn turn, Duration wait) {
        turn.lock.ended(turn); // ends the turn: the requests below are not turns, and only their end is watched
        Duration patience = schedule.chance(0.5) && !schedule.isCalm() ? DistributedLock.FOREVER : wait;
        try {
            switch (random.nextInt(4)) {
                case 0 -> severalLocks(patience);
                case 1 -> permit(patience);
                case 2 -> election();
                default -> seal(patience);
            }
        } catch (HoldfastClosedException e) {
            return; // this worker's client has been closed
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

    /**
     * Takes part in an election with work that ends at once, since a leader's work has its own thread, and here all steps run on one. The
     * client may close while the candidate waits, announces itself, writes, steps down or pauses, but not during the work.
     */
    private void election() {
        Candidacy candidacy = client.holdfast().election("e").stand(leadership -> {
            schedule.count(Count.ACQUISITIONS);
            watch(leadership.writeStateAsync("s"), "a leader's state");
            if (random.nextBoolean()) {
                watch(leadership.stepDown(), "the end of a leadership");
            }
        });
        schedule.after(random.nextLong(LONGEST_CANDIDACY_NANOS), () -> {
            if (client.isAlive()) { // even if the client has been closed by then
                CompletableFuture<Void> end = candidacy.closeAsync();
                client.awaitsSoon(end, "the end of a candidacy");
                follow(end, "the end of a candidacy", ended -> {});
            }
        });
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
