package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClusterCommandTest {

    @Test
    void controlCharactersOfAServerDoNotReachTheTerminal() {
        String view = """
                {"id":"dev\\u001b[2J","leader":"a\\u001b]0;x\\u0007","term":1,"takingPart":1,"majority":1,
                "groups":[{"group":"0","leader":"a"}],"servers":[{"name":"a\\u001b[2J","address":"b","role":"leader"}]}
                """;

        assertThat(ClusterCommand.text(ServerHttp.JSON.readTree(view)))
                .startsWith("dev\\u001B[2J: server a\\u001B]0;x\\u0007 leads, term 1, 1 of 1 servers take part")
                .doesNotContain("\u001b");
    }
}
