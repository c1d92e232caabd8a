package dev.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ServerInfoTest {

    private static ServerInfo upFor(long seconds) {
        return new ServerInfo(List.of("# Server\r\nuptime_in_seconds:" + seconds + "\r\n"));
    }

    /** Started within second 8, maybe at its very end; the kernel's clock of whole seconds may be a tick late. */
    @Test
    void theStartIsTheLatestThatItCanBe() {
        assertThat(upFor(4).startedMillis(12_345)).isEqualTo(9_010);
    }

    @Test
    void nothingStartsInTheFuture() {
        assertThat(upFor(0).startedMillis(12_345)).isEqualTo(12_345);
        assertThat(upFor(1).startedMillis(12_005)).as("of age 5 ms or more").isEqualTo(12_005);
        assertThat(upFor(1).startedMillis(12_900)).isEqualTo(12_010);
    }

    @Test
    void whoDoesNotTellMayHaveStartedJustNow() {
        assertThat(new ServerInfo(List.of()).startedMillis(12_345)).isEqualTo(12_345);
    }
}
