package dev.holdfast.benchmarks.work;

import dev.holdfast.benchmarks.side.NamedLock;

/** Uncontended threads: each acquires and releases a lock of its own. Parameters: threads, seconds. */
final class OwnLocks implements Work {

    private static final long SETTLE_NANOS = 100_000_000;

    @Override
    public Answer run(Order order, Clients clients) throws Exception {
        Team team = Team.play(
                order.count("threads"),
                SETTLE_NANOS,
                order.nanos("seconds"),
                index -> turn(clients.first().lock("own-" + index)));
        Answer answer = Answer.of("pairs", team.turnsPerSecond())
                .with("clientCpu", team.cpuNanosPerTurn() / 1e3)
                .with("allocated", team.bytesPerTurn());
        return Waits.addTo(answer, team.waits());
    }

    private static Team.Turn turn(NamedLock lock) {
        return log -> {
            long start = System.nanoTime();
            NamedLock.Held held = lock.acquire();
            log.waited(System.nanoTime() - start);
            held.release();
        };
    }
}
