package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Socket;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Readers of events that do not read. */
@Tag("slow")
class SlowReadersTest {

    /** Each of these characters takes two in an event, so the events that may wait by their number would take 12 MB. */
    private static final String LONG_NAME = "\\\"".repeat(1_000);

    private static final int CHARS = 2_000;
    private static final int SMALL_BUFFER = 4_096;

    /** The number of events that the system's buffers and the limit of characters take is smaller, and the limit of events is larger. */
    private static final int MANY = 5_000;

    @Test
    void aReaderIsDroppedForItsCharactersToo() throws Exception {
        try (LockServer server = LockServer.builder().port(0).start();
                Socket slow = new Socket(server, SMALL_BUFFER)) {
            Http http = new Http(server);
            slow.write("GET /v1/events?types=extended HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(slow.readSome()).startsWith("HTTP/1.1 200");
            extend(http);

            long read = 0;
            try {
                String some = slow.readSome();
                while (!some.isEmpty() && read < (long) MANY * CHARS) {
                    read += some.length();
                    some = slow.readSome();
                }
            } catch (SocketException reset) {
                // which is an end too
            }
            assertThat(read).isLessThan((long) MANY * CHARS);
        }
    }

    /** The log keeps these events in any case, and a reader that may not wait for them could never catch up. */
    @Test
    void aReaderMayWaitForAllThatTheLogKeeps() throws Exception {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            extend(http);
            try (Socket reader = new Socket(server)) {
                reader.write("GET /v1/events?types=extended HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: old\r\n\r\n");

                long read = 0;
                while (read < 1_024L * CHARS) {
                    String some = reader.readSome();
                    assertThat(some).isNotEmpty();
                    read += some.length();
                }
            }
        }
    }

    private static void extend(Http http) throws Exception {
        Reply lease = http.acquire("{'lock':'" + LONG_NAME + "','ttl':'1h'}").is(201);
        String path = "/v1/leases/" + lease.text("id") + "/extend";
        CompletableFuture<?> last = CompletableFuture.completedFuture(null);
        for (int i = 0; i < MANY; i++) {
            last = http.postAsync(path, "");
            if (i % 50 == 0) {
                last.get(Http.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        }
        last.get(Http.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
}
