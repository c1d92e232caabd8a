package dev.holdfast.benchmarks.work;

import dev.holdfast.benchmarks.side.LockClient;
import dev.holdfast.benchmarks.side.NamedLock;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;

/**
 * Readers and writers that want the same lock repeatedly. Parameters: clients, readers and writers (of each client),
 * hold, settle, seconds, room.
 */
final class ReadersWriters implements Work {

    @Override
    public Answer run(Order order, Clients clients) throws Exception {
        int writers = order.count("writers") * order.count("clients");
        int readers = order.count("readers") * order.count("clients");
        for (int i = 0; i < order.count("clients"); i++) {
            clients.number(i).lock("shelf");
        }
        long holdNanos = order.nanos("hold");
        Room room = Room.open(Path.of(order.text("room")));
        Team team = Team.play(writers + readers, order.nanos("settle"), order.nanos("seconds"), index -> {
            LockClient client = clients.number(index % order.count("clients"));
            return index < writers
                    ? turn(client.writeLock("shelf"), room, Room.ALONE, holdNanos)
                    : turn(client.readLock("shelf"), room, Room.SHARED, holdNanos);
        });
        Histogram writes = team.waits(0, writers);
        Histogram reads = team.waits(writers, writers + readers);
        return Answer.of("writes", team.turnsPerSecond(0, writers))
                .with("reads", team.turnsPerSecond(writers, writers + readers))
                .with("longestWrite", writes.getMaxValue() / 1e6)
                .with("longestRead", reads.getMaxValue() / 1e6)
                .with("intruders", room.intruders());
    }

    private static Team.Turn turn(NamedLock lock, Room room, int weight, long holdNanos) {
        return log -> {
            long start = System.nanoTime();
            NamedLock.Held held = lock.acquire();
            log.waited(System.nanoTime() - start);
            room.enter(weight);
            Hold.asleep(holdNanos);
            room.leave(weight);
            held.release();
        };
    }
}
