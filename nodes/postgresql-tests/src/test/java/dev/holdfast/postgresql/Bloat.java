package dev.holdfast.postgresql;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.time.Timing;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Locks of a real client on a real server for a while, and what the tables need on the disk meanwhile. Some names are used again and again, others
 * once; some requests are cancelled.
 */
final class Bloat {

    private static final Timing TIMING = Timing.system("bloat");
    private static final String[] TABLES = {"resource", "vote", "waiter", "tombstone"};
    private static final int THREADS = 8;
    private static final int NAMES = 20;

    private final TestDatabase database;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicLong pairs = new AtomicLong();

    private Bloat(TestDatabase database) {
        this.database = database;
    }

    /** One look at the tables, with their indexes, in bytes. */
    record Sample(long[] bytes, long pairs, long updates, long updatesInPlace, long dead) {
        long total() {
            return Arrays.stream(bytes).sum();
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(pairs + " pairs, KiB:");
            for (int i = 0; i < bytes.length; i++) {
                text.append(' ').append(TABLES[i]).append(' ').append(bytes[i] / 1024);
            }
            return text + ", dead rows " + dead + ", updates in place "
                    + Math.round(100.0 * updatesInPlace / Math.max(updates, 1)) + " %";
        }
    }

    /** Runs locks for so long, with pauses of so many milliseconds between them. Returns a sample for each interval. */
    static List<Sample> run(TestDatabase database, Duration length, Duration interval, int pauseMillis)
            throws InterruptedException, SQLException {
        return new Bloat(database).samples(length, interval, pauseMillis, sample -> {});
    }

    private List<Sample> samples(Duration length, Duration interval, int pauseMillis, Consumer<Sample> taken)
            throws InterruptedException, SQLException {
        List<Sample> samples = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try (Holdfast holdfast = Holdfast.builder()
                .nodes(database.uri())
                .ttl(Duration.ofSeconds(5))
                .fenceRetention(Duration.ofMinutes(2))
                .connect()) {
            for (int i = 0; i < THREADS; i++) {
                Thread thread = new Thread(() -> work(holdfast, pauseMillis), "bloat-" + i);
                thread.start();
                threads.add(thread);
            }
            for (Duration at = interval; at.compareTo(length) <= 0; at = at.plus(interval)) {
                Thread.sleep(interval.toMillis());
                Sample sample = sample();
                taken.accept(sample);
                samples.add(sample);
            }
            ended.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
        } finally {
            ended.set(true);
        }
        return samples;
    }

    private void work(Holdfast holdfast, int pauseMillis) {
        while (!ended.get()) {
            int kind = TIMING.random().nextInt(10);
            String name = kind < 6
                    ? "job:" + TIMING.random().nextInt(NAMES)
                    : "order:" + Long.toHexString(TIMING.random().nextLong());
            Duration wait = Duration.ofMillis(kind == 0 ? 2 : 2_000);
            try {
                Acquisition acquisition = holdfast.lock(name).tryAcquire(wait);
                if (acquisition.isHeld()) {
                    Thread.sleep(pauseMillis);
                    acquisition.lease().release();
                    pairs.incrementAndGet();
                }
                Thread.sleep(pauseMillis);
            } catch (HoldfastException e) {
                System.err.println("goes on after: " + e.getMessage());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private Sample sample() throws SQLException {
        String sql =
                "SELECT relname, pg_total_relation_size(relid), n_tup_upd, n_tup_hot_upd, n_dead_tup FROM pg_stat_user_tables"
                        + " WHERE schemaname = 'holdfast'";
        long[] bytes = new long[TABLES.length];
        long updates = 0;
        long inPlace = 0;
        long dead = 0;
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                int table = Arrays.asList(TABLES).indexOf(row.getString(1));
                if (table >= 0) {
                    bytes[table] = row.getLong(2);
                    updates += row.getLong(3);
                    inPlace += row.getLong(4);
                    dead += row.getLong(5);
                }
            }
        }
        return new Sample(bytes, pairs.get(), updates, inPlace, dead);
    }

    /** Runs for so many minutes and prints a line for each of them. Ends with exit code 1 if the tables have grown in the last third. */
    public static void main(String[] args) throws Exception {
        int minutes = Integer.parseInt(args[0]);
        try (TestDatabase database = TestDatabase.start()) {
            List<Sample> samples = new Bloat(database)
                    .samples(Duration.ofMinutes(minutes), Duration.ofMinutes(1), 20, System.out::println);
            System.out.println(isFlat(samples) ? "flat" : "GROWN");
            System.exit(isFlat(samples) ? 0 : 1);
        }
    }

    /** Returns whether the median of the last third exceeds that of the second third by 10 % and 256 KiB at most. */
    static boolean isFlat(List<Sample> samples) {
        int third = samples.size() / 3;
        long second = median(samples.subList(third, 2 * third));
        long last = median(samples.subList(2 * third, samples.size()));
        return last <= second * 11 / 10 + 256 * 1024;
    }

    private static long median(List<Sample> samples) {
        return samples.stream()
                .mapToLong(Sample::total)
                .sorted()
                .skip(samples.size() / 2)
                .findFirst()
                .orElseThrow();
    }
}
