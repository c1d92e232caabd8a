package dev.holdfast.torture.plot;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A measurement of the time to acquire a free lock with some nodes down. With a majority down, it is the time until the
 * client reports that.
 */
final class NodesGone {

    static final int NODES = 5;
    static final int MAJORITY_GONE = NODES / 2 + 1;

    /** The way in which a node fails. */
    enum Way {
        /** The port refuses connections. */
        KILLED {
            @Override
            void strike(RedisProcess server) {
                server.kill();
            }
        },
        /** The connections stay open, and the node answers nothing (SIGSTOP). */
        STOPPED {
            @Override
            void strike(RedisProcess server) {
                server.pause();
            }
        };

        abstract void strike(RedisProcess server);
    }

    /**
     * The measurements of one client.
     *
     * @param gone the number of nodes that were down
     * @param times the times of the attempts with the right outcome: with the lock, or without a majority
     * @param failed the attempts that ended without the lock though a majority was up
     */
    record Result(MeasuredClient.Kind client, Way way, int gone, Times times, int failed) {}

    private final int rounds;
    private final List<Result> results = new ArrayList<>();

    private NodesGone(int rounds) {
        this.rounds = rounds;
    }

    /**
     * Measures both ways, from no node down to a majority down, with one attempt per round and the clients in turns.
     */
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

    /** Resumes the servers, so that clients can close their connections cleanly. */
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

    /** Measures one attempt. The time excludes the release, but the release completes before the next attempt. */
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
            throw new IllegalStateException(client + " acquired a lock " + others + " times without a majority");
        }
        return new Result(client, way, gone, new Times(times), others);
    }
}
