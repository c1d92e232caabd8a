package dev.holdfast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More than two million acquisitions in all scenarios, always the same ones. {@code make sim} plays others. */
@Tag("slow")
class CampaignTest {

    private static final int THREADS = Runtime.getRuntime().availableProcessors();

    /** How many schedules of each scenario, so that no scenario is neglected and all together are enough. */
    private static Map<Scenario, Integer> schedules() {
        Map<Scenario, Integer> schedules = new LinkedHashMap<>();
        schedules.put(Scenarios.CALM, 300);
        schedules.put(Scenarios.LOSSY, 150);
        schedules.put(Scenarios.STORM, 700);
        schedules.put(Scenarios.MODES, 700);
        schedules.put(Scenarios.SLEEP, 300);
        schedules.put(Scenarios.FORGETFUL, 500);
        schedules.put(Scenarios.DRIFT, 300);
        schedules.put(Scenarios.LATE, 300);
        schedules.put(Scenarios.STALE, 300);
        schedules.put(Scenarios.SLOW, 300);
        schedules.put(Scenarios.SINGLE, 400);
        schedules.put(Scenarios.POWER_CUTS, 300);
        schedules.put(Scenarios.CLOCKS, 300);
        return schedules;
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void everyPromiseIsKeptInTwoMillionAcquisitions() {
        Map<Scenario, Integer> schedules = schedules();
        assertThat(schedules.keySet()).containsExactlyInAnyOrderElementsOf(Scenarios.all());
        long acquisitions = 0;
        for (Map.Entry<Scenario, Integer> some : schedules.entrySet()) {
            Campaign campaign = new Campaign(some.getKey(), 0).play(some.getValue(), THREADS);
            System.out.println(campaign.report());
            assertThat(campaign.violation()).as(campaign.report()).isNull();
            acquisitions += campaign.count(Count.ACQUISITIONS);
        }
        assertThat(acquisitions).isGreaterThanOrEqualTo(2_000_000);
    }
}
