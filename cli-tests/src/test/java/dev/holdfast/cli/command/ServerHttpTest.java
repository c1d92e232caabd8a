package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerHttpTest {

    /** A backup is one string. By default a reader refuses strings of more than 100,000,000 characters, the backup of a cluster with 75 MB. */
    @Test
    void anAnswerMayHaveAStringOfAnyLength() {
        assertThat(ServerHttp.JSON.tokenStreamFactory().streamReadConstraints().getMaxStringLength())
                .isEqualTo(Integer.MAX_VALUE);
    }
}
