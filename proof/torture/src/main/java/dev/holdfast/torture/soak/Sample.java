package dev.holdfast.torture.soak;

import dev.holdfast.redis.process.RedisProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The counters at one moment at which all workers rest.
 *
 * @param at the time since the start
 * @param values the values of the counters that this machine has
 */
public record Sample(Duration at, Map<Counter, Long> values) {

    private static final int COLLECTIONS = 3;

    /** A quantity that must not grow. */
    public enum Counter {
        THREADS("threads of the clients' process", 6, 0),
        HEAP_KB("heap after garbage collection, KiB", 4_096, 10),
        DESCRIPTORS("file descriptors of the clients' process", 6, 0),
        CLOSED_CLIENTS("closed clients that are not garbage-collected", 3, 0),
        SERVER_KEYS("keys at the servers, except those of sealed work", 30, 10),
        SERVER_DESCRIPTORS("file descriptors of the servers", 6, 0),
        SERVER_KB("memory of the servers, KiB", 1_024, 10),
        LOCK_SERVER_THREADS("threads of the lock server", 6, 0),
        LOCK_SERVER_HEAP_KB("heap of the lock server after garbage collection, KiB", 4_096, 10),
        LOCK_SERVER_KB("memory of the lock server's process, KiB", 8_192, 5),
        LOCK_SERVER_DESCRIPTORS("file descriptors of the lock server", 50, 10);

        public final String text;

        /** How far the later median may exceed the earlier one: the larger of a number and a percentage. */
        final long slack;

        final int slackPercent;

        Counter(String text, long slack, int slackPercent) {
            this.text = text;
            this.slack = slack;
            this.slackPercent = slackPercent;
        }

        long allowed(long before) {
            return before + Math.max(slack, before * slackPercent / 100);
        }
    }

    /** Reads all counters. */
    static Sample read(Duration at, List<RedisProcess> servers, List<SoakClient> clients) {
        Map<Counter, Long> values = new EnumMap<>(Counter.class);
        collectGarbage();
        values.put(Counter.HEAP_KB, used());
        values.put(
                Counter.CLOSED_CLIENTS,
                clients.stream().mapToLong(SoakClient::lingering).sum());
        values.put(Counter.THREADS, threads());
        long own = descriptors("self");
        if (own > 0) {
            values.put(Counter.DESCRIPTORS, own);
            values.put(
                    Counter.SERVER_DESCRIPTORS,
                    servers.stream()
                            .mapToLong(server -> descriptors(Long.toString(server.pid())))
                            .sum());
        }
        values.put(Counter.SERVER_KEYS, servers.stream().mapToLong(Sample::keys).sum());
        values.put(Counter.SERVER_KB, servers.stream().mapToLong(Sample::memory).sum() / 1_024);
        return new Sample(at, values);
    }

    @SuppressWarnings("SystemGc") // the heap is measured after a collection
    private static void collectGarbage() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
    }

    /**
     * Returns the number of threads. It excludes those of the proxies between clients and servers, and those with which
     * Java waits for processes to end: they come and go with the faults.
     */
    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> !name.startsWith("holdfast-proxy") && !name.startsWith("process reaper"))
                .count();
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1_024;
    }

    private static long descriptors(String process) {
        Path folder = Path.of("/proc", process, "fd");
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the number of keys without those of sealed work, whose number still grows in a short soak. */
    private static long keys(RedisProcess server) {
        return server.keys().stream()
                .filter(key -> !key.contains(SoakWorker.WORK))
                .count();
    }

    private static long memory(RedisProcess server) {
        return String.valueOf(server.send("INFO", "memory"))
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElse(0);
    }
}
