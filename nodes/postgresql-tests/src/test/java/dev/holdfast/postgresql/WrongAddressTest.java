package dev.holdfast.postgresql;

import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node whose address has parameters that do not fit its servers, both of which are hot standbys. */
@Tag("slow")
class WrongAddressTest extends NodeOnPostgres {

    @AutoClose
    private static final TestDatabase DATABASE = TestDatabase.start();

    WrongAddressTest() {
        super(Duration.ofSeconds(30));
    }

    @BeforeAll
    static void prepareServer() {
        DATABASE.becomeStandby();
    }

    @ParameterizedTest
    @CsvSource({
        "targetServerType=primary, unavailable none of the hosts is a primary",
        "targetServerType=king, refused Invalid targetServerType value: king",
        "sslmode=nonsense, refused Invalid sslmode value: nonsense",
        "sslmode=require, refused The server does not support SSL",
    })
    void theReasonIsNamed(String parameter, String expected) {
        String hosts = "localhost:" + DATABASE.port() + ",127.0.0.1:" + DATABASE.port();
        node = new PostgresNodeProvider()
                .open("postgresql://postgres@" + hosts + "/postgres?" + parameter, context(ttl -> 0));
        learns(expected);
    }
}
