package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.AcquireAnswer;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that adds messages to its answers, as a server does for weeks before its transaction ids run out. */
@Tag("slow")
class WarningsTest extends NodeOnPostgres {

    @AutoClose
    private static final TestDatabase DATABASE = TestDatabase.start();

    WarningsTest() {
        super(Duration.ofSeconds(30));
    }

    @Test
    void aWarningThatDoesNotConcernTheCommitChangesNoAnswer() {
        node = new PostgresNodeProvider().open(DATABASE.uri(), context(ttl -> 0));
        untilAvailable();
        DATABASE.execute("CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " RAISE WARNING 'database \"postgres\" must be vacuumed within 20971518 transactions'; RETURN NEW; END $$;"
                + " CREATE TRIGGER warn AFTER INSERT ON holdfast.vote FOR EACH ROW EXECUTE FUNCTION warn()");

        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
    }
}
