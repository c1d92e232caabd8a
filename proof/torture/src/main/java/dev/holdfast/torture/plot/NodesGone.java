package dev.holdfast.torture.plot;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How long it takes to get a free lock with some of the nodes gone; with a majority gone, how long until that is told. */
final class NodesGone {

    static final int NODES = 5;
    static final int MAJORITY_GONE = NODES / 2 + 1;

    /** How a node goes. */
    enum Way {
        /** Its port refuses connections. */
        KILLED {
            @Override
            void strike(RedisProcess server) {
                server.kill();
            }
        },
        /** Its connections stay, and nothing is answered (SIGSTOP). */
        STOPPED {
            @Override
            void strike(RedisProcess server) {
                server.pause();
            }
        };

        abstract void strike(RedisProcess server);
    }

    /**
     * What was measured with one client.
     *
     * @param gone how many nodes were
     * @param times of the attempts that ended as they should: with the lock, or without a majority
     * @param failed attempts that ended without the lock though a majority was there
     */
    record Result(MeasuredClient.Kind client, Way way, int gone, Times times, int failed) {}

    private final int rounds;
    private final List<Result> results = new ArrayList<>();

    private NodesGone(int rounds) {
        this.rounds = rounds;
    }

    /** Returns both ways, from no node gone to a majority; as many attempts as rounds for each, the clients by turns. */
    static List<Result> measure(int rounds) {
        NodesGone measurement = new NodesGone(rounds);
        for (Way way : Way.values()) {
            measurement.measure(way);
        }
        return measurement.results;
    }

    private void measure(Way way) {
        try (RedisProcesses servers = RedisProcesses.start(NODES);
                MeasuredClient holdfast = MeasuredClient.Kind.HOLDFAST.connect(servers);
                MeasuredClient textbook = MeasuredClient.Kind.TEXTBOOK.connect(servers)) {
            Map<MeasuredClient.Kind, MeasuredClient> clients = new EnumMap<>(MeasuredClient.Kind.class);
            clients.put(MeasuredClient.Kind.HOLDFAST, holdfast);
            clients.put(MeasuredClient.Kind.TEXTBOOK, textbook);
            attempts(clients, "warm-up");
            for (int gone = 0; gone <= MAJORITY_GONE; gone++) {
                if (gone > 0) {
                    way.strike(servers.node(gone - 1));
                }
                Map<MeasuredClient.Kind, List<Attempt>> attempts = attempts(clients, "gone-" + gone);
                int nodesGone = gone;
                attempts.forEach((client, all) -> results.add(result(client, way, nodesGone, all)));
            }
            resume(servers);
        }
    }

    /** So that clients can close their connections in good order. */
    private static void resume(RedisProcesses servers) {
        for (RedisProcess server : servers) {
            if (server.isPaused()) {
                server.resume();
            }
        }
    }

    private record Attempt(double millis, boolean held) {}

    private Map<MeasuredClient.Kind, List<Attempt>> attempts(
            Map<MeasuredClient.Kind, MeasuredClient> clients, String prefix) {
        Map<MeasuredClient.Kind, List<Attempt>> attempts = new EnumMap<>(MeasuredClient.Kind.class);
        for (int round = 0; round < rounds; round++) {
            String lock = prefix + "-" + round;
            clients.forEach((kind, client) ->
                    attempts.computeIfAbsent(kind, any -> new ArrayList<>()).add(attempt(client, kind + "-" + lock)));
        }
        return attempts;
    }

    /** Returns the way back is not part of the time, but over before the next attempt. */
    private static Attempt attempt(MeasuredClient client, String lock) {
        long start = System.nanoTime();
        Optional<MeasuredClient.Held> held = client.acquire(lock, Duration.ZERO).join();
        double millis = (System.nanoTime() - start) / 1e6;
        held.ifPresent(lease -> lease.release().toCompletableFuture().join());
        return new Attempt(millis, held.isPresent());
    }

    private static Result result(MeasuredClient.Kind client, Way way, int gone, List<Attempt> attempts) {
        boolean heldIsRight = gone < MAJORITY_GONE;
        List<Double> times = attempts.stream()
                .filter(attempt -> attempt.held() == heldIsRight)
                .map(Attempt::millis)
                .toList();
        int others = attempts.size() - times.size();
        if (!heldIsRight && others > 0) {
            throw new IllegalStateException(client + " got a lock " + others + " times without a majority");
        }
        return new Result(client, way, gone, new Times(times), others);
    }
}
