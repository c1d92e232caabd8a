package dev.holdfast.torture.plot;

import dev.holdfast.redis.process.RedisProcesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A measurement of concurrent waiters for one lock: the time from its release by the holder until each waiter has
 * acquired it.
 */
final class Waiters {

    static final List<Integer> COUNTS = List.of(1, 2, 4, 8, 16, 32, 64);
    static final int HOLD_MILLIS = 5;

    private static final int NODES = 3;
    private static final int CLIENTS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final long BETWEEN_WAITERS_MILLIS = 2;
    private static final Executor AFTER_HOLDING = CompletableFuture.delayedExecutor(HOLD_MILLIS, TimeUnit.MILLISECONDS);

    /**
     * The wait of one waiter.
     *
     * @param waiters the number of concurrent waiters, itself included
     * @param place its position from 1, in the order of the requests
     */
    record Wait(MeasuredClient.Kind client, int waiters, int round, int place, double millis) {}

    private final RedisProcesses servers;
    private final List<Wait> waits = new ArrayList<>();

    private Waiters(RedisProcesses servers) {
        this.servers = servers;
    }

    /** Measures this many rounds for every number of waiters, the clients in turns. */
    static List<Wait> measure(int rounds) throws InterruptedException {
        try (RedisProcesses servers = RedisProcesses.start(NODES)) {
            Waiters measurement = new Waiters(servers);
            measurement.measureAll(rounds);
            return measurement.waits;
        }
    }

    private void measureAll(int rounds) throws InterruptedException {
        List<MeasuredClient> holdfast = connect(MeasuredClient.Kind.HOLDFAST);
        List<MeasuredClient> textbook = connect(MeasuredClient.Kind.TEXTBOOK);
        try {
            for (int round = 0; round <= rounds; round++) {
                for (int count : COUNTS) {
                    measure(MeasuredClient.Kind.HOLDFAST, holdfast, count, round);
                    measure(MeasuredClient.Kind.TEXTBOOK, textbook, count, round);
                }
            }
            waits.removeIf(wait -> wait.round() == 0); // the first round warms up code and connections
        } finally {
            holdfast.forEach(MeasuredClient::close);
            textbook.forEach(MeasuredClient::close);
        }
    }

    private List<MeasuredClient> connect(MeasuredClient.Kind kind) {
        return IntStream.range(0, CLIENTS)
                .mapToObj(client -> kind.connect(servers))
                .toList();
    }

    /**
     * Measures one round. One client holds the lock until all others have asked, one after the other, and have had time
     * for a first retry.
     */
    private void measure(MeasuredClient.Kind kind, List<MeasuredClient> clients, int count, int round)
            throws InterruptedException {
        String lock = kind + "-" + count + "-" + round;
        MeasuredClient.Held first =
                clients.get(0).acquire(lock, PATIENCE).join().orElseThrow();
        List<CompletableFuture<Long>> served = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            served.add(serve(clients.get(i % CLIENTS), lock));
            TimeUnit.MILLISECONDS.sleep(BETWEEN_WAITERS_MILLIS);
        }
        TimeUnit.MILLISECONDS.sleep(MeasuredClient.LONGEST_RETRY_DELAY.toMillis());
        long start = System.nanoTime();
        first.release();
        for (int i = 0; i < count; i++) {
            double millis = (served.get(i).join() - start) / 1e6;
            waits.add(new Wait(kind, count, round, i + 1, millis));
        }
    }

    /** Acquires and releases the lock. Completes after the release, with the time of the acquisition. */
    private static CompletableFuture<Long> serve(MeasuredClient client, String lock) {
        return client.acquire(lock, PATIENCE).thenCompose(held -> {
            long got = System.nanoTime();
            return CompletableFuture.supplyAsync(held.orElseThrow()::release, AFTER_HOLDING)
                    .thenCompose(stage -> stage)
                    .thenApply(anything -> got);
        });
    }
}
