package dev.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Fuzz;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** URIs of nodes, valid ones changed and made up: an address or one line that says what is wrong, and never the password. */
@Tag("slow")
class RedisAddressFuzzTest {

    private static final String SECRET = "Tr0ub4dor-hush";

    private static final String[] VALID = {
        "redis://127.0.0.1:6379",
        "redis://user:" + SECRET + "@host.example:6379/3",
        "rediss://:" + SECRET + "@[::1]:6380",
        "redis-socket:///run/redis/redis.sock?database=2",
        "redis-sentinel://user:" + SECRET + "@h1:26379,h2,h3:1/1?master=main",
        "redis-cluster://:" + SECRET + "@c1:7000,c2:7000",
        "redis://us%20er:p%40ss@h",
    };

    @Test
    void whatIsNoUriIsRefusedInOneLineAndWhatIsOneHasAName() {
        Fuzz.check("RedisAddressFuzzTest#whatIsNoUri*", 60_000, input -> {
            String uri = input.text(VALID);
            try {
                RedisAddress address = RedisAddressParser.parse(uri);
                RedisAddress again = RedisAddressParser.parse(address.name());
                assertThat(again.name()).isEqualTo(address.name());
                assertThat(again.place().hosts()).isEqualTo(address.place().hosts());
                assertThat(again.database()).isEqualTo(address.database());
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).hasSizeBetween(20, 700).matches(".*is not the URI of a Redis node: .+");
            }
        });
    }

    /** Where there is an '@' everything before it may be a secret, wherever its owner forgot to write a percent sign. */
    @Test
    void noPartOfASecretIsSaid() {
        Fuzz.check("RedisAddressFuzzTest#noPartOfASecret*", 60_000, input -> {
            String password = "hush" + input.text("", "x", "/0", "?a=b", "#", "/1?x", ",", ":", "[") + "hush";
            String uri = input.pick(
                            "redis",
                            "rediss",
                            "redis-sentinel",
                            "rediss-sentinel",
                            "redis-cluster",
                            "rediss-cluster",
                            "redis-socket",
                            "http")
                    + "://" + input.pick("", "bob") + ":" + password + "@"
                    + input.text("host:6379/3", "a,b?master=m", "/run/x", "");
            if (uri.substring(uri.lastIndexOf('@') + 1).contains("hush")) {
                return;
            }
            try {
                assertThat(RedisAddressParser.parse(uri).toString()).doesNotContain("hush");
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).doesNotContain("hush");
            }
        });
    }

    @Test
    void percentCodingIsUndoneExactly() {
        Fuzz.check("RedisAddressFuzzTest#percentCoding*", 20_000, input -> {
            String text = input.text("user", "p@ss:w/rd?#", "\u00e9\ud83d\ude00", "100%");
            boolean hasUtf8 = StandardCharsets.UTF_8.newEncoder().canEncode(text);
            if (hasUtf8) {
                assertThat(PercentCoding.decode(coded(text))).isEqualTo(text);
            }
            try {
                String decoded = PercentCoding.decode(text);
                assertThat(text.contains("%") || decoded.equals(text))
                        .as("changed in silence to %s", decoded)
                        .isTrue();
            } catch (IllegalArgumentException e) {
                assertThat(text.contains("%") || !hasUtf8).as("%s", e).isTrue();
            }
        });
    }

    private static String coded(String text) {
        StringBuilder coded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            coded.append(String.format("%%%02X", b & 0xff));
        }
        return coded.toString();
    }
}
