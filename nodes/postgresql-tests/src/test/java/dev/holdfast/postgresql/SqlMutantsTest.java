package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Effort;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The comparison of the functions with {@link dev.holdfast.node.LockTable} notices every {@link SqlMutant}. The build of every change tries one of
 * eight.
 */
@Tag("slow")
class SqlMutantsTest {

    private static final int OPERATIONS = 40_000;
    private static final String OUT_OF_RANGE = "22003";

    @AutoClose
    private static final TestDatabase DATABASE = TestDatabase.start();

    static List<SqlMutant> mutants() {
        List<SqlMutant> all = SqlMutant.all();
        return IntStream.range(0, all.size())
                .filter(i -> Effort.isThorough() || i % 8 == 0)
                .mapToObj(all::get)
                .toList();
    }

    @ParameterizedTest
    @Timeout(value = 30, unit = TimeUnit.MINUTES) // some take tens of thousands of operations
    @MethodSource("mutants")
    void isNoticed(SqlMutant mutant) throws SQLException {
        assertThat(noticed(mutant, OPERATIONS))
                .as("'%s' survived %d operations", mutant, OPERATIONS)
                .isTrue();
    }

    /** Otherwise, every mutant might be noticed for another reason. */
    @Test
    void theSchemaItselfHasNoMistake() throws SQLException {
        assertThat(noticed(new SqlMutant("none", "CREATE SCHEMA", "CREATE SCHEMA"), 500))
                .isFalse();
    }

    /** Every mutant still fits the schema, also where the build does not play it. */
    @Test
    void allMutantsFit() {
        String schema = new Schema(Schema.DEFAULT_NAME).creation();
        assertThat(SqlMutant.all())
                .allSatisfy(mutant -> assertThat(mutant.applied(schema)).isNotEqualTo(schema));
    }

    private static boolean noticed(SqlMutant mutant, int operations) throws SQLException {
        Schema schema = new Schema(Schema.DEFAULT_NAME);
        try (Connection connection = DATABASE.connect()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("DROP SCHEMA IF EXISTS holdfast CASCADE");
                statement.execute(mutant.applied(schema.creation()));
            }
            SqlTrial trial = new SqlTrial(connection, schema, 20261125);
            try {
                trial.play(operations);
                return false;
            } catch (AssertionError e) {
                return true;
            } catch (SQLException e) { // not a mistake in the SQL itself
                assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo(OUT_OF_RANGE);
                return true;
            }
        }
    }
}
