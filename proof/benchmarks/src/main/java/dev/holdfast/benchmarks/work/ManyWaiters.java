package dev.holdfast.benchmarks.work;

import dev.holdfast.benchmarks.side.AsyncLock;
import java.nio.file.Path;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A constant number of waiters for one lock. A waiter that acquires it releases it at once and queues again.
 * Parameters: waiters, settle, seconds, lock, room.
 */
final class ManyWaiters implements Work {

    private static final long LONGEST_HAND_OVER_NANOS = 10_000_000_000L;

    @Override
    public Answer run(Order order, Clients clients) throws Exception {
        Room room = Room.open(Path.of(order.text("room")));
        Line line = new Line(clients.first().asyncLock(order.text("lock")), room, order.count("waiters"));
        line.form();
        TimeUnit.NANOSECONDS.sleep(order.nanos("settle"));
        long start = System.nanoTime();
        long before = line.handOvers.get();
        TimeUnit.NANOSECONDS.sleep(order.nanos("seconds"));
        line.awaitAHandOverAfter(before);
        double micros = (System.nanoTime() - start) / 1e3;
        long handOvers = line.handOvers.get() - before;
        line.dissolve();
        return Answer.of("cost", micros / handOvers).with("intruders", room.intruders());
    }

    /** The queue of waiters. */
    private static final class Line {
        private final AsyncLock lock;
        private final Room room;
        private final AtomicReferenceArray<Future<?>> attempts;
        private final AtomicLong handOvers = new AtomicLong();
        private volatile boolean over;

        Line(AsyncLock lock, Room room, int waiters) {
            this.lock = lock;
            this.room = room;
            attempts = new AtomicReferenceArray<>(waiters);
        }

        void form() {
            for (int i = 0; i < attempts.length(); i++) {
                stand(i);
            }
        }

        private void stand(int place) {
            if (!over) {
                attempts.set(place, lock.acquire(held -> {
                    room.enter(Room.ALONE);
                    handOvers.incrementAndGet();
                    room.leave(Room.ALONE);
                    held.release(() -> stand(place));
                }));
            }
        }

        /** Waits for a hand-over, which may take longer than the measurement; without one, there is no result. */
        void awaitAHandOverAfter(long before) throws InterruptedException {
            long start = System.nanoTime();
            while (handOvers.get() == before && System.nanoTime() - start < LONGEST_HAND_OVER_NANOS) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }

        void dissolve() {
            over = true;
            for (int i = 0; i < attempts.length(); i++) {
                attempts.get(i).cancel(true);
            }
        }
    }
}
