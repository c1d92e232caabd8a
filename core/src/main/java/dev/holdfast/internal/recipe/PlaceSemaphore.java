package dev.holdfast.internal.recipe;

import dev.holdfast.internal.thread.Await;
import dev.holdfast.internal.thread.Scope;
import dev.holdfast.internal.thread.ThreadLeases;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.LockTask;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SelfDeadlockException;
import dev.holdfast.recipe.LockSemaphore;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A semaphore of numbered places, each a lock, and a gate at which attempts wait when no place is free. */
public final class PlaceSemaphore implements LockSemaphore {

    private static final int MOST_PERMITS = 1_000;

    /** The number of places in the first look, the factor by which each further look grows, and the most free places to try after a look. */
    private static final int FIRST_LOOK = 16;

    private static final int LOOK_GROWTH = 8;
    private static final int MOST_TRIES = 3;

    private final String name;
    private final DistributedLock gate;
    private final List<DistributedLock> places;
    private final Timing timing;

    /**
     * Makes the semaphore.
     *
     * @throws IllegalArgumentException if there are fewer than 1 or more than 1,000 permits
     */
    public PlaceSemaphore(String name, int permits, Function<String, DistributedLock> locks, Timing timing) {
        if (permits < 1 || permits > MOST_PERMITS) {
            throw new IllegalArgumentException("permits is " + permits + ", but must be from 1 to " + MOST_PERMITS);
        }
        this.name = Objects.requireNonNull(name, "name");
        this.gate = locks.apply(name + "#gate").options(PlaceSemaphore::exclusive);
        this.places = IntStream.range(0, permits)
                .mapToObj(place -> locks.apply(name + "#" + place).options(PlaceSemaphore::exclusive))
                .toList();
        this.timing = timing;
    }

    private PlaceSemaphore(String name, DistributedLock gate, List<DistributedLock> places, Timing timing) {
        this.name = name;
        this.gate = gate;
        this.places = places;
        this.timing = timing;
    }

    /** Returns the options of a place. It does not linger: a client takes any free place, so a kept one would seem to be in use, also to itself. */
    private static LockOptions exclusive(LockOptions options) {
        return options.mode(LockMode.EX).linger(Duration.ZERO);
    }

    @Override
    public LockSemaphore options(UnaryOperator<LockOptions> change) {
        UnaryOperator<LockOptions> exclusive = options -> exclusive(change.apply(options));
        return new PlaceSemaphore(
                name,
                gate.options(options -> exclusive.apply(options).maxHold(options.maxHold())),
                places.stream().map(place -> place.options(exclusive)).toList(),
                timing);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int permits() {
        return places.size();
    }

    @Override
    public Acquisition tryAcquire(Duration wait) throws InterruptedException {
        if (!wait.isZero() && places.stream().allMatch(DistributedLock::isHeldByThisThread)) {
            throw new SelfDeadlockException("all " + places.size() + " permits of '" + name
                    + "' are held by this thread itself, so the wait would never end; release one first");
        }
        return Await.orCancel(tryAcquireAsync(wait), Acquisition::close);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(Duration wait) {
        return Await.mapped(tryAcquireAsync(wait), Acquisition::lease, Await::release);
    }

    @Override
    public CompletableFuture<Acquisition> tryAcquireAsync(Duration wait) {
        Attempt attempt = new Attempt(new Patience(wait, timing.ticker()));
        attempt.tryPlace(timing.random().nextInt(places.size()));
        return attempt.future;
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T call(Duration wait, LockTask<T, E> task)
            throws E, InterruptedException {
        try (Lease permit = acquire(wait)) {
            return Scope.call(
                    "a permit of '" + name + "'",
                    permit.lost(),
                    permit::release,
                    () -> ThreadLeases.during(List.of(permit), () -> task.call(permit)));
        }
    }

    @Override
    public String toString() {
        return "LockSemaphore[" + name + ", " + places.size() + " permits]";
    }

    private final class Attempt {

        private final Patience patience;
        private final CompletableFuture<Acquisition> future = new CompletableFuture<>();
        private final List<CompletableFuture<Acquisition>> asking = new ArrayList<>();
        private int refused;

        Attempt(Patience patience) {
            this.patience = patience;
            future.whenComplete((value, failure) -> stopAsking());
        }

        private void ask(
                DistributedLock lock, Duration longest, BiConsumer<@Nullable Acquisition, @Nullable Throwable> then) {
            CompletableFuture<Acquisition> asked = lock.tryAcquireAsync(longest);
            synchronized (asking) {
                asking.add(asked);
            }
            asked.whenComplete((said, failure) -> {
                try {
                    then.accept(said, failure);
                } catch (RuntimeException | Error e) { // the future would swallow it, and the caller wait for ever
                    if (future.completeExceptionally(e) && said instanceof Acquisition.Held got) {
                        got.lease().releaseAsync();
                    }
                }
            });
            if (future.isDone()) {
                stopAsking();
            }
        }

        /** Stops asking. Attempts that already have an answer are not affected. */
        private void stopAsking() {
            List<CompletableFuture<Acquisition>> all;
            synchronized (asking) {
                all = List.copyOf(asking);
                asking.clear();
            }
            all.forEach(asked -> asked.cancel(true));
        }

        /** Tries one place at random. Then a caller that can wait tries the gate, and any other caller looks at the other places. */
        void tryPlace(int place) {
            ask(places.get(place), Duration.ZERO, (said, failure) -> {
                if (said instanceof Acquisition.Held got) {
                    take(got);
                } else if (!(said instanceof Acquisition.Refused no)
                        || no.refusal().reason() != Refusal.Reason.HELD) {
                    end(said, failure);
                } else if (!patience.left().isZero()) {
                    enterGate();
                } else if (places.size() > 1) {
                    lookAt(place, 1, FIRST_LOOK, no);
                } else {
                    end(said, failure);
                }
            });
        }

        /**
         * Reads the states of the next places, and then requests one that is free. Requesting many places at once would block all of them for a moment, and the
         * nodes would refuse other clients although places are free.
         *
         * @param first the place that was requested first
         * @param done how many places have been read or requested
         * @param count how many places to read now
         */
        private void lookAt(int first, int done, int count, Acquisition.Refused refused) {
            int next = Math.min(done + count, places.size());
            List<CompletableFuture<LockStatus>> looks = IntStream.range(done, next)
                    .mapToObj(
                            place -> places.get((first + place) % places.size()).statusAsync())
                    .toList();
            CompletableFuture.allOf(looks.toArray(CompletableFuture<?>[]::new)).whenComplete((all, failure) -> {
                try {
                    if (failure != null) {
                        end(null, failure);
                        return;
                    }
                    List<DistributedLock> free = IntStream.range(0, looks.size())
                            .filter(look -> isFree(looks.get(look).join()))
                            .mapToObj(look -> places.get((first + done + look) % places.size()))
                            .limit(MOST_TRIES)
                            .toList();
                    tryFree(free, 0, () -> {
                        if (next < places.size()) {
                            lookAt(first, next, count * LOOK_GROWTH, refused);
                        } else {
                            end(refused, null);
                        }
                    });
                } catch (RuntimeException | Error e) {
                    future.completeExceptionally(e);
                }
            });
        }

        private void tryFree(List<DistributedLock> free, int index, Runnable otherwise) {
            if (index == free.size()) {
                otherwise.run();
                return;
            }
            ask(free.get(index), Duration.ZERO, (said, failure) -> {
                if (said instanceof Acquisition.Held got) {
                    take(got);
                } else if (said instanceof Acquisition.Refused no
                        && no.refusal().reason() == Refusal.Reason.HELD) {
                    tryFree(free, index + 1, otherwise);
                } else {
                    end(said, failure);
                }
            });
        }

        private static boolean isFree(LockStatus status) {
            return status.waiters().isEmpty() && status.holders().stream().noneMatch(LockStatus.Holder::hasMajority);
        }

        private void enterGate() {
            ask(gate, patience.left(), (said, failure) -> {
                if (said instanceof Acquisition.Held got) {
                    future.whenComplete((value, end) -> got.lease().releaseAsync());
                    places.forEach(place -> ask(place, patience.left(), this::answered));
                } else {
                    end(said, failure);
                }
            });
        }

        /**
         * Handles the answer for one place of several. An answer that no quorum is available ends the attempt: all places share the nodes, and a wait for only
         * some places could miss a release of another one.
         */
        private void answered(@Nullable Acquisition said, @Nullable Throwable failure) {
            if (said instanceof Acquisition.Held got) {
                take(got);
            } else if (isLastRefused()
                    || (said instanceof Acquisition.Refused no && no.refusal().reason() == Refusal.Reason.NO_QUORUM)) {
                end(said, failure);
            }
        }

        private boolean isLastRefused() {
            synchronized (asking) {
                return ++refused == places.size();
            }
        }

        private void take(Acquisition.Held got) {
            if (!future.complete(got)) {
                got.lease().releaseAsync();
            }
        }

        private void end(@Nullable Acquisition said, @Nullable Throwable failure) {
            if (said instanceof Acquisition.Refused no) {
                Refusal refusal = no.refusal();
                future.complete(new Acquisition.Refused(
                        new Refusal(name, refusal.reason(), refusal.waited(), refusal.nodes())));
            } else if (failure != null) {
                future.completeExceptionally(failure);
            }
        }
    }
}
