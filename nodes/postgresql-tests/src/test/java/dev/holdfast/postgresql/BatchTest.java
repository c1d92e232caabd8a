package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockTable;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Seal;
import dev.holdfast.testkit.Effort;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** The requests of one statement get their own answers, whichever of them share a statement for quiet resources. */
@Tag("slow")
class BatchTest {

    private static final String[] CLIENTS = {"one~00000000", "two~00000000", "three~00000000"};
    private static final int RESOURCES = 12;
    private static final int BATCHES = Effort.of(300, 5_000);

    @AutoClose
    private static final TestDatabase DATABASE = TestDatabase.start();

    @BeforeEach
    void dropSchema() {
        DATABASE.execute("DROP SCHEMA IF EXISTS holdfast CASCADE");
    }

    private static ReleaseRequest release(String resource, long bury, Seal seal, LockValue value) {
        return new ReleaseRequest(resource, new OwnerId(CLIENTS[0], 7, 0), bury, seal, value);
    }

    private static AcquireRequest acquire(String resource, String client, long ticket, LockMode mode, boolean queue) {
        return new AcquireRequest(
                resource,
                new OwnerId(client, ticket, 0),
                mode,
                new AcquireRequest.Terms(3_600_000, 3_600_000, 1),
                queue,
                AcquireRequest.Update.NONE);
    }

    @Test
    void onlyRequestsThatChangeNothingButAVoteArePlain() {
        LockValue value = new LockValue(1, 1, "value");
        AcquireRequest plain = acquire("lock:a", CLIENTS[0], 7, LockMode.EX, false);
        AcquireRequest raise = new AcquireRequest(
                "lock:a", plain.owner(), LockMode.EX, plain.terms(), false, new AcquireRequest.Update(3, false, null));
        AcquireRequest valued = new AcquireRequest(
                "lock:a", plain.owner(), LockMode.EX, plain.terms(), false, new AcquireRequest.Update(3, false, value));

        assertThat(LockCall.of(plain, 0).isPlain()).isTrue();
        assertThat(LockCall.of(acquire("lock:a", CLIENTS[0], 7, LockMode.NL, false), 0)
                        .isPlain())
                .isFalse();
        assertThat(LockCall.of(raise, 0).isPlain()).isFalse();
        assertThat(LockCall.of(valued, 0).isPlain()).isFalse();
        assertThat(LockCall.of(release("lock:a", 0, null, null), 0).isPlain()).isTrue();
        assertThat(LockCall.of(release("lock:a", 5, null, null), 0).isPlain()).isFalse();
        assertThat(LockCall.of(release("lock:a", 0, new Seal("by", 0, 5), null), 0)
                        .isPlain())
                .isFalse();
        assertThat(LockCall.of(release("lock:a", 0, null, value), 0).isPlain()).isFalse();
    }

    @Test
    void everyRequestOfABatchGetsItsOwnAnswer(TestReporter reporter) throws SQLException {
        long seed = Effort.seed(20261126);
        Random random = new Random(seed);
        Map<String, LockTable> tables = new HashMap<>();
        int together = 0;
        try (Connection connection = DATABASE.connect()) {
            Schema schema = new Schema(Schema.DEFAULT_NAME);
            try (Link link = new Link(connection, schema, 3_600_000)) {
                schemaOf(link, schema);
                for (int i = 0; i < BATCHES; i++) {
                    List<LockCall> calls = new ArrayList<>();
                    List<String> expected = new ArrayList<>();
                    for (int j = random.nextInt(8); j >= 0; j--) {
                        add(random, tables, calls, expected);
                    }
                    List<String> answers = new ArrayList<>();
                    List<String[]> rows = link.carryOut(calls);
                    IntStream.range(0, rows.size())
                            .forEach(j -> answers.add(kind(calls.get(j).isAcquire(), rows.get(j))));

                    assertThat(answers)
                            .as("seed %d, batch %d: %s", seed, i, calls)
                            .isEqualTo(expected);
                    together += expected.size() > 1 ? 1 : 0;
                }
                for (Map.Entry<String, LockTable> entry : tables.entrySet()) {
                    ResourceState state = entry.getValue().inspect(entry.getKey(), 1);
                    ResourceState found = link.inspect(entry.getKey(), null);
                    assertThat(found.holders()).extracting("owner").isEqualTo(owners(state.holders()));
                    assertThat(found.waiters()).extracting("owner").isEqualTo(owners(state.waiters()));
                }
            }
        }
        reporter.publishEntry("seed " + seed + ", " + together + " batches of several requests");
        assertThat(together).isGreaterThan(BATCHES / 2);
    }

    private static void schemaOf(Link link, Schema schema) throws SQLException {
        try (Statement statement = link.connection().createStatement()) {
            statement.execute(schema.creation());
        }
        link.connect();
    }

    private static List<Object> owners(List<?> all) {
        return new ArrayList<>(all.stream()
                .map(one -> one instanceof ResourceState.Holder holder
                        ? holder.owner()
                        : ((ResourceState.Waiter) one).owner())
                .toList());
    }

    /** Adds a request to a batch, and the kind of its answer, for which each earlier request of the batch has been carried out. */
    private static void add(Random random, Map<String, LockTable> tables, List<LockCall> calls, List<String> expected) {
        String resource = "lock:" + random.nextInt(RESOURCES);
        LockTable table = tables.computeIfAbsent(resource, name -> new LockTable(3_600_000, 0));
        String client = CLIENTS[random.nextInt(CLIENTS.length)];
        long ticket = 1 + random.nextInt(3);
        if (random.nextInt(2) == 0) {
            LockMode mode = random.nextInt(4) == 0 ? LockMode.PR : LockMode.EX;
            AcquireRequest request = acquire(resource, client, ticket, mode, random.nextInt(4) == 0);
            calls.add(LockCall.of(request, 0));
            expected.add(table.acquire(request, 1, push -> {}).getClass().getSimpleName());
        } else {
            LockValue value = random.nextInt(6) == 0 ? new LockValue(1, 1, "value") : null;
            ReleaseRequest request = new ReleaseRequest(resource, new OwnerId(client, ticket, 0), 0, null, value);
            calls.add(LockCall.of(request, 0));
            expected.add(table.release(request, 1, push -> {}).getClass().getSimpleName());
        }
    }

    private static String kind(boolean acquire, String[] row) {
        Object answer = acquire ? LockCall.acquireAnswer(row) : LockCall.releaseAnswer(row);
        assertThat(answer).isNotInstanceOf(AcquireAnswer.Sealed.class);
        return answer.getClass().getSimpleName();
    }
}
