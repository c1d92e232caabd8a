package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.election.Candidacy;
import dev.holdfast.fence.JdbcGuard;
import dev.holdfast.fence.StaleTokenException;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.recipe.OnceGuard;
import dev.holdfast.redis.process.RedisProcesses;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/guides/recipes.md do what they say, on three real nodes. */
@Tag("slow")
class RecipesTest {

    /** Longer than the work in these tests takes. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private static RedisProcesses redis;
    private static String[] nodes;

    /** Examples send a request only once, so a busy machine must not leave it unanswered. */
    private static final NodeOptions PATIENT = NodeOptions.defaults().timeout(Duration.ofSeconds(5));

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        redis = RedisProcesses.start(3);
        nodes = redis.uris().stream().map(URI::toString).toArray(String[]::new);
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    private static Holdfast connect() {
        return Holdfast.builder().nodes(nodes).nodeOptions(PATIENT).connect();
    }

    private interface Work {
        void run(Holdfast holdfast) throws Exception;
    }

    /** Runs the work in this many threads at the same time, each with its own client. */
    private static void clients(int count, Work work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(threads.submit(() -> {
                    try (Holdfast holdfast = connect()) {
                        work.run(holdfast);
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private EmbeddedPostgres postgres() throws IOException {
        return EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(folder.resolve("binaries").toFile())
                .setDataDirectory(folder.resolve("data"))
                .setPGStartupWait(Duration.ofMinutes(3))
                .start();
    }

    @Test
    void stockIsNeverTakenTwice() throws Exception {
        try (EmbeddedPostgres server = postgres();
                Connection database = server.getPostgresDatabase().getConnection();
                Statement statement = database.createStatement()) {
            statement.execute(StockUnderLoad.DDL);
            statement.execute("INSERT INTO stock (item, pieces) VALUES ('bolt', 100)");
            String url = server.getJdbcUrl("postgres", "postgres");
            AtomicInteger taken = new AtomicInteger();

            clients(4, holdfast -> {
                try (Connection own = DriverManager.getConnection(url)) {
                    own.setAutoCommit(false);
                    while (StockUnderLoad.take(holdfast, own, "bolt", 3)) {
                        taken.addAndGet(3);
                    }
                }
            });

            assertThat(taken).hasValue(99);
            try (ResultSet rows = statement.executeQuery("SELECT pieces FROM stock")) {
                rows.next();
                assertThat(rows.getLong(1)).isEqualTo(1);
            }
            statement.execute("UPDATE stock SET pieces = 2, fence = 0");
            String[] arguments = {url, nodes[0], nodes[1], nodes[2]};
            StockUnderLoad.main(arguments);
        }
    }

    @Test
    void readersNeverSeeAHalfChange() throws Exception {
        try (Holdfast shared = connect()) {
            ReadersAndWriter list = new ReadersAndWriter(shared);
            clients(4, holdfast -> {
                for (int i = 0; i < 20; i++) {
                    list.move("bolt", "nut", i);
                    assertThat(list.sum()).isZero();
                }
            });
        }
        ReadersAndWriter.main(nodes);
    }

    @Test
    void noMoreThanThreeRequestsAreMadeAtTheSameTime() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        clients(6, holdfast -> {
            RateLimitedApi api = new RateLimitedApi(holdfast);
            for (int i = 0; i < 5; i++) {
                api.request(() -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    return inside.decrementAndGet();
                });
            }
        });
        assertThat(most.get()).isBetween(1, 3);
        RateLimitedApi.main(nodes);
    }

    @Test
    void aDeliveryIsPickedUpByOneShipper() throws Exception {
        AtomicInteger both = new AtomicInteger();
        try (Holdfast shared = connect()) {
            Deliveries deliveries = new Deliveries(shared);
            clients(4, holdfast -> {
                if (deliveries.pickUp(holdfast.client(), List.of("d1", "d2"))) {
                    both.incrementAndGet();
                }
            });
        }
        assertThat(both).hasValue(1);
        Deliveries.main(nodes);
    }

    @Test
    void aMessageIsHandledOnceThoughItComesToAll() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        clients(4, holdfast -> {
            MessagesOnce consumer = new MessagesOnce(holdfast);
            for (int i = 0; i < 25; i++) {
                String message = "m" + i;
                while (!consumer.handle(message, text -> handled.incrementAndGet())) {
                    Thread.onSpinWait(); // another consumer is handling the message
                }
            }
        });
        assertThat(handled).hasValue(25);
        MessagesOnce.main(nodes);
    }

    private interface StreamWork {
        void run(RedisClient server, RedisCommands<String, String> redis) throws Exception;
    }

    /** Runs the work with this many messages in a stream at the first node. */
    private static void stream(int messages, StreamWork work) throws Exception {
        try (RedisClient server = RedisClient.create(nodes[0])) {
            RedisCommands<String, String> redis = server.connect().sync();
            StreamMessagesOnce.create(redis);
            for (int i = 0; i < messages; i++) {
                redis.xadd(StreamMessagesOnce.STREAM, Map.of(StreamMessagesOnce.TEXT, "m" + i));
            }
            try {
                work.run(server, redis);
                assertThat(unacknowledged(redis)).isZero();
            } finally {
                redis.del(StreamMessagesOnce.STREAM);
            }
        }
    }

    private static long unacknowledged(RedisCommands<String, String> redis) {
        return redis.xpending(StreamMessagesOnce.STREAM, StreamMessagesOnce.GROUP)
                .getCount();
    }

    @Test
    void aMessageOfAStreamIsHandledOnceThoughItsConsumerDiesBeforeItAcknowledges() throws Exception {
        int messages = 30;
        List<String> handled = new CopyOnWriteArrayList<>();
        List<OnceGuard.Outcome<Boolean>> outcomes = new CopyOnWriteArrayList<>();
        stream(messages, (server, redis) -> {
            clients(1, holdfast -> {
                StatefulRedisConnection<String, String> dying = server.connect();
                StreamMessagesOnce first = new StreamMessagesOnce(holdfast, dying.sync(), "first", PATIENCE);
                assertThatThrownBy(() -> first.consume(message -> {
                            handled.add(message.get(StreamMessagesOnce.TEXT));
                            dying.close();
                        }))
                        .isInstanceOf(RedisException.class);
            });
            assertThat(handled).containsExactly("m0");
            assertThat(unacknowledged(redis)).isPositive();

            AtomicInteger names = new AtomicInteger();
            clients(2, holdfast -> {
                RedisCommands<String, String> own = server.connect().sync();
                StreamMessagesOnce other =
                        new StreamMessagesOnce(holdfast, own, "other" + names.incrementAndGet(), PATIENCE);
                while (handled.size() < messages || unacknowledged(own) > 0) {
                    outcomes.addAll(other.consume(message -> handled.add(message.get(StreamMessagesOnce.TEXT))));
                }
            });
        });
        assertThat(handled)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, messages).mapToObj(i -> "m" + i).toList());
        assertThat(outcomes).anyMatch(outcome -> outcome instanceof OnceGuard.AlreadyDone<?>);
        StreamMessagesOnce.main(nodes);
    }

    /** The recipe states this limit: the guard alone cannot know. */
    @Test
    void aMessageIsHandledAgainIfItsConsumerDiesBetweenWorkAndSeal() throws Exception {
        List<String> handled = new ArrayList<>();
        stream(
                1,
                (server, redis) -> clients(1, holdfast -> {
                    StreamMessagesOnce first = new StreamMessagesOnce(holdfast, redis, "first", PATIENCE);
                    assertThatThrownBy(() -> first.consume(message -> {
                                handled.add(message.get(StreamMessagesOnce.TEXT));
                                throw new IllegalStateException("dead");
                            }))
                            .hasMessage("dead");
                    StreamMessagesOnce second = new StreamMessagesOnce(holdfast, redis, "second", PATIENCE);
                    while (unacknowledged(redis) > 0) {
                        second.consume(message -> handled.add(message.get(StreamMessagesOnce.TEXT)));
                    }
                }));
        assertThat(handled).containsExactly("m0", "m0");
    }

    @Test
    void aNotificationIsSentOnceAndByOneWorkerAtATime() throws Exception {
        int notifications = 95;
        Map<Long, Integer> sent = new ConcurrentHashMap<>();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (EmbeddedPostgres server = postgres();
                Connection database = server.getPostgresDatabase().getConnection();
                Statement statement = database.createStatement()) {
            statement.execute(NotificationBatches.DDL);
            statement.execute(NotificationBatches.GUARD.ddl());
            statement.execute("INSERT INTO notifications (id, text) SELECT id, 'n' || id FROM generate_series(1, "
                    + notifications + ") AS id");
            String url = server.getJdbcUrl("postgres", "postgres");

            clients(4, holdfast -> {
                try (Connection own = DriverManager.getConnection(url)) {
                    own.setAutoCommit(false);
                    int batch;
                    do {
                        batch = NotificationBatches.sendNext(holdfast, own, notification -> {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            sent.merge(notification.id(), 1, Integer::sum);
                            inside.decrementAndGet();
                        });
                    } while (batch > 0);
                }
            });

            assertThat(sent)
                    .hasSize(notifications)
                    .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
            assertThat(most).hasValue(1);
            assertThat(unsent(statement)).isZero();
            oneWhoHadTheLockBeforeMarksNothing(url, statement);
            NotificationBatches.main(new String[] {url, nodes[0], nodes[1], nodes[2]});
            assertThat(unsent(statement)).isZero();
        }
    }

    private static void oneWhoHadTheLockBeforeMarksNothing(String url, Statement statement) throws Exception {
        statement.execute("UPDATE notifications SET sent = false WHERE id <= 3");
        long later = 1L << 52; // the token of a client that holds the lock while the batch is sent
        clients(1, holdfast -> {
            try (Connection own = DriverManager.getConnection(url)) {
                own.setAutoCommit(false);
                assertThatThrownBy(() -> NotificationBatches.sendNext(holdfast, own, notification -> {
                            try (Connection other = DriverManager.getConnection(url)) {
                                other.setAutoCommit(false);
                                NotificationBatches.GUARD.check(other, NotificationBatches.TABLE, later);
                                other.commit();
                            } catch (SQLException e) {
                                throw new AssertionError(e);
                            }
                        }))
                        .isInstanceOf(StaleTokenException.class);
            }
        });
        assertThat(unsent(statement)).isEqualTo(3);
        statement.execute("DELETE FROM " + JdbcGuard.TABLE);
    }

    private static long unsent(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM notifications WHERE NOT sent")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    void theOtherWorkerGoesOnWhereTheFirstOneStopped() throws Exception {
        List<Integer> steps = Collections.synchronizedList(new ArrayList<>());
        Holdfast first = connect();
        try (Holdfast second = connect()) {
            CountDownLatch crashed = new CountDownLatch(1);
            new WorkerFailover(first, "nightly", step -> {
                        steps.add(step);
                        if (step == 4) {
                            crashed.countDown();
                            first.close();
                        }
                    })
                    .start();
            assertThat(crashed.await(60, TimeUnit.SECONDS)).isTrue();
            WorkerFailover other = new WorkerFailover(second, "nightly", steps::add);
            try (Candidacy candidacy = other.start()) {
                other.awaitEnd();
            }
        } finally {
            first.close();
        }
        assertThat(steps).as("step 4 was done, but that was not written down").containsExactly(1, 2, 3, 4, 4, 5, 6);
        WorkerFailover.main(nodes);
    }

    @Test
    void allRunWithoutAnyServer() throws Exception {
        ReadersAndWriter.main(new String[0]);
        RateLimitedApi.main(new String[0]);
        Deliveries.main(new String[0]);
        MessagesOnce.main(new String[0]);
        WorkerFailover.main(new String[0]);
    }
}
