package dev.holdfast.torture.failover;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.torture.world.ClusterProcess;
import dev.holdfast.torture.world.ClusterServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Measures the time from the kill of a cluster's leader to the next grant, with default settings. */
public final class Failovers {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int LONGEST_REST_MILLIS = 3_000;

    private Failovers() {}

    /**
     * Kills leaders, and prints the times.
     *
     * @param args {@code KILLS}, the number of kills; {@code SEED}; and {@code FAULT=stop} to stop leaders with SIGSTOP
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Map<String, String> said = new HashMap<>();
        for (String word : args) {
            String[] parts = word.split("=", 2);
            said.put(parts[0], parts[1]);
        }
        int kills = Integer.parseInt(said.getOrDefault("KILLS", "30"));
        long seed = Long.parseLong(said.getOrDefault("SEED", Long.toString(System.nanoTime() % 1_000_000)));
        boolean stops = said.getOrDefault("FAULT", "kill").equals("stop");
        System.out.println("make failovers KILLS=" + kills + " SEED=" + seed + (stops ? " FAULT=stop" : ""));
        Path directory = Files.createTempDirectory("holdfast-failovers-");
        List<Long> millis = new ArrayList<>();
        try (ClusterServers cluster = ClusterServers.start(3, 1, directory);
                Holdfast client = Holdfast.connect(cluster.uri())) {
            cluster.missing().forEach(System.out::println);
            Random random = new Random(seed);
            DistributedLock lock = client.lock("orders");
            for (int i = 0; i < kills; i++) {
                Thread.sleep(2_000 + random.nextInt(LONGEST_REST_MILLIS));
                lock.acquire(PATIENCE).release();
                ClusterProcess leader = cluster.process(cluster.awaitLeader(PATIENCE));
                long start = System.nanoTime();
                if (stops) {
                    leader.pause();
                } else {
                    leader.kill();
                }
                Lease lease = lock.acquire(PATIENCE);
                millis.add((System.nanoTime() - start) / 1_000_000);
                System.out.println("kill " + (i + 1) + ": " + millis.get(i) + " ms");
                lease.release();
                leader.resume();
                leader.start();
            }
            System.out.println("leader changes: " + cluster.leaderChanges());
        }
        List<Long> sorted = millis.stream().sorted().toList();
        System.out.println(
                "median " + sorted.get(sorted.size() / 2) + " ms, 99 % " + sorted.get((sorted.size() * 99 - 1) / 100)
                        + " ms, longest " + sorted.get(sorted.size() - 1) + " ms, of " + sorted.size());
    }
}
