package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node whose server, role or schema is not as it should be: one clear line each, and the node works once that is mended. */
@Tag("slow")
class StatesTest extends NodeOnPostgres {

    @AutoClose
    private static final TestDatabase DATABASE = TestDatabase.start();

    private final String name = "states_" + Long.toHexString(TIMING.random().nextLong());

    StatesTest() {
        super(Duration.ofSeconds(30));
    }

    /** Each test has a database of its own. */
    @BeforeEach
    void createDatabase() {
        DATABASE.execute("CREATE DATABASE " + name);
    }

    private void execute(String sql) {
        DATABASE.execute(name, sql);
    }

    private void open(String user) {
        node = new PostgresNodeProvider()
                .open("postgresql://" + user + "@localhost:" + DATABASE.port() + "/" + name, context(ttl -> 0));
    }

    @Test
    void aRoleNeedsTheSchemaAndTheRightToUseIt() {
        execute("CREATE ROLE app LOGIN");
        open("app");
        learns("refused", "no schema 'holdfast'", "permission denied", "schema-1.sql");
        assertThat(node.status().toCompletableFuture().join().state()).isEqualTo(NodeStatus.State.REFUSED);

        execute(new Schema("holdfast").creation());
        learns("refused", "permission denied", "Grant the role USAGE on the schema and EXECUTE");

        execute("GRANT USAGE ON SCHEMA holdfast TO app; GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA holdfast TO app");
        untilAvailable();
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
    }

    @Test
    void aRoleThatOwnsAnEmptySchemaNeedsNoRightOnTheDatabase() {
        execute("CREATE ROLE tenant LOGIN; CREATE SCHEMA holdfast");
        open("tenant");
        learns("refused", "no schema 'holdfast' with the functions", "permission denied for schema", "CREATE");

        execute("ALTER SCHEMA holdfast OWNER TO tenant");
        untilAvailable();
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
    }

    @Test
    void aRoleThatOnlyReadsIsRefused() {
        execute("CREATE ROLE reader LOGIN; ALTER ROLE reader SET default_transaction_read_only = on");
        open("reader");
        learns("refused", "read-only", "default_transaction_read_only");
    }

    @Test
    void aRoleWhoseArraysHaveNoNullsIsRefused() {
        execute("CREATE ROLE odd LOGIN; ALTER ROLE odd SET array_nulls = off");
        open("odd");
        learns("refused", "array_nulls", "set it to on");
    }

    /** Makes the schema say that it is of a later version, which serves clients from another version on. */
    private void setVersion(int version, int servesFrom) {
        execute(new Schema("holdfast").creation() + "; UPDATE holdfast.node SET version = " + version
                + "; CREATE OR REPLACE FUNCTION holdfast.serves_from() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT "
                + servesFrom + "'");
    }

    @Test
    void aSchemaThatServesLaterClientsOnlyIsRefused() {
        setVersion(10, 9);
        open("postgres");
        learns("refused", "version 10", "serves clients from version 9 on", "has version 8", "update Holdfast");
    }

    @Test
    void aLaterSchemaThatServesThisVersionIsUsed() {
        setVersion(9, 8);
        open("postgres");
        untilAvailable();
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
    }

    @Test
    void anOldSchemaIsBroughtUpByItsOwnerAndKeepsItsVotes() {
        Schema schema = new Schema("holdfast");
        execute(
                "CREATE ROLE client LOGIN; " + schema.step(1)
                        + "; GRANT USAGE ON SCHEMA holdfast TO client; GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA holdfast TO client");
        execute(
                "SELECT * FROM holdfast.acquire(NULL, 0, 86400000, 'lock:old', 'old~00000000/7/0', 5, 60000, false, 60000, 1, 0, false,"
                        + " NULL, NULL, NULL)");

        open("client");
        learns(
                "refused",
                "version 1",
                "needs version 8",
                "must be owner",
                "Run schema-2.sql, then schema-3.sql, then schema-4.sql, then schema-5.sql, then schema-6.sql, then schema-7.sql, then schema-8.sql as the owner");

        execute(schema.steps(1)); // as Flyway or an operator does
        untilAvailable();
        assertThat(ask("lock:old", 1, false)).isInstanceOf(AcquireAnswer.Denied.class);
        execute("SET ROLE client; SELECT holdfast.serves_from(); SELECT holdfast.open()"); // the roles of version 1
        // need no new grant
    }

    @Test
    void aNodeWhoseRoleOwnsAnOldSchemaBringsItUp() {
        execute(new Schema("holdfast").step(1));
        open("postgres");
        untilAvailable();
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
        execute("DO 'BEGIN ASSERT holdfast.schema_version() = 8; END'");
    }

    /** A rolling update, and the way back from it: the statements of older clients work before and after the steps, over the same connection. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void aClientOfAnOlderVersionWorksWithThePresentSchema(int version) throws SQLException {
        Schema schema = new Schema("holdfast");
        for (int step = 1; step <= version; step++) {
            execute(schema.step(step));
        }
        try (Connection old = DATABASE.connect(name)) {
            String run = one(old, "SELECT c.run FROM holdfast.connect() c");
            assertThat(carriedOut(old, run, "A", 7, 5)).startsWith("{G,");

            execute(schema.steps(version));

            assertThat(carriedOut(old, run, "A", 7, 5)).as("its vote is there").startsWith("{G,");
            assertThat(carriedOut(old, run, "A", 8, 5)).startsWith("{D,HELD,");
            open("postgres");
            untilAvailable();
            assertThat(ask("lock:old", 9, false)).isInstanceOf(AcquireAnswer.Denied.class);
            assertThat(carriedOut(old, run, "R", 7, 0)).isEqualTo("{R}");
            assertThat(ask("lock:old", 9, false)).isInstanceOf(AcquireAnswer.Granted.class);
            assertThat(carriedOut(old, run, "A", 10, 5)).startsWith("{D,HELD,");
            assertThat(one(old, "SELECT holdfast.sweep(1000)")).isEqualTo("0");
            assertThat(one(old, "SELECT c.run FROM holdfast.connect() c")).isEqualTo(run);
            assertThat(one(old, "SELECT holdfast.serves_from()")).isEqualTo("1");
        }
    }

    /** Returns the answer to a request, as the clients of all versions send it. */
    private static String carriedOut(Connection connection, String run, String kind, int ticket, int mode)
            throws SQLException {
        String terms = kind.equals("A") ? "'{60000}', '{1}', '{0}'" : "'{NULL}', '{NULL}', '{NULL}'";
        return one(
                connection,
                "SELECT string_agg(c::text, '') FROM holdfast.carry_out('" + run + "', 3600000, '{" + kind
                        + "}', '{0}', '{lock:old}', '{old~00000000/" + ticket + "/0}', '{60000}', '{" + mode
                        + "}', " + terms + ", '{false}', '{false}', '{NULL}', '{NULL}', '{NULL}', '{NULL}')"
                        + " c WHERE c[1] !~ '^[0-9]+$'");
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void aMissingDatabaseIsRefused() {
        node = new PostgresNodeProvider()
                .open("postgresql://postgres@localhost:" + DATABASE.port() + "/nothing", context(ttl -> 0));
        learns("refused", "database \"nothing\" does not exist");
    }

    @Test
    void aSchemaThatIsDroppedIsCreatedAgain() {
        open("postgres");
        untilAvailable();
        execute("DROP SCHEMA holdfast CASCADE");

        assertThat(ask("lock:a", 1, false))
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        why -> assertThat(why.reason()).contains("the schema is gone or was changed by hand"));
        learns("unavailable the schema is gone");
        untilAvailable();
        assertThat(ask("lock:a", 2, false)).isInstanceOf(AcquireAnswer.Granted.class);
    }

    @Test
    void aTableChangedByHandIsNamed() {
        open("postgres");
        untilAvailable();
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
        execute("ALTER TABLE holdfast.waiter RENAME COLUMN tokens TO coins");

        assertThat(ask("lock:a", 2, true))
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        why -> assertThat(why.reason())
                                .contains("the schema is gone or was changed by hand", "tokens")
                                .doesNotContain("\n"));
        execute("ALTER TABLE holdfast.waiter RENAME COLUMN coins TO tokens");
        await().atMost(patience)
                .untilAsserted(() -> assertThat(ask("lock:a", 2, true)).isInstanceOf(AcquireAnswer.Queued.class));
        assertThat(ask("lock:a", 1, false)).as("nothing is lost").isInstanceOf(AcquireAnswer.Granted.class);
    }

    @Test
    void aSchemaWithATableOfAnotherProgramIsNamed() {
        execute("CREATE SCHEMA holdfast; CREATE TABLE holdfast.node (id int)");
        open("postgres");
        learns("refused", "belongs to another program", "Name an empty schema");
    }

    @Test
    void aMissingRowOfTheRunIsNamedAndTheNodeStopsVoting() {
        open("postgres");
        untilAvailable();
        execute("CREATE TABLE copy AS SELECT * FROM holdfast.node; DELETE FROM holdfast.node");

        assertThat(ask("lock:a", 1, false)).isInstanceOf(Unavailable.class);
        learns("refused", "was changed by hand: its table 'node' has no row", "stop all clients for the longest ttl");

        execute("INSERT INTO holdfast.node SELECT * FROM copy");
        await().atMost(patience)
                .untilAsserted(() -> assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class));
    }

    @Test
    void aServerWithoutAFreeConnectionIsNamed() throws Exception {
        execute("CREATE ROLE few LOGIN CONNECTION LIMIT 2; GRANT CREATE ON DATABASE \"" + name + "\" TO few");
        try (Connection first = DATABASE.connect(name);
                Statement statement = first.createStatement()) {
            statement.execute("ALTER ROLE few CONNECTION LIMIT 1"); // the second connection of the client is refused
            open("few");
            learns("unavailable", "too many connections for role \"few\"");
            statement.execute("ALTER ROLE few CONNECTION LIMIT 2");
        }
        untilAvailable();
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
    }

    /** A server ends idle sessions since version 14 only. */
    @Test
    void aRolesLimitsForShortStatementsDoNotEndRequests() throws Exception {
        execute("CREATE ROLE hurried LOGIN; GRANT CREATE ON DATABASE \"" + name + "\" TO hurried;"
                + " ALTER ROLE hurried SET statement_timeout = '500ms'; ALTER ROLE hurried SET idle_session_timeout = '200ms';"
                + " DO 'BEGIN IF current_setting(''server_version_num'')::int >= 170000 THEN"
                + " ALTER ROLE hurried SET transaction_timeout = \"500ms\"; END IF; END'");
        open("hurried");
        untilAvailable();
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
        String sessions =
                "SELECT string_agg(pid::text, ',' ORDER BY pid) FROM pg_stat_activity WHERE usename = 'hurried'";
        try (Connection connection = DATABASE.connect(name)) {
            String before = one(connection, sessions);
            connection.setAutoCommit(false);
            one(connection, "SELECT 1 FROM holdfast.resource FOR UPDATE");
            CompletionStage<AcquireAnswer> asked =
                    node.acquire(request("lock:a", 2, false, AcquireRequest.Update.NONE));
            await().atMost(patience)
                    .until(() -> one(
                                    connection,
                                    "SELECT count(*) FROM pg_stat_activity WHERE usename = 'hurried' AND wait_event_type = 'Lock'"
                                            + " AND clock_timestamp() - query_start > '1 s'")
                            .equals("1"));
            connection.commit();

            assertThat(asked.toCompletableFuture().join()).isInstanceOf(AcquireAnswer.Denied.class);
            assertThat(one(connection, sessions))
                    .as("its sessions are the same")
                    .isEqualTo(before);
        }
    }

    /** Passes everything on but LISTEN, as a pooler in transaction mode does. */
    private Connection withoutListen() throws SQLException {
        Connection real = DATABASE.connect(name);
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    Object result = invoke(real, method, args);
                    return method.getName().equals("createStatement")
                            ? Proxy.newProxyInstance(
                                    getClass().getClassLoader(),
                                    new Class<?>[] {Statement.class},
                                    (statement, called, with) -> called.getName()
                                                            .equals("execute")
                                                    && with[0].toString().startsWith("LISTEN")
                                            ? (Object) false
                                            : invoke(result, called, with))
                            : result;
                });
    }

    private static Object invoke(Object on, java.lang.reflect.Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(on, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void withoutNotificationsAWaiterIsGrantedTheLockByPolling() {
        node = new PostgresNode("postgresql:pooled", this::withoutListen, new Schema("holdfast"), context(ttl -> 0))
                .start();
        untilAvailable();
        assertThat(node.status().toCompletableFuture().join().server().warnings())
                .anyMatch(line -> line.contains("waiters poll"));
        ask("lock:a", 1, false);
        assertThat(ask("lock:a", 2, true)).isInstanceOf(AcquireAnswer.Queued.class);

        node.release(new ReleaseRequest("lock:a", new OwnerId(CLIENT, 1, 0), 0));

        Predicate<Push> granted =
                push -> push instanceof Push.Granted && push.owner().attempt() == 2;
        await().atMost(patience).until(() -> listener.pushes("lock:a").stream().anyMatch(granted));
    }

    @Test
    void aClientUsesTwoConnectionsHoweverManyWait() {
        open("postgres");
        untilAvailable();
        ask("lock:a", 1, false);
        for (int ticket = 2; ticket < 500; ticket++) {
            node.acquire(request("lock:a", ticket, true, AcquireRequest.Update.NONE));
        }
        assertThat(ask("lock:a", 500, true))
                .isInstanceOfSatisfying(
                        AcquireAnswer.Queued.class,
                        queued -> assertThat(queued.place()).isEqualTo(499));
        try (Connection connection = DATABASE.connect(name);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'holdfast:postgresql'")) {
            row.next();
            assertThat(row.getInt(1))
                    .as("sessions that do not publish the client's address")
                    .isEqualTo(2);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
