package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.FenceFromTime;
import dev.holdfast.node.LockTable;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Seal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * Random operations at the functions of a schema and at a {@link LockTable}, at the same times, whose answers, pushes and states it compares. Both
 * get the time from the trial, so nothing depends on how fast the server is.
 */
final class SqlTrial {

    private static final String[] CLIENTS = {
        "billing@host-7~a1b2c3d4",
        "billing@host-7~a1b2c3d5",
        "Zoe~00000000",
        "a.b:c_d~zzzzzzzz",
        "a.b-c~0123456789",
        "Billing~a1b2c3d4",
    };
    private static final String[] TEXTS = {
        "", "a", "a|b\0\u0010", "100 %\n%0A\n", "\u00e4\u4e2d\ud83d\udd12", "x".repeat(1024)
    };
    private static final String[] NAMES = {
        "lock:short", "lock:short|2", "lock:calm", "lock:queued \ud83d\udd12", "lock:any", "lock:any'2"
    };
    private static final long[] SHORT_MILLIS = {5, 15, 30, 45};
    private static final long[] LONG_MILLIS = {2_000, 3_000, 6_000};
    private static final long EARLIEST_ATTEMPT = 1_780_000_000_000_000L;
    private static final long DAY_MILLIS = 86_400_000;

    private final Connection connection;
    private final Schema schema;
    private final Link link;
    private final long seed;
    private final Random random;
    private final Map<String, LockTable> tables = new HashMap<>();
    private final Map<String, Long> bases = new HashMap<>();
    private final Map<String, Long> lastFences = new HashMap<>();
    private final Map<String, List<OwnerId>> inUse = new HashMap<>();
    private final List<OwnerId> owners = new ArrayList<>();
    private final Deque<String> history = new ArrayDeque<>();
    private final Map<String, Integer> tally = new TreeMap<>();
    private final PreparedStatement acquire;
    private final PreparedStatement release;
    private final PreparedStatement quiet;
    private final String process;
    private long now = 1_790_000_000_123L;
    private int done;

    SqlTrial(Connection connection, Schema schema, long seed) throws SQLException {
        this.connection = connection;
        this.schema = schema;
        this.link = new Link(connection, schema, DAY_MILLIS);
        this.seed = seed;
        this.random = new Random(seed);
        this.acquire = connection.prepareStatement(
                schema.sql("SELECT * FROM holdfast.acquire(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
        this.release = connection.prepareStatement(
                schema.sql("SELECT * FROM holdfast.release(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
        this.quiet = connection.prepareStatement(schema.sql(Batch.SQL));
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "SET synchronous_commit = off"); // a quiet release does that for the rest of its transaction
            try (ResultSet row = statement.executeQuery(schema.sql("SELECT holdfast.process()"))) {
                row.next();
                process = row.getString(1);
            }
        }
        for (String client : CLIENTS) {
            owners.add(new OwnerId(client, EARLIEST_ATTEMPT, 0));
        }
        for (String name : NAMES) {
            tables.put(name, new LockTable(retention(name), 0));
            bases.put(name, FenceFromTime.ofRun(0));
            lastFences.put(name, 0L);
            inUse.put(name, List.of());
        }
    }

    /** Returns how many operations were compared. */
    int done() {
        return done;
    }

    /** Returns how often each kind of operation, answer and push came up. */
    Map<String, Integer> tally() {
        return tally;
    }

    /** Plays operations, and fails at the first difference. */
    void play(int operations) throws SQLException {
        connection.setAutoCommit(
                false); // nothing reads the tables meanwhile, and a commit for each operation takes most of the time
        for (; done < operations; done++) {
            now += random.nextInt(4) == 0 ? random.nextInt(40) : random.nextInt(3);
            String name = NAMES[random.nextInt(NAMES.length)];
            try {
                step(name);
            } catch (AssertionError e) {
                throw new AssertionError(
                        "seed " + seed + ", operation " + done + ": " + e.getMessage() + "\n"
                                + String.join("\n", history),
                        e);
            }
            if (done % 500 == 499) {
                connection.commit();
            }
        }
        connection.commit();
    }

    private static long retention(String name) {
        return name.startsWith("lock:short") ? 60 : DAY_MILLIS;
    }

    private LockTable table(String name) {
        return tables.get(name);
    }

    private void step(String name) throws SQLException {
        if (random.nextInt(50) == 0) {
            long from = now + new int[] {0, 0, -1_000, 200}[random.nextInt(4)];
            table(name).restarted(from);
            bases.put(name, FenceFromTime.ofRun(from));
            note("restart, votes count from " + from);
        } else if (random.nextInt(200) == 0) {
            table(name).followClock();
            bases.put(name, Long.MAX_VALUE);
            note("follow the clock");
        }
        List<Push> expectedPushes = new ArrayList<>();
        if (random.nextInt(10) < 6) {
            AcquireRequest request = nextAcquire(name);
            note(request.toString());
            AcquireAnswer expected = table(name).acquire(request, now, expectedPushes::add);
            count(
                    expected instanceof AcquireAnswer.Denied denied
                            ? "Denied " + denied.reason()
                            : expected.getClass().getSimpleName());
            note("    " + expected);
            assertThat(LockCall.acquireAnswer(row(name, request, expectedPushes)))
                    .isEqualTo(expected);
        } else {
            ReleaseRequest request = nextRelease(name);
            note(request.toString());
            Object expected = table(name).release(request, now, expectedPushes::add);
            count(expected.getClass().getSimpleName());
            note("    " + expected);
            assertThat((Object) LockCall.releaseAnswer(row(name, request, expectedPushes)))
                    .isEqualTo(expected);
        }
        expectedPushes.forEach(push -> count("push " + push.getClass().getSimpleName()));
        ResourceState expected = table(name).inspect(name, now);
        note("    " + expected);
        assertThat(link.inspect(name, now)).isEqualTo(expected);
        if (expected.fence() != 0) {
            lastFences.put(name, expected.fence());
        }
        List<OwnerId> used = new ArrayList<>();
        expected.holders()
                .forEach(holder -> used.add(OwnerId.parse(holder.owner()).orElseThrow()));
        expected.waiters()
                .forEach(waiter -> used.add(OwnerId.parse(waiter.owner()).orElseThrow()));
        inUse.put(name, used);
    }

    private void note(String line) {
        history.add(now + " " + line);
        if (history.size() > 60) {
            history.removeFirst();
        }
    }

    private void count(String what) {
        tally.merge(what, 1, Integer::sum);
    }

    private AcquireRequest nextAcquire(String name) {
        boolean calm = name.equals("lock:calm");
        boolean queued = name.startsWith("lock:queued");
        LockMode mode = calm || queued || random.nextInt(3) == 0
                ? LockMode.EX
                : LockMode.values()[random.nextInt(LockMode.values().length)];
        boolean raise = !queued && random.nextInt(calm ? 2 : 4) == 0;
        long last = lastFences.get(name);
        long floor = raise ? Math.max((last == 0 ? now / 1000 << 20 : last) + random.nextInt(8) - 3, 1) : 0;
        return new AcquireRequest(
                name,
                nextOwner(name),
                mode,
                new AcquireRequest.Terms(millis(name), millis(name), 1 + random.nextInt(8)),
                !calm && (queued || random.nextInt(10) < 7),
                new AcquireRequest.Update(
                        floor, raise && random.nextBoolean(), raise && random.nextBoolean() ? nextValue(floor) : null));
    }

    private ReleaseRequest nextRelease(String name) {
        OwnerId owner = nextOwner(name);
        long bury = random.nextInt(8) == 0 ? SHORT_MILLIS[random.nextInt(SHORT_MILLIS.length)] : 0;
        Seal seal = random.nextInt(40) == 0
                ? new Seal(owner.toString(), random.nextInt(5_000), SHORT_MILLIS[random.nextInt(SHORT_MILLIS.length)])
                : null;
        LockValue value = random.nextInt(3) == 0 ? nextValue(Math.max(lastFences.get(name), 1)) : null;
        return new ReleaseRequest(name, owner, bury, seal, value);
    }

    private LockValue nextValue(long token) {
        return new LockValue(
                Math.max(token - random.nextInt(3), 1), 1 + random.nextInt(3), TEXTS[random.nextInt(TEXTS.length)]);
    }

    private OwnerId nextOwner(String name) {
        int index = random.nextInt(owners.size());
        OwnerId owner = owners.get(index);
        int dice = random.nextInt(10);
        if (dice < 4 && !inUse.get(name).isEmpty()) {
            return inUse.get(name).get(random.nextInt(inUse.get(name).size()));
        }
        if (dice == 4) {
            owner = owner.inRound(owner.round() + 1);
        } else if (dice < 8) {
            int attempt = random.nextInt(20);
            String label = attempt % 4 == 0 ? "it's " + attempt + " % / ü | (~)" : "";
            owner = new OwnerId(owner.client(), EARLIEST_ATTEMPT + attempt, 0, label);
        }
        owners.set(index, owner);
        return owner;
    }

    private long millis(String name) {
        boolean brief = name.startsWith("lock:short") || random.nextInt(5) == 0;
        return brief
                ? SHORT_MILLIS[random.nextInt(SHORT_MILLIS.length)]
                : LONG_MILLIS[random.nextInt(LONG_MILLIS.length)];
    }

    /** Carries a request out as one for a quiet resource, and returns the answer; null if it is not one. */
    private String[] quietRow(String name, LockCall call, List<Push> expectedPushes) throws SQLException {
        Batch batch = new Batch(List.of(call));
        batch.set(quiet, process, now, retention(name));
        try (ResultSet rows = quiet.executeQuery()) {
            String[] answer = batch.read(rows).get(0);
            if (answer.length > 0) {
                assertThat(expectedPushes).as("pushes for a quiet resource").isEmpty();
                count("quiet " + call.kind());
                return answer;
            }
            return null;
        }
    }

    private String[] row(String name, AcquireRequest request, List<Push> expectedPushes) throws SQLException {
        String[] quietly = quietRow(name, LockCall.of(request, bases.get(name)), expectedPushes);
        if (quietly != null) {
            return quietly;
        }
        acquire.setLong(1, now);
        acquire.setLong(2, bases.get(name));
        acquire.setLong(3, retention(name));
        acquire.setString(4, name);
        acquire.setString(5, request.owner().toString());
        acquire.setInt(6, request.mode().ordinal());
        acquire.setLong(7, request.ttlMillis());
        acquire.setBoolean(8, request.queue());
        acquire.setLong(9, request.waiterTtlMillis());
        acquire.setInt(10, request.tokens());
        acquire.setLong(11, request.floor());
        acquire.setBoolean(12, request.heal());
        setValue(acquire, 13, request.value());
        return row(acquire, expectedPushes);
    }

    private String[] row(String name, ReleaseRequest request, List<Push> expectedPushes) throws SQLException {
        String[] quietly = quietRow(name, LockCall.of(request, bases.get(name)), expectedPushes);
        if (quietly != null) {
            return quietly;
        }
        Seal seal = request.seal();
        release.setLong(1, now);
        release.setLong(2, bases.get(name));
        release.setLong(3, retention(name));
        release.setString(4, name);
        release.setString(5, request.owner().toString());
        release.setLong(6, request.buryMillis());
        release.setString(7, seal == null ? null : seal.by());
        release.setObject(8, seal == null ? null : seal.agoMillis(), Types.BIGINT);
        release.setObject(9, seal == null ? null : seal.remainingMillis().orElseThrow(), Types.BIGINT);
        setValue(release, 10, request.value());
        return row(release, expectedPushes);
    }

    private static void setValue(PreparedStatement statement, int at, LockValue value) throws SQLException {
        statement.setObject(at, value == null ? null : value.token(), Types.BIGINT);
        statement.setObject(at + 1, value == null ? null : value.number(), Types.BIGINT);
        statement.setString(at + 2, value == null ? null : ValueText.stored(value.text()));
    }

    private static String[] row(PreparedStatement statement, List<Push> expectedPushes) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            List<Push> pushes = Arrays.stream((String[]) row.getArray(2).getArray())
                    .map(PushText::parse)
                    .map(Optional::orElseThrow)
                    .toList();
            assertThat(pushes).as("pushes").isEqualTo(expectedPushes);
            return (String[]) row.getArray(1).getArray();
        }
    }
}
