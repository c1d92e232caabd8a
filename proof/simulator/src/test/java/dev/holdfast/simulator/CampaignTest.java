package dev.holdfast.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Effort;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All scenarios: {@value #BRIEF} schedules of each in the build of every change, more than two million acquisitions in a thorough one, from the
 * seed that it prints. {@code make sim} plays any.
 */
@Tag("slow")
class CampaignTest {

    static final int BRIEF = 30;

    private static final long SEED = Effort.seed(0);
    private static final int THREADS = Runtime.getRuntime().availableProcessors();

    /** How many schedules of each scenario, so that no scenario is neglected and all together are enough. */
    private static Map<Scenario, Integer> schedules() {
        Map<Scenario, Integer> schedules = new LinkedHashMap<>();
        schedules.put(Scenarios.CALM, 250);
        schedules.put(Scenarios.LOSSY, 120);
        schedules.put(Scenarios.STORM, 500);
        schedules.put(Scenarios.MODES, 500);
        schedules.put(Scenarios.SLEEP, 250);
        schedules.put(Scenarios.FROZEN, 250);
        schedules.put(Scenarios.FORGETFUL, 400);
        schedules.put(Scenarios.SECONDS, 250);
        schedules.put(Scenarios.FAILOVERS, 400);
        schedules.put(Scenarios.DRIFT, 250);
        schedules.put(Scenarios.LATE, 250);
        schedules.put(Scenarios.STALE, 300);
        schedules.put(Scenarios.SLOW, 250);
        schedules.put(Scenarios.SINGLE, 350);
        schedules.put(Scenarios.DATABASE, 250);
        schedules.put(Scenarios.DATABASE_FAILOVERS, 150);
        schedules.put(Scenarios.DATABASES, 300);
        schedules.put(Scenarios.FLUSHES, 200);
        schedules.put(Scenarios.TTLS, 200);
        schedules.put(Scenarios.POWER_CUTS, 250);
        schedules.put(Scenarios.CLOCKS, 250);
        schedules.put(Scenarios.HAND_OVER, 400);
        schedules.put(Scenarios.FAIR, 100);
        schedules.put(Scenarios.FAIR_DEATHS, 100);
        schedules.put(Scenarios.LINGER, 250);
        schedules.put(Scenarios.BLOCKS, 150);
        schedules.put(Scenarios.SEALS, 500);
        schedules.put(Scenarios.CLOSING, 100);
        schedules.put(Scenarios.VERSIONS, 250);
        schedules.put(Scenarios.MOVING, 250);
        schedules.put(Scenarios.PROMISES, 100);
        schedules.put(Scenarios.PROMISED_SEALS, 25);
        schedules.put(Scenarios.TOLD_SEALS, 50);
        schedules.put(Scenarios.LOST_DISKS, 100);
        schedules.put(Scenarios.BOOTSTRAPS, 250);
        schedules.put(Scenarios.ROLLING, 150);
        schedules.put(Scenarios.ROLLING_SEALS, 150);
        schedules.put(Scenarios.ROLLING_TTLS, 100);
        schedules.put(Scenarios.CLUSTER, 300);
        schedules.put(Scenarios.CLUSTER_ORDER, 300);
        schedules.put(Scenarios.CLUSTER_SEALS, 150);
        return schedules;
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void everyPromiseIsKept() {
        Map<Scenario, Integer> schedules = schedules();
        assertThat(schedules.keySet()).containsExactlyInAnyOrderElementsOf(Scenarios.all());
        Map<Count, Long> counts = new EnumMap<>(Count.class);
        for (Map.Entry<Scenario, Integer> some : schedules.entrySet()) {
            Campaign campaign = new Campaign(some.getKey(), SEED)
                    .play(Effort.ofProof(Math.min(BRIEF, some.getValue()), some.getValue()), THREADS);
            System.out.println(campaign.report());
            assertThat(campaign.violation()).as(campaign.report()).isNull();
            for (Count what : Count.values()) {
                counts.merge(what, campaign.count(what), Long::sum);
            }
        }
        System.out.println("from seed " + SEED + ": " + counts);
        assertThat(counts.get(Count.ACQUISITIONS)).isGreaterThanOrEqualTo(200_000);
        assertThat(counts.get(Count.HAND_OVERS)).isGreaterThanOrEqualTo(20_000);
        if (!Effort.isThoroughProof()) {
            return;
        }
        assertThat(counts.get(Count.ACQUISITIONS)).isGreaterThanOrEqualTo(2_000_000);
        assertThat(counts.get(Count.HAND_OVERS)).isGreaterThanOrEqualTo(200_000);
        assertThat(counts.get(Count.LINGERED)).isGreaterThanOrEqualTo(50_000);
        assertThat(counts.get(Count.FORCED)).isGreaterThanOrEqualTo(10_000);
        assertThat(counts.get(Count.RAISES)).isGreaterThanOrEqualTo(5_000);
    }
}
