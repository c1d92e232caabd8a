package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Effort;
import java.sql.Connection;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/**
 * The functions in PL/pgSQL do what {@link dev.holdfast.node.LockTable} does, in {@code -Dholdfast.operations} random operations.
 * {@code -Dholdfast.seed} repeats a run.
 */
@Tag("slow")
class SqlAgainstLockTableTest {

    private static final int OPERATIONS = Integer.getInteger("holdfast.operations", Effort.of(3_000, 100_000));

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES) // the thorough build on a busy machine
    void equalAnswersPushesAndStates(TestReporter reporter) throws Exception {
        long seed = Effort.seed(20261125);
        try (TestDatabase database = TestDatabase.start(Map.of("plpgsql.extra_errors", "all"));
                Connection connection = database.connect()) {
            Schema schema = new Schema("locks_2");
            schema.ensure(connection);
            SqlTrial trial = new SqlTrial(connection, schema, seed);

            trial.play(OPERATIONS);

            reporter.publishEntry("seed " + seed + ", " + trial.done() + " operations: " + trial.tally());
            assertThat(trial.tally())
                    .containsKeys("Granted", "Queued", "Sealed", "Released", "Absent", "push Granted", "push Contended")
                    .containsKeys("quiet A", "quiet R")
                    .containsKeys("Denied BURIED", "Denied NO_VOTE", "Denied HELD", "Denied WAITERS");
        }
    }
}
