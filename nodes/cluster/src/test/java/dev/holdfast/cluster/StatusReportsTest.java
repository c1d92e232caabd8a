package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cluster.ClusterStatus.Health;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The conclusions of a server from the answer of another one. */
class StatusReportsTest {

    private static PeerMessage answer(String leader, String problem) {
        return new PeerMessage(new HashMap<>(Map.of("leader", leader, "problem", problem)));
    }

    @Test
    void aFollowerIsBehindOnceItLacksMoreThanIsUnderWay() {
        assertThat(StatusReports.health(answer("a", ""), true, OptionalLong.of(Health.MOST_LAG)))
                .isEqualTo(Health.WELL);
        assertThat(StatusReports.health(answer("a", ""), true, OptionalLong.of(Health.MOST_LAG + 1)))
                .isEqualTo(Health.BEHIND);
        assertThat(StatusReports.health(answer("a", ""), true, OptionalLong.empty()))
                .isEqualTo(Health.WELL);
    }

    @Test
    void aProblemCountsMoreThanTheLog() {
        assertThat(StatusReports.health(answer("a", "the disk is full"), true, OptionalLong.of(0)))
                .isEqualTo(Health.STOPPED);
        assertThat(StatusReports.health(answer("", "it waits for b"), false, OptionalLong.empty()))
                .isEqualTo(Health.STARTING);
        assertThat(StatusReports.health(answer("", ""), true, OptionalLong.empty()))
                .isEqualTo(Health.WITHOUT_LEADER);
    }

    @Test
    void onlyServersThatVoteTakePart() {
        assertThat(Health.values())
                .filteredOn(Health::takesPart)
                .containsExactly(Health.WELL, Health.BEHIND, Health.WITHOUT_LEADER);
    }
}
