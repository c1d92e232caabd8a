package dev.holdfast.postgresql;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node says if the parameters of its address do not fit the servers, both of which are hot standbys. */
@Tag("slow")
class WrongAddressTest extends NodeOnPostgres {

    private static TestDatabase database;

    WrongAddressTest() {
        super(Duration.ofSeconds(30));
    }

    @BeforeAll
    static void startServer() {
        database = TestDatabase.start();
        database.becomeStandby();
    }

    @AfterAll
    static void stopServer() {
        if (database != null) { // it has started
            database.close();
        }
    }

    @AfterEach
    void close() {
        node.close();
    }

    @ParameterizedTest
    @CsvSource({
        "targetServerType=primary, unavailable none of the hosts is a primary",
        "targetServerType=king, refused Invalid targetServerType value: king",
        "sslmode=nonsense, refused Invalid sslmode value: nonsense",
        "sslmode=require, refused The server does not support SSL",
    })
    void theReasonIsNamed(String parameter, String expected) {
        String hosts = "localhost:" + database.port() + ",127.0.0.1:" + database.port();
        node = new PostgresNodeProvider()
                .open("postgresql://postgres@" + hosts + "/postgres?" + parameter, context(ttl -> 0));
        learns(expected);
    }
}
