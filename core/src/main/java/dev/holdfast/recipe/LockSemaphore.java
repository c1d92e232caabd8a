package dev.holdfast.recipe;

import dev.holdfast.internal.thread.Await;
import dev.holdfast.internal.thread.Scope;
import dev.holdfast.internal.thread.ThreadLeases;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockAction;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.LockTask;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SelfDeadlockException;
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

/**
 * Lets at most {@code n} in at the same time: n numbered places, each a lock, so a permit is a {@link Lease} with a ttl, renewal, a loss signal
 * and a token (of its place). What holds for a lock holds for each place, also over a majority of nodes; a counter that is changed on several nodes could not be trusted so.
 *
 * <p>Who finds no place free stands in line at a gate, which is one lock more; whoever is in it stands in line for all places at once, and
 * takes the first that comes free. While somebody is at the gate newcomers get no place that becomes free, so nobody starves; those who come
 * at the same time are served in the order in which they reach the gate.
 *
 * <p>The places are the locks {@code name#0} to {@code name#(n - 1)}, the gate is {@code name#gate}. Clients that disagree on n use as many places
 * as the largest. An immutable value, thread-safe; {@link dev.holdfast.Holdfast#semaphore} makes it.
 */
public final class LockSemaphore {

    private static final int MOST_PERMITS = 1_000;

    /** How many places are looked at at once, at first and then by so many times more; and how many of those that look free are asked for. */
    private static final int FIRST_LOOK = 16;

    private static final int LOOK_GROWTH = 8;
    private static final int MOST_TRIES = 3;

    private final String name;
    private final DistributedLock gate;
    private final List<DistributedLock> places;
    private final Timing timing;

    /** Made by {@link dev.holdfast.Holdfast#semaphore}. */
    public LockSemaphore(String name, int permits, Function<String, DistributedLock> locks, Timing timing) {
        if (permits < 1 || permits > MOST_PERMITS) {
            throw new IllegalArgumentException("permits is " + permits + ", but must be from 1 to " + MOST_PERMITS);
        }
        Objects.requireNonNull(name, "name");
        this.name = name;
        this.gate = locks.apply(name + "#gate");
        this.places = IntStream.range(0, permits)
                .mapToObj(place -> locks.apply(name + "#" + place))
                .toList();
        this.timing = timing;
    }

    private LockSemaphore(String name, DistributedLock gate, List<DistributedLock> places, Timing timing) {
        this.name = name;
        this.gate = gate;
        this.places = places;
        this.timing = timing;
    }

    private LockSemaphore with(DistributedLock otherGate, UnaryOperator<DistributedLock> change) {
        return new LockSemaphore(name, otherGate, places.stream().map(change).toList(), timing);
    }

    /** The same with permits of this {@linkplain DistributedLock#ttl ttl}. */
    public LockSemaphore ttl(Duration ttl) {
        return with(gate.ttl(ttl), place -> place.ttl(ttl));
    }

    /** The same with permits that nobody holds for {@linkplain DistributedLock#maxHold longer}. */
    public LockSemaphore maxHold(Duration maxHold) {
        return with(gate, place -> place.maxHold(maxHold));
    }

    public String name() {
        return name;
    }

    /** How many may hold a permit at the same time. */
    public int permits() {
        return places.size();
    }

    /**
     * Acquires a permit, waiting for at most {@code wait}; on return it is held. Releasing the lease gives it back.
     *
     * @param wait 0 or more; {@link DistributedLock#FOREVER} is allowed
     * @throws LockTimeoutException if none came free in time; else as {@link DistributedLock#acquire(Duration)}
     * @throws SelfDeadlockException if {@code wait} is not 0 and {@link #call} around it holds all permits in this thread
     * @throws InterruptedException if the thread is interrupted; no permit is kept
     */
    public Lease acquire(Duration wait) throws InterruptedException {
        return tryAcquire(wait).lease();
    }

    /**
     * Acquires a permit if one is free now. Takes a round trip if the first place that it asks for is free; else it looks at the others, many at once: 13 round trips at most for
     * 1,000 places.
     */
    public Acquisition tryAcquire() throws InterruptedException {
        return tryAcquire(Duration.ZERO);
    }

    /** As {@link #acquire}, with the refusal as a value. */
    public Acquisition tryAcquire(Duration wait) throws InterruptedException {
        if (!wait.isZero() && places.stream().allMatch(DistributedLock::isHeldByThisThread)) {
            throw new SelfDeadlockException("all " + places.size() + " permits of '" + name
                    + "' are held by this thread itself, and would be waited for in vain; release one first");
        }
        return Await.orCancel(tryAcquireAsync(wait), Acquisition::close);
    }

    /** As {@link #tryAcquire(Duration)}, without blocking. Completes on a worker thread; cancelling the future ends the attempt. */
    public CompletableFuture<Acquisition> tryAcquireAsync(Duration wait) {
        Attempt attempt = new Attempt(new Patience(wait, timing.ticker()));
        attempt.tryPlace(timing.random().nextInt(places.size()));
        return attempt.future;
    }

    /** {@link #call} without a result. */
    public <E extends Exception> void run(Duration wait, LockAction<E> action) throws E, InterruptedException {
        call(wait, permit -> {
            action.run(permit);
            return Boolean.TRUE;
        });
    }

    /**
     * Acquires a permit, does the work, and gives the permit back, however the work ends. The running thread is interrupted when the permit
     * is lost meanwhile.
     *
     * @throws LeaseLostException if it was lost while the work ran and the work did not throw something else
     * @throws E what the work throws, unharmed
     * @throws InterruptedException as {@link #acquire(Duration)}
     */
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
                } catch (RuntimeException | Error e) { // it would be swallowed here, and the caller would wait for ever
                    if (future.completeExceptionally(e) && said instanceof Acquisition.Held got) {
                        got.lease().releaseAsync();
                    }
                }
            });
            if (future.isDone()) {
                stopAsking();
            }
        }

        /** Those that have been answered don't mind. */
        private void stopAsking() {
            List<CompletableFuture<Acquisition>> all;
            synchronized (asking) {
                all = List.copyOf(asking);
                asking.clear();
            }
            all.forEach(asked -> asked.cancel(true));
        }

        /** One place at random; then the gate, for who can wait, or a look at the other places. */
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
         * Looks at the next places all at once, and asks for one that is free. To ask for many at once would keep them from others for a moment, who would be refused though
         * there are free ones.
         *
         * @param first the place that was asked for first
         * @param done how many places have been looked at or asked for
         * @param count how many to look at now
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

        private void answered(@Nullable Acquisition said, @Nullable Throwable failure) {
            if (said instanceof Acquisition.Held got) {
                take(got);
            } else if (isLastRefused() || isWithoutQuorum(said)) {
                end(said, failure);
            }
        }

        /** What one place lacks, all lack; and a wait for only some of them could miss one that comes free. */
        private boolean isWithoutQuorum(@Nullable Acquisition said) {
            return said instanceof Acquisition.Refused no && no.refusal().reason() == Refusal.Reason.NO_QUORUM;
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
