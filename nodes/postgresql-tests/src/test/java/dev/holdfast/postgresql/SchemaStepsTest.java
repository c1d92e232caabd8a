package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rights that a schema has after a step by another role than its owner. */
@Tag("slow")
class SchemaStepsTest {

    private static final String OPEN =
            "SET ROLE client; SELECT locks.schema_version(), locks.serves_from(); SELECT locks.open();"
                    + " SELECT locks.list(NULL, '', 1); SELECT locks.sweep('', 1, 1);"
                    + " SELECT locks.serve(o.process, NULL, 3600000, 1, 0, '{A}', '{0}', '{lock:a}', '{a~00000000/1/0}', '{60000}', '{5}',"
                    + " '{60000}', '{1}', '{}', '{f}', '{}', '{}', '{}', '{}', '{}') FROM locks.open() o";

    @AutoClose
    private static final TestDatabase DATABASE = TestDatabase.start();

    private final Schema schema = new Schema("locks");

    @BeforeAll
    static void prepareServer() {
        DATABASE.execute(
                "CREATE ROLE client LOGIN; CREATE ROLE owner LOGIN; GRANT CREATE ON DATABASE postgres TO owner");
    }

    @BeforeEach
    void createFirstVersion() {
        DATABASE.execute("DROP SCHEMA IF EXISTS locks CASCADE");
        DATABASE.execute("SET ROLE owner; " + schema.step(1));
    }

    /** Brings the schema up, as the first user of the server. */
    private void bringUp() {
        DATABASE.execute(schema.steps(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUBLIC", "client"})
    void rolesThatMayUseTheFirstVersionMayUseTheLatest(String grantee) {
        DATABASE.execute("GRANT USAGE ON SCHEMA locks TO " + grantee
                + "; GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA locks TO " + grantee);
        bringUp();
        DATABASE.execute("SET synchronous_commit = off; " + OPEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"schema_version()", "open()", "list(NULL, '', 1)"})
    void otherRolesGetNoRight(String call) {
        DATABASE.execute("GRANT USAGE ON SCHEMA locks TO client");
        bringUp();
        assertThatThrownBy(() -> DATABASE.execute("SET ROLE client; SELECT locks." + call))
                .hasMessageContaining("permission denied for function");
    }
}
