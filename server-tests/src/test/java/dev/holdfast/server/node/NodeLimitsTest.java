package dev.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.FenceFromTime;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.session.SessionClient;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** A node remembers the highest fence and the last expiry for all locks, so the numbers of one client must not be absurd. */
@Tag("slow")
class NodeLimitsTest {

    private static final String OWNER = "'owner':'a~a1b2c3d4/1/0',";

    private LockServer server;
    private SessionClient client;

    @BeforeEach
    void start() {
        server = LockServer.builder().port(0).start();
        client = SessionClient.connect(server, "/v1/node", Map.of());
        client.ask("hello", "'protocol':1,'client':'a~a1b2c3d4'");
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private JsonNode acquire(long ttl, long tokens, long floor, String more) {
        return client.ask(
                "acquire",
                "'resource':'lock:x'," + OWNER + "'mode':'EX','ttlMillis':" + ttl
                        + ",'queue':false,'waiterTtlMillis':1000,'tokens':" + tokens + ",'floor':" + floor
                        + ",'heal':true" + more);
    }

    private static String value(long token) {
        return ",'value':{'token':" + token + ",'number':1,'text':'v'}";
    }

    @ParameterizedTest
    @CsvSource({
        "86400001, 1, 0, ttl or waiterTtl is 86400001 ms",
        "4398046511104, 1, 0, ttl or waiterTtl is 4398046511104 ms",
        "1000, 1025, 0, tokens is 1025",
        "1000, 2147483647, 0, tokens is 2147483647",
        "1000, 1, 9223372036854775807, floor is 9223372036854775807",
        "1000, 1, 4611686018427387904, floor is 4611686018427387904",
        "1000, 1, 9007199254740991, floor is 9007199254740991"
    })
    void absurdNumbersAreRefused(long ttl, long tokens, long floor, String reason) {
        JsonNode answer = acquire(ttl, tokens, floor, "");

        assertThat(answer.get("answer").stringValue()).as("%s", answer).isEqualTo("refused");
        assertThat(answer.get("reason").stringValue()).startsWith(reason).contains("; ", "must be between");
        JsonNode next = acquire(1_000, 1, 0, "");
        assertThat(next.get("answer").stringValue()).isEqualTo("granted");
        assertThat(next.get("fence").longValue()).isBetween(1L, 1L << 52);
    }

    @Test
    void aTombstoneLastsNoLongerThanTheLongestTtl() {
        JsonNode refused = client.ask("release", "'resource':'lock:x'," + OWNER + "'buryMillis':86400001");

        assertThat(refused.get("reason").stringValue())
                .startsWith("buryMillis is 86400001; it must be between 0 and 86400000");
        assertThat(client.ask("release", "'resource':'lock:x'," + OWNER + "'buryMillis':86400000")
                        .get("answer")
                        .stringValue())
                .isEqualTo("absent");
    }

    /** Later values would be ignored, since their tokens are smaller. */
    @Test
    void aValueOfAnAbsurdTokenIsRefused() {
        long fence = acquire(1_000, 1, 0, "").get("fence").longValue();

        JsonNode written = acquire(1_000, 1, fence, value((1L << 53) - 1));
        JsonNode released =
                client.ask("release", "'resource':'lock:x'," + OWNER + "'buryMillis':0" + value((1L << 53) - 1));

        assertThat(written.get("reason").stringValue()).startsWith("the value's token is 9007199254740991");
        assertThat(released.get("reason").stringValue()).startsWith("the value's token is 9007199254740991");
    }

    /** The clock of another node may be years ahead. */
    @Test
    void whatHonestClientsSendIsGranted() {
        long ahead = System.currentTimeMillis() + Duration.ofDays(80 * 365).toMillis();
        long floor = FenceFromTime.ofAbsent(ahead);

        JsonNode answer = acquire(Duration.ofHours(24).toMillis(), 64, floor, value(floor));

        assertThat(answer.get("answer").stringValue()).as("%s", answer).isEqualTo("granted");
        assertThat(answer.get("fence").longValue()).isGreaterThanOrEqualTo(floor);
    }
}
