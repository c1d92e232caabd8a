package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.AcquireAnswer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that adds messages to its answers, as a server does for weeks before its transaction ids run out. */
@Tag("slow")
class WarningsTest extends NodeOnPostgres {

    private static TestDatabase database;

    WarningsTest() {
        super(Duration.ofSeconds(30));
    }

    @BeforeAll
    static void startServer() {
        database = TestDatabase.start();
    }

    @AfterAll
    static void stopServer() {
        if (database != null) { // it has started
            database.close();
        }
    }

    @AfterEach
    void close() {
        if (node != null) {
            node.close();
        }
    }

    @Test
    void aWarningThatDoesNotConcernTheCommitChangesNoAnswer() {
        node = new PostgresNodeProvider().open(database.uri(), context(ttl -> 0));
        untilAvailable();
        database.execute("CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " RAISE WARNING 'database \"postgres\" must be vacuumed within 20971518 transactions'; RETURN NEW; END $$;"
                + " CREATE TRIGGER warn AFTER INSERT ON holdfast.vote FOR EACH ROW EXECUTE FUNCTION warn()");

        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
    }
}
