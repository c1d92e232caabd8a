package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cluster.ClusterStatus.Health;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The conclusions of a server from the answer of another one. */
class StatusReportsTest {

    /** Returns the conclusion from the answer of a server that runs or does not, and what it said. */
    private static Health health(boolean runs, String leader, String problem, OptionalLong lag) {
        Map<String, String> fields = new HashMap<>(Map.of("leader", leader, "problem", problem));
        if (runs) {
            fields.put("last", "7");
        }
        return new GroupReport(0, new PeerMessage(fields), lag).health();
    }

    @Test
    void aFollowerIsBehindOnceItLacksMoreThanIsUnderWay() {
        assertThat(health(true, "a", "", OptionalLong.of(Health.MOST_LAG))).isEqualTo(Health.WELL);
        assertThat(health(true, "a", "", OptionalLong.of(Health.MOST_LAG + 1))).isEqualTo(Health.BEHIND);
        assertThat(health(true, "a", "", OptionalLong.empty())).isEqualTo(Health.WELL);
    }

    /** The engine tells nothing about the log of a replica that it has stopped. */
    @Test
    void aStoppedServerIsNotOneThatStarts() {
        GroupReport stopped = new GroupReport(
                0,
                new PeerMessage(Map.of("leader", "", "problem", "the disk is full", "stopped", "true")),
                OptionalLong.empty());
        assertThat(stopped.health()).isEqualTo(Health.STOPPED);
        assertThat(stopped.detail()).isEqualTo("the disk is full");
        assertThat(stopped.runs()).isFalse();
    }

    @Test
    void aServerWithoutALogStarts() {
        assertThat(health(false, "", "it waits for b", OptionalLong.empty())).isEqualTo(Health.STARTING);
        assertThat(health(true, "", "", OptionalLong.empty())).isEqualTo(Health.WITHOUT_LEADER);
    }

    @Test
    void onlyServersThatVoteTakePart() {
        assertThat(Health.values())
                .filteredOn(Health::takesPart)
                .containsExactly(Health.WELL, Health.BEHIND, Health.WITHOUT_LEADER);
    }
}
