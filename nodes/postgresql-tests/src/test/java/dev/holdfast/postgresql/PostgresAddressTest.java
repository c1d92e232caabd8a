package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.Driver;

class PostgresAddressTest {

    @Test
    void aUriHasAllPartsOfAnAddress() {
        PostgresAddress address = PostgresAddress.parse(
                "postgresql://app:s%3Acr%40t@db.example:6543/orders?schema=locks&sslmode=verify-full");

        assertThat(address.name()).isEqualTo("postgresql://db.example:6543/orders?schema=locks");
        assertThat(address.user()).isEqualTo("app");
        assertThat(address.password()).isEqualTo("s:cr@t");
        assertThat(address.parameters()).containsOnlyKeys("sslmode").containsValue("verify-full");
    }

    @Test
    void mostPartsHaveDefaults() {
        PostgresAddress address = PostgresAddress.parse("postgresql://localhost/orders");

        assertThat(address.name()).isEqualTo("postgresql://localhost:5432/orders");
        assertThat(address.schema().name()).isEqualTo("holdfast");
        assertThat(address.user()).isNull();
        assertThat(address.password()).isNull();
    }

    @Test
    void theNameOfADatabaseMayNeedEncoding() {
        PostgresAddress address = PostgresAddress.parse("postgresql://localhost/a%20b+c%25");

        assertThat(address.database()).isEqualTo("a b+c%");
        assertThat(address.name()).isEqualTo("postgresql://localhost:5432/a%20b%2Bc%25");
    }

    @Test
    void severalHostsNameOneServerWhichMustBeThePrimary() {
        PostgresAddress address =
                PostgresAddress.parse("postgresql://app:p,w@a.example,b.example:6543/orders?schema=locks");

        assertThat(address.name()).isEqualTo("postgresql://a.example:5432,b.example:6543/orders?schema=locks");
        assertThat(address.user()).isEqualTo("app");
        assertThat(address.password()).isEqualTo("p,w");
        assertThat(PostgresAddress.parse("postgresql://[::1]/orders").hosts()).isEqualTo("[::1]:5432");
        assertThat(address.parameters()).containsEntry("targetServerType", "primary");
        assertThat(PostgresAddress.parse("postgresql://a,b/orders?targetServerType=any")
                        .parameters())
                .containsEntry("targetServerType", "any");
        assertThat(PostgresAddress.parse("postgresql://a/orders").parameters()).isEmpty();
    }

    /** Applications have this URL for their other connections. */
    @Test
    void theUrlOfTheDriverIsTheSameAddress() {
        PostgresAddress address =
                PostgresAddress.parse("jdbc:postgresql://db.example/orders?user=app&password=p%26w&sslmode=require");

        assertThat(address.name()).isEqualTo("postgresql://db.example:5432/orders");
        assertThat(address.parameters())
                .containsOnly(entry("user", "app"), entry("password", "p&w"), entry("sslmode", "require"));
    }

    /** A name without a host would look like that of a node from a data source. */
    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql:orders?password=secret, postgresql://localhost:5432/orders",
        "jdbc:postgresql:/orders, postgresql://localhost:5432/orders",
        "jdbc:postgresql://db.example/my orders, postgresql://db.example/my%20orders",
    })
    void theNameOfANodeWithTheUrlOfTheDriverHasItsHost(String url, String name) {
        assertThat(new DriverUrl(url, Properties::new).name()).isEqualTo(name);
    }

    /** The driver takes it for a part of the host, so the node never connects, and its name would show the password. */
    @Test
    void aUrlOfTheDriverHasNoUserBeforeItsHost() {
        assertThatThrownBy(() -> new DriverUrl("jdbc:postgresql://app:secr3t@db.example/orders", Properties::new))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has a user before the host")
                .hasMessageNotContaining("secr3t");
        assertThat(new DriverUrl("jdbc:postgresql://db.example/a@b?user=x@y", Properties::new).name())
                .isEqualTo("postgresql://db.example/a@b");
    }

    /** Applications have the same URL for their other connections, so the driver decides what it means. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://h/db?password=a+b&user=x%2By",
                "jdbc:postgresql://h/db?ssl",
                "jdbc:postgresql://h/db?",
                "jdbc:postgresql://h/db?user=a&&password=p|w{}\"<>^`\\",
                "jdbc:postgresql://h:6543/db?password=x?y=z#w /",
                "jdbc:postgresql://h/d b+c%2B?password=a b",
                "jdbc:postgresql://[::1]/db?user=a&user",
            })
    void aUrlOfTheDriverMeansWhatItMeansToTheDriver(String url) {
        PostgresAddress address = PostgresAddress.parse(url);

        Properties driver = Driver.parseURL(url, null);
        assertThat(address.database()).isEqualTo(driver.remove("PGDBNAME"));
        assertThat(address.hosts()).isEqualTo(driver.remove("PGHOST") + ":" + driver.remove("PGPORT"));
        assertThat(address.parameters()).isEqualTo(driver);
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://localhost/orders?password=sec%ret, a '%' is not followed by two hexadecimal digits",
        "jdbc:postgresql://localhost/orders?password=secret&schema, schema is ''",
        "jdbc:mysql://localhost/orders?password=secret, is followed by the name of another driver",
        "jdbc:postgresql:orders, has no host",
        "postgresql://app:secret@localhost, names no database",
        "postgresql://app:secret@localhost/, names no database",
        "postgresql://app:secret@localhost/a/b, names no database",
        "postgresql:///orders, has no host",
        "'postgresql://a,,b/orders', each host must look like",
        "postgresql://app:secret@localhost:99999/orders, 'its port is 99999, but must be from 1 to 65535'",
        "'postgresql://a,b:0/orders', 'its port is 0, but must be from 1 to 65535'",
        "postgresql://app:secret/more@localhost/orders, each host must look like",
        "postgresql://app:sec ret@localhost/orders, is not a URI",
        "postgresql://app:secret@localhost/orders?schema, has no value",
        "postgresql://app:secret@localhost/orders#x, has a '#'",
        "postgresql://app:secret@localhost/orders?schema=Locks, schema is 'Locks'",
        "postgresql://app:secret@localhost/orders?schema=a.b, schema is 'a.b'",
        "postgresql://app:secret@localhost/orders?schema=pg_orders, must not begin with a digit or with pg_",
    })
    void aWrongUriIsNamedWithoutItsSecret(String uri, String why) {
        assertThatThrownBy(() -> PostgresAddress.parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why.replace("''", "'"))
                .hasMessageNotContaining("sec");
    }
}
