package dev.holdfast.benchmarks.soak;

import dev.holdfast.Holdfast;
import dev.holdfast.benchmarks.world.PostgresServer;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.HoldfastException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Locks of two clients in a PostgreSQL server for a long time, and what their tables need on the disk meanwhile. Some names are used again and again,
 * others once; some requests are cancelled. The node drops a name two minutes after its last use. The rate is constant, so the tables should be too.
 */
public final class TableSoak {

    private static final int THREADS = 8;
    private static final int NAMES = 20;
    private static final int HOLD_MILLIS = 20;

    /** How often a thread acquires a lock. A thread that is late skips turns. */
    private static final long TURN_NANOS = 80_000_000;

    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration RETENTION = Duration.ofMinutes(2);
    private static final int SAMPLES = 60;

    private final PostgresServer server;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicLong pairs = new AtomicLong();

    private TableSoak(PostgresServer server) {
        this.server = server;
    }

    /** Runs for so many minutes. Ends with exit code 1 if a table has grown in the last third. */
    public static void main(String[] args) throws Exception {
        Duration length = Duration.ofSeconds((long) (60 * Double.parseDouble(args[0])));
        Path directory = Files.createDirectories(Path.of("target", "postgresql").toAbsolutePath());
        boolean flat;
        try (PostgresServer server = PostgresServer.start(directory)) {
            List<TableSizes> samples = new TableSoak(server).run(length.dividedBy(SAMPLES));
            TableSizes.verdicts(samples).forEach((table, verdict) -> System.out.println(table + ": " + verdict));
            flat = TableSizes.areFlat(samples);
        }
        System.out.println(flat ? "flat" : "GROWN");
        System.exit(flat ? 0 : 1);
    }

    private List<TableSizes> run(Duration interval) throws InterruptedException, SQLException {
        List<TableSizes> samples = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try (Holdfast one = connect();
                Holdfast other = connect()) {
            for (int i = 0; i < THREADS; i++) {
                Holdfast holdfast = i % 2 == 0 ? one : other;
                Thread thread = new Thread(() -> work(holdfast), "soak-" + i);
                thread.start();
                threads.add(thread);
            }
            while (samples.size() < SAMPLES && !ended.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
                TableSizes sample = sample();
                System.out.println(sample);
                samples.add(sample);
            }
            ended.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        } finally {
            ended.countDown();
        }
        if (samples.size() < SAMPLES) {
            throw new IllegalStateException("a thread has failed");
        }
        return samples;
    }

    private Holdfast connect() {
        return Holdfast.builder()
                .nodes(server.uri("on"))
                .ttl(TTL)
                .fenceRetention(RETENTION)
                .connect();
    }

    private void work(Holdfast holdfast) {
        try {
            long next = System.nanoTime();
            while (!pauses(next - System.nanoTime())) {
                turn(holdfast, ThreadLocalRandom.current());
                next = Math.max(next + TURN_NANOS, System.nanoTime() - TURN_NANOS);
            }
        } catch (InterruptedException | RuntimeException e) {
            e.printStackTrace();
            ended.countDown();
        }
    }

    private void turn(Holdfast holdfast, ThreadLocalRandom random) throws InterruptedException {
        int kind = random.nextInt(10);
        String name = kind < 6 ? "job:" + random.nextInt(NAMES) : "order:" + Long.toHexString(random.nextLong());
        try {
            Acquisition acquisition = holdfast.lock(name).tryAcquire(Duration.ofMillis(kind == 0 ? 2 : 2_000));
            if (acquisition.isHeld()) {
                pauses(TimeUnit.MILLISECONDS.toNanos(HOLD_MILLIS));
                acquisition.lease().release();
                pairs.incrementAndGet();
            }
        } catch (HoldfastException e) {
            System.err.println("goes on after: " + e.getMessage());
        }
    }

    /** Waits for this time at most, and returns whether the run has ended. */
    private boolean pauses(long nanos) throws InterruptedException {
        return ended.await(nanos, TimeUnit.NANOSECONDS);
    }

    private TableSizes sample() throws SQLException {
        String sql =
                "SELECT relname, pg_total_relation_size(relid), n_tup_upd, n_tup_hot_upd, n_dead_tup FROM pg_stat_user_tables"
                        + " WHERE schemaname = 'holdfast'";
        Map<String, Long> bytes = new TreeMap<>();
        long updates = 0;
        long inPlace = 0;
        long dead = 0;
        try (Connection connection = server.connect("on");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                bytes.put(row.getString(1), row.getLong(2));
                updates += row.getLong(3);
                inPlace += row.getLong(4);
                dead += row.getLong(5);
            }
        }
        return new TableSizes(bytes, pairs.get(), updates, inPlace, dead);
    }
}
