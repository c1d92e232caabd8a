package dev.holdfast.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The simulator on the command line, and what it says when a promise is broken. */
class SimulateTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... settings) {
        return Simulate.run(
                List.of(settings),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @Test
    void playsASeedAndSaysWhatHappened() {
        assertThat(run("SCENARIO=storm", "SEED=3", "TRACE=1", "TIME=")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(" A acquire ", " c1 has ", " world all is well ", "every promise kept", "ACQUISITIONS=");
    }

    @Test
    void playsSchedulesAndCounts() {
        assertThat(run("SCENARIO=calm", "SEED=5", "SCHEDULES=3")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("calm: 3 schedules from seed 5", " acquisitions, every promise kept");
    }

    @Test
    @Tag("slow")
    void allScenariosShareTheTimeOfTheRun() {
        int seconds = 4; // each scenario plays one schedule in any case, which beside a load takes a second or two
        assertTimeout(
                Duration.ofSeconds((long) seconds * Scenarios.all().size()),
                () -> assertThat(run("SEED=7", "TIME=" + seconds)).isZero());
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .as("a line for each scenario, and a summary")
                .hasSize(Scenarios.all().size() + 1);
    }

    @ParameterizedTest
    @CsvSource({
        "SCENARIO=tea, scenario is 'tea'",
        "SEED=x, SEED is 'x'",
        "TIME=0, TIME is 0",
        "SCHEDULES=-1, SCHEDULES is -1",
        "HURRY=1, setting 'HURRY=1'",
        "storm, setting 'storm'",
    })
    void refusesWrongSettings(String setting, String said) {
        assertThat(run(setting)).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(said);
    }

    @Test
    void aBrokenPromiseIsToldWithTheLineThatPlaysItAgain() {
        Campaign campaign = new Campaign(promising(Scenarios.CLOCKS, Promise.ONE_HOLDER), 0).play(50, 2);

        assertThat(campaign.report())
                .contains("ONE_HOLDER at ", " was granted while ")
                .containsPattern("make sim SCENARIO=clocks SEED=[0-9]+ TRACE=1");
        Outcome violation = campaign.violation();
        assertThat(violation).isNotNull();
        assertThat(new Schedule(promising(Scenarios.CLOCKS, Promise.ONE_HOLDER), violation.seed(), null).run())
                .isEqualTo(violation);
    }

    @Test
    void theTextbookBreaksWhatNobodyChecksAToken() {
        assertThat(new Campaign(promising(Comparison.textbook(Fault.HOLDER_PAUSES), Promise.NO_STALE_WRITE), 0)
                        .play(50, 2)
                        .violation())
                .isNotNull();
        assertThat(new Campaign(promising(Comparison.textbook(Fault.CRASH_AND_FORGET), Promise.ONE_HOLDER), 0)
                        .play(50, 2)
                        .violation())
                .isNotNull();
    }

    @Test
    void aScheduleThatCannotBePlayedProvesNothing() {
        Scenario calm = Scenarios.named("calm");
        Scenario.Load load = calm.load();
        Scenario.Load withoutTtl = new Scenario.Load(
                load.clients(),
                load.workers(),
                load.locks(),
                load.shared(),
                List.of(),
                load.waiterTtlMillis(),
                load.extended(),
                load.longHolds(),
                load.holdMillis(),
                load.hasty(),
                load.handOver(),
                load.kind());
        Scenario broken = new Scenario(
                "broken",
                calm.nodes(),
                withoutTtl,
                calm.network(),
                calm.clocks(),
                calm.faults(),
                calm.faultEveryMillis(),
                calm.faultyMillis(),
                calm.promises());

        assertThatThrownBy(() -> new Campaign(broken, 0).play(3, 2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a schedule of broken can't be played");
    }

    private static Scenario promising(Scenario scenario, Promise promise) {
        return new Scenario(
                scenario.name(),
                scenario.nodes(),
                scenario.load(),
                scenario.network(),
                scenario.clocks(),
                scenario.faults(),
                scenario.faultEveryMillis(),
                scenario.faultyMillis(),
                List.of(promise));
    }
}
