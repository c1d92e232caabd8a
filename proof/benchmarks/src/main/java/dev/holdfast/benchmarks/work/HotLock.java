package dev.holdfast.benchmarks.work;

import dev.holdfast.benchmarks.side.NamedLock;
import java.nio.file.Path;
import java.util.List;

/**
 * Threads that all want the same lock. Parameters: clients, threads (of each client), seconds, settle (the time before
 * turns count, so that the other processes have begun, too), hold (how long each turn holds the lock, asleep). The
 * parameter room names the file of the {@link Room} that only a holder may be in.
 */
final class HotLock implements Work {

    @Override
    public Answer run(Order order, Clients clients) throws Exception {
        int threads = order.count("threads");
        int members = order.count("clients") * threads;
        for (int i = 0; i < order.count("clients"); i++) {
            clients.number(i).lock(order.text("lock"));
        }
        long holdNanos = order.nanos("hold");
        Room room = Room.open(Path.of(order.text("room")));
        Beat beat = new Beat();
        Team team = Team.play(
                members,
                order.nanos("settle"),
                order.nanos("seconds"),
                index -> turn(clients.number(index / threads).lock(order.text("lock")), room, beat, holdNanos));
        Answer answer = Answer.of("pairs", team.turnsPerSecond())
                .with("rate", beat.perSecond())
                .with("intruders", room.intruders());
        List<Long> turns = team.turns();
        for (int i = 0; i < turns.size(); i++) {
            answer = answer.with("turns." + i, turns.get(i));
        }
        return Waits.addTo(answer, team.waits());
    }

    private static Team.Turn turn(NamedLock lock, Room room, Beat beat, long holdNanos) {
        return log -> {
            long start = System.nanoTime();
            NamedLock.Held held = lock.acquire();
            log.waited(System.nanoTime() - start);
            room.enter(Room.ALONE);
            beat.beat();
            Hold.asleep(holdNanos);
            room.leave(Room.ALONE);
            held.release();
        };
    }
}
