package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import dev.holdfast.testkit.postgresql.PostgresProcess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A primary with a streaming standby, which is promoted once the primary is dead. */
@Tag("slow")
class StandbyTest extends NodeOnPostgres {

    @AutoClose
    private final TestDatabase primary = TestDatabase.start();

    @AutoClose
    private final PostgresProcess standby = primary.standby("s1");

    StandbyTest() {
        super(Duration.ofSeconds(120));
    }

    /** Waits until the primary knows the standby. A client that connects earlier may see a primary without standbys. */
    @BeforeEach
    void awaitTheStandby() {
        await().atMost(patience)
                .until(() -> one("SELECT count(*) FROM pg_stat_replication").equals("1"));
    }

    private Connection connectToStandby() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://localhost:" + standby.port() + "/postgres", "postgres", "");
    }

    private String onStandby(String sql) {
        try (Connection connection = connectToStandby();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            return e.getMessage();
        }
    }

    private void on(String sql) {
        primary.execute(sql);
    }

    private void openBoth(String user) {
        node = new PostgresNodeProvider()
                .open(
                        "postgresql://" + user + "@localhost:" + primary.port() + ",localhost:" + standby.port()
                                + "/postgres",
                        context(ttl -> 10 * ttl));
        untilAvailable();
    }

    /** Makes every commit of the primary wait for these standbys, by a reload, as an operator does. */
    private void waitsFor(String standbys) {
        on("ALTER SYSTEM SET synchronous_standby_names = '" + standbys + "'");
        on("SELECT pg_reload_conf()");
        await().atMost(patience)
                .untilAsserted(
                        () -> assertThat(setting("synchronous_standby_names")).isEqualTo(standbys));
        if (!standbys.isEmpty()) {
            await().atMost(patience)
                    .until(() -> one("SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')")
                            .equals("1"));
        }
    }

    private String setting(String name) {
        return one("SHOW " + name);
    }

    private String one(String sql) {
        try (Connection connection = primary.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void failOver() {
        primary.kill();
        assertThat(onStandby("SELECT pg_promote()")).isEqualTo("t");
        await().atMost(patience)
                .until(() -> listener.serverId() == null || !listener.serverId().contains("00000001"));
        untilAvailable();
    }

    private long granted(String resource, long ticket) {
        AcquireAnswer answer = ask(resource, ticket, false);
        assertThat(answer).isInstanceOf(Granted.class);
        return ((Granted) answer).fence();
    }

    @Test
    void aSynchronousStandbyHasEveryVoteSoItIsNotQuarantined() {
        waitsFor("s1");
        openBoth("postgres");
        long token = granted("lock:a", 1);
        granted("lock:b", 1);
        assertThat(ask("lock:b", 2, true)).isInstanceOf(AcquireAnswer.Queued.class);

        failOver();

        assertThat(node.quarantineMillis(60_000)).isZero();
        assertThat(node.status().toCompletableFuture().join().state()).isEqualTo(NodeStatus.State.UP);
        assertThat(ask("lock:a", 2, false)).as("the vote is there").isInstanceOf(AcquireAnswer.Denied.class);
        assertThat(ask("lock:b", 3, true))
                .as("the first waiter has kept its position")
                .isInstanceOfSatisfying(
                        AcquireAnswer.Queued.class,
                        queued -> assertThat(queued.place()).isEqualTo(2));
        node.release(new ReleaseRequest(
                        "lock:a",
                        request("lock:a", 1, false, AcquireRequest.Update.NONE).owner(),
                        0))
                .toCompletableFuture()
                .join();
        assertThat(granted("lock:a", 4)).as("fences continue above").isGreaterThan(token);
    }

    @Test
    void anAsynchronousStandbyMayLackVotesSoItIsQuarantinedAndItsFencesBeginAbove() {
        openBoth("postgres");
        assertThat(node.status().toCompletableFuture().join().server().warnings())
                .anyMatch(line -> line.contains("synchronous_standby_names is empty, and the server has standbys"));
        on("CREATE TABLE late (x int)");
        await().atMost(patience)
                .until(() -> onStandby("SELECT to_regclass('late')").equals("late"));
        onStandby("SELECT pg_wal_replay_pause()");
        long lost = granted("lock:a", 1);
        standby.kill(); // it never receives the rest
        granted("lock:b", 1);
        long more = granted("lock:c", 1);
        primary.kill();
        standby.restart();

        failOver();

        assertThat(node.quarantineMillis(60_000)).isBetween(1L, 600_000L);
        assertThat(ask("lock:c", 2, false)).isInstanceOf(AcquireAnswer.Quarantined.class);
        assertThat(onStandby("SELECT count(*) FROM holdfast.vote WHERE resource = 'lock:c'"))
                .as("what is lost")
                .isEqualTo("0");
        node.close();
        node = new PostgresNodeProvider()
                .open("postgresql://postgres@localhost:" + standby.port() + "/postgres", context(ttl -> 0));
        await().atMost(patience)
                .untilAsserted(() -> assertThat(granted("lock:c", 3)).isGreaterThan(Math.max(lost, more)));
    }

    @Test
    void aPromotedServerWithoutTheSchemaMayHaveLostIt() {
        primary.kill();
        assertThat(onStandby("SELECT pg_promote()")).isEqualTo("t");
        node = new PostgresNodeProvider()
                .open("postgresql://postgres@localhost:" + standby.port() + "/postgres", context(ttl -> 10 * ttl));
        untilAvailable();
        assertThat(node.quarantineMillis(60_000)).isPositive();
    }

    @Test
    void aStandbyForWhichCommitsNoLongerWaitIsQuarantined() {
        waitsFor("s1");
        openBoth("postgres");
        granted("lock:a", 1);
        waitsFor("");
        await().atMost(patience).untilAsserted(() -> granted("lock:b", 1)); // over a new connection
        assertThat(one("SELECT complete FROM holdfast.node")).isEqualTo("{}");
        await().atMost(patience)
                .until(() -> onStandby("SELECT complete FROM holdfast.node").equals("{}"));

        failOver();

        assertThat(node.quarantineMillis(60_000)).isPositive();
    }

    @Test
    void oneOfTwoStandbysMayLackVotes() {
        waitsFor("ANY 1 (s1, s2)");
        openBoth("postgres");
        granted("lock:a", 1);

        failOver();

        assertThat(node.quarantineMillis(60_000)).isPositive();
    }

    @Test
    void anOwnerThatMustNotReadTheStandbysNameQuarantinesIt() {
        on("CREATE ROLE app LOGIN; GRANT CREATE ON DATABASE postgres TO app");
        waitsFor("s1");
        openBoth("app");
        granted("lock:a", 1);

        failOver();

        assertThat(node.quarantineMillis(60_000)).as("fails safe").isPositive();
    }

    @Test
    void anOwnerWithTheRightRecognizesASynchronousStandby() {
        on("CREATE ROLE app LOGIN; GRANT CREATE ON DATABASE postgres TO app; GRANT pg_read_all_settings TO app");
        waitsFor("s1");
        openBoth("app");
        granted("lock:a", 1);

        failOver();

        assertThat(node.quarantineMillis(60_000)).isZero();
        assertThat(ask("lock:a", 2, false)).isInstanceOf(AcquireAnswer.Denied.class);
    }

    @Test
    void aRoleThatMustNotSeeStandbysIsWarnedOfThem() {
        on("CREATE ROLE app LOGIN; GRANT CREATE ON DATABASE postgres TO app;"
                + " REVOKE SELECT ON pg_catalog.pg_stat_replication FROM PUBLIC");
        openBoth("app");
        assertThat(node.status().toCompletableFuture().join().server().warnings())
                .anyMatch(line -> line.contains("must not read pg_stat_replication"));
        granted("lock:a", 1);
    }

    @Test
    void aHotStandbyAsTargetIsRefusedWithOneLine() {
        node = new PostgresNodeProvider()
                .open("postgresql://postgres@localhost:" + standby.port() + "/postgres", context(ttl -> 0));
        learns("refused", "the server is a hot standby, which cannot vote; give the address of the primary");
    }

    @Test
    void aCommitWhoseWaitForTheStandbyIsCancelledIsNoAnswer() {
        waitsFor("s1");
        openBoth("postgres");
        granted("lock:a", 1);
        standby.pause();
        CompletableFuture<AcquireAnswer> answer = node.acquire(request("lock:b", 1, false, AcquireRequest.Update.NONE))
                .toCompletableFuture();
        await().atMost(patience)
                .until(() ->
                        one("SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                                .equals("1"));

        assertThat(answer.join()).isInstanceOfSatisfying(Unavailable.class, why -> {
            assertThat(why.reason()).contains("the server warned of the commit");
            assertThat(why.maybeExecuted()).isTrue();
        });
        standby.resume();
    }

    /** Each request would otherwise leave a session at the server that waits for the standby, until the server has no more. */
    @Test
    void whileTheStandbyDoesNotAnswerAClientKeepsOneSessionThatWaitsForIt() {
        waitsFor("s1");
        openBoth("postgres");
        granted("lock:a", 1);
        standby.pause();

        for (int i = 0; i < 3; i++) {
            untilTried();
            assertThat(ask("lock:" + i, 2, false)).isInstanceOf(Unavailable.class);
        }
        assertThat(one("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"))
                .isEqualTo("1");
        learns("unavailable", "commits wait for a standby that does not answer");

        standby.resume();
        await().atMost(patience).untilAsserted(() -> granted("lock:b", 3));
    }

    /** Waits until the node is connected, or has failed to connect again. */
    private void untilTried() {
        int lines = listener.connection().size();
        await().atMost(patience)
                .until(() ->
                        listener.serverId() != null || listener.connection().size() > lines);
    }

    /** Waiters of two clients queue behind a holder; then the primary dies, and its standby is promoted. */
    private void waitersGoOnThroughAFailover(HoldfastBuilder first, HoldfastBuilder second) throws Exception {
        try (Holdfast holder = first.connect();
                Holdfast waiter = second.connect()) {
            Lease lease = holder.lock("a").acquire(Duration.ofSeconds(60));
            List<CompletableFuture<Lease>> waiting = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                DistributedLock lock = (i % 2 == 0 ? holder : waiter).lock("a").localHandOver(false);
                waiting.add(lock.acquireAsync(Duration.ofMinutes(4)).toCompletableFuture());
                int queued = i + 1;
                await().atMost(patience)
                        .until(() -> one("SELECT count(*) FROM holdfast.waiter").equals(Integer.toString(queued)));
            }
            await().atMost(patience)
                    .until(() ->
                            onStandby("SELECT count(*) FROM holdfast.waiter").equals("5"));

            primary.kill();
            assertThat(onStandby("SELECT pg_promote()")).isEqualTo("t");
            await().atMost(patience)
                    .until(() -> onStandby(
                                    "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'holdfast:%'")
                            .equals("4"));

            long last = lease.fencingToken();
            lease.release();
            List<CompletableFuture<Lease>> left = new ArrayList<>(waiting);
            while (!left.isEmpty()) {
                CompletableFuture.anyOf(left.toArray(CompletableFuture[]::new)).get(2, TimeUnit.MINUTES);
                CompletableFuture<Lease> next = left.get(0);
                assertThat(left.stream().filter(CompletableFuture::isDone)).containsExactly(next);
                assertThat(next.join().fencingToken()).isGreaterThan(last);
                last = next.join().fencingToken();
                next.join().release();
                left.remove(next);
            }
        }
    }

    @Test
    void withSeveralHostsInTheUriWaitersKeepTheirPlacesThroughAFailoverToASynchronousStandby() throws Exception {
        waitsFor("s1");
        String uri = "postgresql://postgres@localhost:" + primary.port() + ",localhost:" + standby.port() + "/postgres";
        waitersGoOnThroughAFailover(
                Holdfast.builder().nodes(uri), Holdfast.builder().nodes(uri));
    }

    @Test
    void withADataSourceOfSeveralHostsWaitersAreServedAfterAFailover() throws Exception {
        waitersGoOnThroughAFailover(
                Holdfast.builder().node(PostgresNode.of(dataSource("holdfast:first"))),
                Holdfast.builder().node(PostgresNode.of(dataSource("holdfast:second"))));
    }

    private PGSimpleDataSource dataSource(String application) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"localhost", "localhost"});
        source.setPortNumbers(new int[] {primary.port(), standby.port()});
        source.setDatabaseName("postgres");
        source.setUser("postgres");
        source.setTargetServerType("primary");
        source.setApplicationName(application);
        return source;
    }
}
