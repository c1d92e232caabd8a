package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The list of names in use costs no look at the many names that are only remembered. */
@Tag("slow")
class ListTest {

    private static final int REMEMBERED = 20_000;

    /** How many rows and entries of indexes the session has read. */
    private static final String READ =
            "SELECT sum(pg_stat_get_xact_tuples_returned(c.oid)) FROM pg_class c WHERE c.relnamespace = 'holdfast'::regnamespace";

    @AutoClose
    private static final TestDatabase DATABASE = TestDatabase.start();

    @BeforeAll
    static void prepareServer() {
        DATABASE.execute(new Schema("holdfast").creation());
        DATABASE.execute(
                "INSERT INTO holdfast.resource (name, fence, fence_expiry) SELECT 'lock:' || i, 1, 1e15 FROM generate_series(1, "
                        + REMEMBERED + ") i");
    }

    private static void use(String name, String kind, long expiry) {
        String resource = "INSERT INTO holdfast.resource (name) VALUES (" + name + ") ON CONFLICT DO NOTHING; ";
        DATABASE.execute(resource
                + switch (kind) {
                    case "vote" ->
                        "INSERT INTO holdfast.vote VALUES (" + name + ", 'a~00000000/1/0', 5, 1, 1, " + expiry
                                + ", 1), (" + name + ", 'b~00000000/1/0', 5, 1, 1, 1, 1)";
                    case "waiter" ->
                        "INSERT INTO holdfast.waiter VALUES (" + name + ", 1, 'c~00000000/1/0', 5, 1, 1, 1, " + expiry
                                + ")";
                    default -> "UPDATE holdfast.resource SET seal_expiry = " + expiry + " WHERE name = " + name;
                });
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void namesInUseAreListedInOrderAtTheCostOfNamesInUse() throws SQLException {
        long now = 1_990_000_000_000L;
        List<String> kinds = List.of("vote", "waiter", "seal");
        List<String> names = List.of(
                "'lock:7'",
                "'lock:70'",
                "'lock:é'",
                "'lock:Z'",
                "'lock:a|b'",
                "'lock:' || chr(1114111) || 'x'",
                "'other:1'",
                "'lock;'",
                "'loc'");
        for (int i = 0; i < names.size(); i++) {
            for (int kind = 0; kind < kinds.size(); kind++) {
                if (((1 + i) % 8 >> kind & 1) == 1) {
                    use(names.get(i), kinds.get(kind), now + (i == 4 ? -1 : 1));
                }
            }
        }
        DATABASE.execute("ANALYZE");
        try (Connection connection = DATABASE.connect()) {
            Link link = new Link(connection, new Schema("holdfast"), 1);
            for (String prefix : List.of("", "lock:", "lock:7", "lock:\uDBFF\uDFFF", "other", "x", "loc", "lock:Z")) {
                for (int limit : List.of(1, 3, 1_000)) {
                    String arguments = "(" + now + ", '" + prefix + "', " + limit + ")";
                    assertThat(one(connection, "SELECT array_agg(n)::text FROM holdfast.list" + arguments + " n"))
                            .as(arguments)
                            .isEqualTo(one(
                                    connection,
                                    "SELECT array_agg(n)::text FROM (" + byResource(now, prefix, limit) + ") x(n)"));
                }
            }
            assertThat(link.list("lock", 1_000).names())
                    .as("at the present time")
                    .isNotEmpty();
        }
        assertThat(read("SELECT count(*) FROM holdfast.list(" + now + ", 'lock:', 1000)"))
                .isLessThan(100);
    }

    /** Returns how much a statement reads, in a session of its own. */
    private static long read(String sql) throws SQLException {
        try (Connection connection = DATABASE.connect()) {
            connection.setAutoCommit(false);
            one(connection, sql);
            return Long.parseLong(one(connection, READ));
        }
    }

    /** Returns the query that looks at each resource. */
    private static String byResource(long now, String prefix, int limit) {
        return "SELECT x.name FROM holdfast.resource x WHERE starts_with(x.name, '" + prefix
                + "') AND (x.seal_expiry > " + now
                + " OR EXISTS (SELECT FROM holdfast.vote v WHERE v.resource = x.name AND v.expiry > " + now
                + ") OR EXISTS (SELECT FROM holdfast.waiter w WHERE w.resource = x.name AND w.expiry > " + now
                + ")) ORDER BY x.name LIMIT " + limit;
    }

    @Test
    void aShortListOfManyNamesInUseReadsFewOfThem() throws SQLException {
        DATABASE.execute(
                "INSERT INTO holdfast.resource (name) SELECT 'used:' || i FROM generate_series(1, 5000) i; "
                        + "INSERT INTO holdfast.vote SELECT 'used:' || i, 'a~00000000/1/0', 5, 1, 1, 1e15, 1 FROM generate_series(1, 5000) i");
        assertThat(read("SELECT count(*) FROM holdfast.list(NULL, 'used:', 10)"))
                .isLessThan(100);
    }

    /** Each lease would otherwise add an entry to every index. */
    @Test
    void onlyASealChangesTheIndexOfSeals() throws SQLException {
        try (Connection connection = DATABASE.connect()) {
            connection.setAutoCommit(false);
            one(
                    connection,
                    "SELECT holdfast.acquire(NULL, 0, 86400000, 'lock:hot', 'a~00000000/7/0', 5, 60000, false, 60000, 1, 0, false,"
                            + " NULL, NULL, NULL)");
            one(
                    connection,
                    "SELECT holdfast.release(NULL, 0, 86400000, 'lock:hot', 'a~00000000/7/0', 0, NULL, NULL, NULL, NULL, NULL, NULL)");
            String updates =
                    "SELECT pg_stat_get_xact_tuples_updated(c) - pg_stat_get_xact_tuples_hot_updated(c) FROM CAST('holdfast.resource' AS regclass) c";
            assertThat(one(connection, updates)).isEqualTo("0");
        }
    }
}
