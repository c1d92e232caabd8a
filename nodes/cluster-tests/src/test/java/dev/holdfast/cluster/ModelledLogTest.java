package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.holdfast.cluster.ModelledLog.Mistake;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leases keep their promises behind a modelled consensus, and the model notices mistakes. */
class ModelledLogTest {

    private static final int STEPS = 1_000;
    private static final int SCHEDULES = 40;

    @Test
    void noPromiseIsBroken() {
        int changes = 0;
        int grants = 0;
        int answered = 0;
        int throughLog = 0;
        for (long seed = 1; seed <= SCHEDULES; seed++) {
            ModelledLog log = new ModelledLog(seed, Mistake.NONE);
            try {
                log.play(STEPS);
            } catch (AssertionError e) {
                fail("seed " + seed + ": " + e.getMessage(), e);
            }
            changes += log.changes();
            grants += log.grants();
            answered += log.answered();
            throughLog += log.throughLog();
        }
        assertThat(changes).isGreaterThan(300);
        assertThat(grants).isGreaterThan(200);
        assertThat(answered).isGreaterThan(1_000);
        assertThat(throughLog).as("queries of what has expired").isGreaterThan(10);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyMistakeIsNoticed(Mistake mistake) {
        for (long seed = 1; seed <= SCHEDULES; seed++) {
            try {
                new ModelledLog(seed, mistake).play(STEPS);
            } catch (AssertionError e) {
                System.out.println(mistake + " is noticed after " + seed + " schedules: " + e.getMessage());
                return;
            }
        }
        fail(mistake + " is not noticed within " + SCHEDULES + " schedules");
    }
}
