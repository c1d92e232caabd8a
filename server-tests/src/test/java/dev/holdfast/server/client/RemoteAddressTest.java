package dev.holdfast.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteAddressTest {

    @Test
    void aListHasAllServersWithTheirTokenAndPorts() {
        assertThat(RemoteAddress.list("holdfasts://:top%40secret@A,b:7500,[::1]:7600/"))
                .containsExactly(
                        new RemoteAddress(true, "a", 7420, "top@secret"),
                        new RemoteAddress(true, "b", 7500, "top@secret"),
                        new RemoteAddress(true, "[::1]", 7600, "top@secret"));
        assertThat(RemoteAddress.list("holdfast://a")).containsExactly(new RemoteAddress(false, "a", 7420, null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "holdfast://a,| no host at one of its commas",
                "holdfast://,a | no host",
                "holdfast://a,,b | no host",
                "holdfast://a,A:7420 | names holdfast://a:7420 twice",
                "holdfast://a,b:0 | its port is 0",
                "holdfast://:secret@a,b c | not a URI",
                "holdfast://:secret@a,b?c=d | more than a host and a port",
                "holdfast:a,b | no host",
                "redis://a,b | its scheme is neither",
                "a,b | its scheme is neither",
            })
    void aWrongListIsRefusedWithoutItsToken(String uri, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RemoteAddress.list(uri))
                .withMessageContaining(reason)
                .withMessageNotContaining("secret");
    }
}
