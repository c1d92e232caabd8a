package dev.holdfast.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.OwnerId;
import dev.holdfast.redis.TestServer;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** The cost of a request at the server where very many clients share a lock: as many commands as with few, and none that reads all of them. */
@Tag("slow")
class ManyReadersTest {

    private static final int MANY = Integer.getInteger("holdfast.readers", 10_000);

    private TestServer server;
    private StatefulRedisConnection<String, String> connection;
    private ReaderCosts readers;

    @BeforeEach
    void connect() {
        server = TestServer.start();
        connection = server.client().connect(server.uri());
        readers = new ReaderCosts(connection);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void c15_aSharedVoteCostsAsManyCommandsWhereManyHoldTheLock() {
        assertThat(readers.noticed()).isEmpty();
    }

    @Test
    void c15_veryManyReadersShareALockAndGo(TestReporter reporter) {
        readers.read(1, MANY);
        reporter.publishEntry(MANY + " readers: " + readers.costs());
        assertThat(connection.sync().hlen(LockKeys.side(ReaderCosts.LOCK, "shared")))
                .isEqualTo(MANY + 1);
        List<CompletableFuture<Object>> answers = new ArrayList<>();
        for (long ticket = 1; ticket <= MANY; ticket++) {
            answers.add(readers.send(readers.release(16 * ticket)));
        }
        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(((Reply) answer.join()).number(0)).isEqualTo(1));
        assertThat(connection
                        .sync()
                        .exists(
                                ReaderCosts.LOCK,
                                LockKeys.side(ReaderCosts.LOCK, "shared"),
                                LockKeys.side(ReaderCosts.LOCK, "votes")))
                .as("nothing is left of them")
                .isZero();
    }

    /** As a version without an index stores them, which is the field of each vote alone. */
    private void writeAsTheVersionBefore(OwnerId owner, LockMode mode, long fence) {
        List<String> time = new ArrayList<>(connection.sync().time());
        long until = Long.parseLong(time.get(0)) * 1_000 + ReaderCosts.TTL_MILLIS;
        connection.sync().set(ReaderCosts.LOCK, "holdfast:shared");
        connection.sync().pexpire(ReaderCosts.LOCK, ReaderCosts.TTL_MILLIS);
        connection
                .sync()
                .hset(LockKeys.side(ReaderCosts.LOCK, "shared"), owner.toString(), mode + "|" + until + "|" + fence);
        connection
                .sync()
                .hdel(LockKeys.side(ReaderCosts.LOCK, "shared"), "indexed"); // it takes it for a vote that has ended
        connection.sync().pexpire(LockKeys.side(ReaderCosts.LOCK, "shared"), ReaderCosts.TTL_MILLIS);
    }

    @Test
    void votesThatTheVersionBeforeHasWrittenCount() {
        writeAsTheVersionBefore(ReaderCosts.reader(16), LockMode.PR, 5);

        assertThat(readers.eval(readers.acquire(32, LockMode.EX, false, 0)).text(0))
                .isEqualTo("DENIED");
        assertThat(readers.eval(readers.acquire(48, LockMode.PR, false, 0)).text(0))
                .isEqualTo("GRANTED");
        assertThat(readers.eval(readers.release(16)).number(0)).isEqualTo(1);
        assertThat(readers.eval(readers.acquire(32, LockMode.EX, false, 0)).text(0))
                .isEqualTo("DENIED");
        assertThat(readers.eval(readers.release(48)).number(0)).isEqualTo(1);
        assertThat(readers.eval(readers.acquire(32, LockMode.EX, false, 0)).number(0))
                .isPositive();
    }

    @Test
    void whatTheVersionBeforeChangesInBetweenCounts() {
        assertThat(readers.eval(readers.acquire(16, LockMode.PR, false, 0)).text(0))
                .isEqualTo("GRANTED");
        writeAsTheVersionBefore(ReaderCosts.reader(32), LockMode.PR, 7);
        connection
                .sync()
                .hdel(
                        LockKeys.side(ReaderCosts.LOCK, "shared"),
                        ReaderCosts.reader(16).toString());

        assertThat(readers.eval(readers.acquire(48, LockMode.EX, false, 0)).text(4))
                .as("as many votes as the index has, but another one")
                .isEqualTo(ReaderCosts.reader(32).toString());
        assertThat(readers.eval(readers.acquire(64, LockMode.CW, false, 0)).text(0))
                .isEqualTo("DENIED");
        assertThat(readers.eval(readers.release(16)).number(0)).isZero();
        assertThat(readers.eval(readers.release(32)).number(0)).isEqualTo(1);
        assertThat(connection.sync().exists(ReaderCosts.LOCK)).isZero();
    }

    @Test
    void anIndexThatIsGoneIsMadeAnew() {
        readers.read(1, 3);
        connection.sync().del(LockKeys.side(ReaderCosts.LOCK, "votes"));

        assertThat(readers.eval(readers.acquire(7, LockMode.EX, false, 0)).text(0))
                .isEqualTo("DENIED");
    }
}
