package dev.holdfast.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.redis.TestServer;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** The cost of a request at the server where very many clients share a lock: as many commands as with few, and none that reads all of them. */
@Tag("slow")
class ManyReadersTest {

    private static final String LOCK = "lock:shared";
    private static final long TTL_MILLIS = 600_000;
    private static final int MANY = Integer.getInteger("holdfast.readers", 10_000);

    /** Each looks at a whole key. */
    private static final Set<String> OF_A_WHOLE_KEY = Set.of("hgetall", "hkeys", "hvals", "zscan", "hscan");

    private TestServer server;
    private StatefulRedisConnection<String, String> connection;

    @BeforeEach
    void connect() {
        server = TestServer.start();
        connection = server.client().connect(server.uri());
        for (LuaScript script : LuaScript.values()) {
            connection.sync().scriptLoad(script.text());
        }
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static OwnerId reader(long ticket) {
        return new OwnerId("reader~00000000", ticket, 0);
    }

    private AcquireCall acquire(long ticket, LockMode mode, boolean queue, long floor) {
        return new AcquireCall(
                new AcquireRequest(
                        LOCK,
                        reader(ticket),
                        mode,
                        new AcquireRequest.Terms(TTL_MILLIS, TTL_MILLIS, 1),
                        queue,
                        new AcquireRequest.Update(floor, floor > 0, null)),
                TTL_MILLIS,
                1);
    }

    private ReleaseCall release(long ticket) {
        return new ReleaseCall(new ReleaseRequest(LOCK, reader(ticket), 0), TTL_MILLIS, 1);
    }

    private Reply eval(ScriptCall<?> call) {
        return (Reply) send(call).join();
    }

    private CompletableFuture<Object> send(ScriptCall<?> call) {
        return connection
                .async()
                .dispatch(CommandType.EVALSHA, new ScriptOutput(), call.commandArgs(true))
                .toCompletableFuture();
    }

    /** Lets readers with these tickets have the lock. */
    private void read(long first, long last) {
        List<CompletableFuture<Object>> answers = new ArrayList<>();
        for (long ticket = first; ticket <= last; ticket++) {
            answers.add(send(acquire(16 * ticket, LockMode.PR, false, 0)));
        }
        answers.forEach(CompletableFuture::join);
    }

    /** One of each: a reader acquires, extends, and fails to write; a writer queues, retries and cancels; the reader releases. */
    private List<String> oneOfEach() {
        List<String> answers = new ArrayList<>();
        Reply granted = eval(acquire(7, LockMode.PR, false, 0));
        answers.add(granted.text(0));
        answers.add(eval(acquire(7, LockMode.PR, false, granted.fence(1))).text(0));
        answers.add(eval(acquire(1L << 40, LockMode.EX, false, 0)).text(0));
        answers.add(eval(acquire(1L << 40, LockMode.EX, true, 0)).text(0));
        answers.add(eval(acquire(1L << 40, LockMode.EX, true, 0)).text(0));
        answers.add(eval(acquire(7, LockMode.PR, false, granted.fence(1))).text(2));
        eval(release(1L << 40));
        eval(release(7));
        return answers;
    }

    /** How often each command ran, and the microseconds of all scripts, for one of each request. */
    private TreeMap<String, Long> costs() {
        oneOfEach(); // what has to be made once is there
        connection.sync().configResetstat();
        assertThat(oneOfEach())
                .containsExactly(
                        "GRANTED",
                        "GRANTED",
                        "DENIED",
                        "QUEUED",
                        "QUEUED",
                        reader(1L << 40).toString());
        TreeMap<String, Long> calls = new TreeMap<>();
        for (String line : connection.sync().info("commandstats").split("\r\n")) {
            if (line.startsWith("cmdstat_")) {
                String command = line.substring("cmdstat_".length(), line.indexOf(':'));
                calls.put(command, Long.parseLong(line.replaceAll(".*:calls=(\\d+).*", "$1")));
                if (command.equals("evalsha")) {
                    calls.put("~microseconds", Long.parseLong(line.replaceAll(".*,usec=(\\d+).*", "$1")));
                }
            }
        }
        return calls;
    }

    @Test
    void aSharedVoteCostsAsManyCommandsWhereManyHoldTheLock(TestReporter reporter) {
        read(1, 100);
        TreeMap<String, Long> few = costs();
        read(101, 2_000);
        TreeMap<String, Long> many = costs();
        reporter.publishEntry("100 readers: " + few + "\n2000 readers: " + many);
        few.remove("~microseconds");
        many.remove("~microseconds");
        assertThat(many)
                .as(
                        "whether a key must live longer depends on the millisecond; a look at each reader would add 1,900 commands")
                .allSatisfy((command, calls) -> assertThat(calls).isCloseTo(few.getOrDefault(command, 0L), within(4L)));
        assertThat(new TreeSet<>(many.keySet())).doesNotContainAnyElementsOf(OF_A_WHOLE_KEY);
    }

    @Test
    void veryManyReadersShareALockAndGo(TestReporter reporter) {
        read(1, MANY);
        reporter.publishEntry(MANY + " readers: " + costs());
        assertThat(connection.sync().hlen(LockKeys.side(LOCK, "shared"))).isEqualTo(MANY + 1);
        List<CompletableFuture<Object>> answers = new ArrayList<>();
        for (long ticket = 1; ticket <= MANY; ticket++) {
            answers.add(send(release(16 * ticket)));
        }
        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(((Reply) answer.join()).number(0)).isEqualTo(1));
        assertThat(connection.sync().exists(LOCK, LockKeys.side(LOCK, "shared"), LockKeys.side(LOCK, "votes")))
                .as("nothing is left of them")
                .isZero();
    }

    /** As a version without an index stores them, which is the field of each vote alone. */
    private void writeAsTheVersionBefore(OwnerId owner, LockMode mode, long fence) {
        List<String> time = new ArrayList<>(connection.sync().time());
        long until = Long.parseLong(time.get(0)) * 1_000 + TTL_MILLIS;
        connection.sync().set(LOCK, "holdfast:shared");
        connection.sync().pexpire(LOCK, TTL_MILLIS);
        connection.sync().hset(LockKeys.side(LOCK, "shared"), owner.toString(), mode + "|" + until + "|" + fence);
        connection.sync().hdel(LockKeys.side(LOCK, "shared"), "indexed"); // it takes it for a vote that has ended
        connection.sync().pexpire(LockKeys.side(LOCK, "shared"), TTL_MILLIS);
    }

    @Test
    void votesThatTheVersionBeforeHasWrittenCount() {
        writeAsTheVersionBefore(reader(16), LockMode.PR, 5);

        assertThat(eval(acquire(32, LockMode.EX, false, 0)).text(0)).isEqualTo("DENIED");
        assertThat(eval(acquire(48, LockMode.PR, false, 0)).text(0)).isEqualTo("GRANTED");
        assertThat(eval(release(16)).number(0)).isEqualTo(1);
        assertThat(eval(acquire(32, LockMode.EX, false, 0)).text(0)).isEqualTo("DENIED");
        assertThat(eval(release(48)).number(0)).isEqualTo(1);
        assertThat(eval(acquire(32, LockMode.EX, false, 0)).number(0)).isPositive();
    }

    @Test
    void whatTheVersionBeforeChangesInBetweenCounts() {
        assertThat(eval(acquire(16, LockMode.PR, false, 0)).text(0)).isEqualTo("GRANTED");
        writeAsTheVersionBefore(reader(32), LockMode.PR, 7);
        connection.sync().hdel(LockKeys.side(LOCK, "shared"), reader(16).toString());

        assertThat(eval(acquire(48, LockMode.EX, false, 0)).text(4))
                .as("as many votes as the index has, but another one")
                .isEqualTo(reader(32).toString());
        assertThat(eval(acquire(64, LockMode.CW, false, 0)).text(0)).isEqualTo("DENIED");
        assertThat(eval(release(16)).number(0)).isZero();
        assertThat(eval(release(32)).number(0)).isEqualTo(1);
        assertThat(connection.sync().exists(LOCK)).isZero();
    }

    @Test
    void anIndexThatIsGoneIsMadeAnew() {
        read(1, 3);
        connection.sync().del(LockKeys.side(LOCK, "votes"));

        assertThat(eval(acquire(7, LockMode.EX, false, 0)).text(0)).isEqualTo("DENIED");
    }
}
