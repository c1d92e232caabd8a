package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.testkit.redis.RedisProcesses;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/recipes.md do what they say, on three real nodes. */
class RecipesTest {

    private static RedisProcesses redis;
    private static String[] nodes;

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

    private interface Work {
        void run(Holdfast holdfast) throws Exception;
    }

    /** So many clients at the same time, each of its own. */
    private static void clients(int count, Work work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(threads.submit(() -> {
                    try (Holdfast holdfast = Holdfast.connect(nodes)) {
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

    @Test
    void stockIsNeverTakenTwice() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setOverrideWorkingDirectory(folder.resolve("binaries").toFile())
                        .setDataDirectory(folder.resolve("data"))
                        .start();
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
        try (Holdfast shared = Holdfast.connect(nodes)) {
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
        try (Holdfast shared = Holdfast.connect(nodes)) {
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
                    Thread.onSpinWait(); // another is at it
                }
            }
        });
        assertThat(handled).hasValue(25);
        MessagesOnce.main(nodes);
    }

    @Test
    void allRunWithoutAnyServer() throws Exception {
        ReadersAndWriter.main(new String[0]);
        RateLimitedApi.main(new String[0]);
        Deliveries.main(new String[0]);
        MessagesOnce.main(new String[0]);
    }
}
