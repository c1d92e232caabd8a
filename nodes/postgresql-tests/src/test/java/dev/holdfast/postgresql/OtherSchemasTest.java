package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.holdfast.node.AcquireAnswer;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes in schemas with other names than the default one. */
@Tag("slow")
class OtherSchemasTest extends NodeOnPostgres {

    @AutoClose
    private static final TestDatabase DATABASE = TestDatabase.start();

    OtherSchemasTest() {
        super(Duration.ofSeconds(30));
    }

    private void open(String schema) {
        node = new PostgresNodeProvider().open(DATABASE.uri() + "?schema=" + schema, context(ttl -> 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "order", "all", "holdfast_2"})
    void aWordOfSqlIsAName(String schema) {
        open(schema);
        untilAvailable();
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
        assertThat(ask("lock:a", 2, true)).isInstanceOf(AcquireAnswer.Queued.class);
    }

    /** A right that an operator grants in advance is no object of another program. */
    @Test
    void aSchemaWithDefaultRightsOnlyIsEmpty() {
        DATABASE.execute("CREATE SCHEMA prepared; CREATE ROLE app LOGIN; GRANT USAGE ON SCHEMA prepared TO app;"
                + " ALTER DEFAULT PRIVILEGES IN SCHEMA prepared GRANT EXECUTE ON FUNCTIONS TO app");
        open("prepared");
        untilAvailable();
        assertThatCode(() -> DATABASE.execute("SET ROLE app; SELECT prepared.schema_version()"))
                .doesNotThrowAnyException();
    }

    /** The steps of the schema revoke rights on all functions in it. */
    @Test
    void theFunctionsOfAnApplicationKeepTheirRights() {
        DATABASE.execute(
                "CREATE FUNCTION public.total() RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE ROLE reporting");
        open("public");
        learns("refused", "'public' belongs to another program", "Name an empty schema");
        assertThatCode(() -> DATABASE.execute("SET ROLE reporting; SELECT public.total()"))
                .doesNotThrowAnyException();
    }
}
