package dev.holdfast.redis.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Fuzz;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Replies of servers, valid ones changed: values, or an exception of reading. */
class RespReaderFuzzTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void isReadOrRefused() {
        byte[][] valid = {
            bytes("+OK\r\n:12\r\n$3\r\nabc\r\n"),
            bytes("*3\r\n$1\r\na\r\n*2\r\n:1\r\n$-1\r\n-ERR no\r\n"),
            bytes("*1\r\n".repeat(40)),
        };
        Fuzz.check("RespReaderFuzzTest", 50_000, input -> {
            RespReader reader = new RespReader(new ByteArrayInputStream(input.bytes(valid)));
            try {
                for (int i = 0; i < 100; i++) {
                    reader.read();
                }
            } catch (IOException e) {
                assertThat(e).hasMessageMatching("(?s).{3,66000}");
            }
        });
    }
}
