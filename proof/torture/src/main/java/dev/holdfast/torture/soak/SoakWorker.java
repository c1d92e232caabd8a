package dev.holdfast.torture.soak;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.SealOutcome;
import dev.holdfast.recipe.MultiAcquisition;
import dev.holdfast.recipe.MultiLease;
import dev.holdfast.recipe.OnceGuard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;

/** One thread that uses a client, in one way after the other, until the soak ends. */
final class SoakWorker implements Runnable {

    /** The prefix of the names of work. */
    static final String WORK = "work-";

    private static final int LOCKS = 4;
    private static final int PERMITS = 3;
    private static final int LONGEST_HOLD_MILLIS = 5;
    private static final int LONGEST_REST_MILLIS = 30;
    private static final Duration WAIT = Duration.ofSeconds(2);

    /** How long to wait for a piece of work: a short time, so that the work begins long before its seal may expire. */
    private static final Duration WAIT_FOR_WORK = Duration.ofMillis(500);

    private final String name;
    private final SoakClient client;
    private final Watch watch;
    private final Random random;
    private final ReadWriteLock rests;
    private final Works works;
    private volatile boolean ended;

    /** The pieces of work that several workers want to do, each only once. Thread-safe. */
    static final class Works {

        private final AtomicLong last = new AtomicLong();
        private final Deque<Work> recent = new ConcurrentLinkedDeque<>();
        private final Duration retention;

        private record Work(String name, long sinceNanos) {}

        /**
         * Creates pieces of work whose seals last for {@code retention}. For a third of that time, workers request the same piece again.
         */
        Works(Duration retention) {
            this.retention = retention;
        }

        /** Returns a new piece of work, or a recent one. */
        String draw(Random random, Watch watch) {
            long now = System.nanoTime();
            for (Work oldest = recent.peekFirst();
                    oldest != null && now - oldest.sinceNanos() > retention.toNanos() / 3;
                    oldest = recent.peekFirst()) {
                if (recent.remove(oldest)) {
                    watch.forget(oldest.name());
                }
            }
            List<Work> known = new ArrayList<>(recent);
            if (known.isEmpty() || random.nextInt(3) == 0) {
                Work work = new Work(WORK + last.incrementAndGet(), now);
                recent.addLast(work);
                return work.name();
            }
            return known.get(random.nextInt(known.size())).name();
        }
    }

    /**
     * Creates a worker that is not started.
     *
     * @param rests the lock that the worker holds for reading during each turn; a thread that holds it for writing
     *     finds all workers at rest
     */
    SoakWorker(String name, SoakClient client, Watch watch, Works works, ReadWriteLock rests, Random random) {
        this.name = name;
        this.client = client;
        this.watch = watch;
        this.works = works;
        this.rests = rests;
        this.random = random;
    }

    void end() {
        ended = true;
    }

    @Override
    public void run() {
        try {
            while (!ended) {
                rests.readLock().lock();
                try {
                    turn();
                } catch (HoldfastException e) {
                    watch.count(e.getClass().getSimpleName());
                } finally {
                    rests.readLock().unlock();
                }
                Thread.sleep(random.nextInt(LONGEST_REST_MILLIS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            watch.violation(name + " failed: " + e);
        }
    }

    private void turn() throws InterruptedException {
        switch (random.nextInt(8)) {
            case 0 -> shared();
            case 1 -> permit();
            case 2 -> several();
            case 3 -> once();
            case 4 -> exclusive(lock().linger(Duration.ofMillis(random.nextInt(1, 200))));
            case 5 -> exclusive(lock().localHandOver(false));
            default -> exclusive(lock());
        }
    }

    private DistributedLock lock() {
        return client.get().lock("lock-" + random.nextInt(LOCKS));
    }

    private void exclusive(DistributedLock lock) throws InterruptedException {
        long asked = watch.asked(lock.name());
        try (Acquisition acquisition = lock.tryAcquire(WAIT)) {
            if (acquisition instanceof Acquisition.Held held) {
                Lease lease = held.lease();
                Watch.Holding holding = watch.got(lock.name(), 1, name, lease::isHeld);
                watch.token(lock.name(), name, asked, lease.fencingToken());
                hold();
                holding.releasing();
            }
        }
    }

    private void shared() throws InterruptedException {
        try (Acquisition acquisition = client.get().lock("shared").shared().tryAcquire(WAIT)) {
            if (acquisition.isHeld()) {
                watch.count("shared");
                hold();
            }
        }
    }

    private void permit() throws InterruptedException {
        try (Acquisition acquisition =
                client.get().semaphore("permits", PERMITS).tryAcquire(WAIT)) {
            if (acquisition instanceof Acquisition.Held held) {
                Watch.Holding holding = watch.got("permits", PERMITS, name, held.lease()::isHeld);
                hold();
                holding.releasing();
            }
        }
    }

    /** Acquires two of the locks that other workers acquire one by one. */
    private void several() throws InterruptedException {
        int first = random.nextInt(LOCKS);
        List<String> names = List.of("lock-" + first, "lock-" + (first + 1) % LOCKS);
        long[] asked = names.stream().mapToLong(watch::asked).toArray();
        try (MultiAcquisition acquisition =
                client.get().locks(names.toArray(String[]::new)).tryAcquire(WAIT)) {
            if (acquisition instanceof MultiAcquisition.Held held) {
                MultiLease leases = held.leases();
                List<Watch.Holding> holdings = new ArrayList<>();
                for (int i = 0; i < names.size(); i++) {
                    holdings.add(watch.got(names.get(i), 1, name, leases::isHeld));
                    watch.token(names.get(i), name, asked[i], leases.fencingToken(names.get(i)));
                }
                hold();
                holdings.forEach(Watch.Holding::releasing);
            }
        }
    }

    private void once() throws InterruptedException {
        String work = works.draw(random, watch);
        boolean wasSealed = watch.isSealed(work);
        long drawn = System.nanoTime();
        OnceGuard.Outcome<Boolean> outcome = client.get()
                .once(work, works.retention)
                .call(WAIT_FOR_WORK, lease -> {
                    boolean lasts =
                            System.nanoTime() - drawn < works.retention.toNanos() / 2; // else this machine paused
                    watch.begins(work, name, wasSealed && lasts);
                    hold();
                    return true;
                });
        if (outcome instanceof OnceGuard.Done<Boolean> done && done.seal() == SealOutcome.SEALED) {
            watch.seals(work);
        }
    }

    private void hold() throws InterruptedException {
        Thread.sleep(random.nextInt(LONGEST_HOLD_MILLIS));
    }
}
