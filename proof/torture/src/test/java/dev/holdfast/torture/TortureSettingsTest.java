package dev.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.torture.world.Servers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The run uses the settings of the command line, and the report shows a command that repeats it. */
class TortureSettingsTest {

    private static TortureSettings of(String... words) {
        return TortureSettings.of(words, 42);
    }

    @Test
    void withoutWordsItIsTenMinutesWithAnySeed() {
        assertThat(of().time()).isEqualTo(Duration.ofMinutes(10));
        assertThat(of().seed()).isEqualTo(42);
        assertThat(of().nodes()).isEqualTo(5);
    }

    @Test
    void theCommandSaysTheSameAgain() {
        TortureSettings settings = of(
                "TIME=60",
                "SEED=7",
                "NODES=3",
                "CLIENTS=2",
                "TEXTBOOKS=0",
                "WORKERS=1",
                "RECIPES=50",
                "BROKEN=1",
                "FAULTS=KillClient,StopClient");
        assertThat(of(settings.command().replace("make torture ", "").split(" ")))
                .isEqualTo(settings);
    }

    @Test
    void aRunOnPostgresHasOneServerAndNoTextbook() {
        TortureSettings settings = of("NODE=postgresql");
        assertThat(settings.kind()).isEqualTo(Servers.Kind.POSTGRESQL);
        assertThat(settings.nodes()).isEqualTo(1);
        assertThat(settings.textbooks()).isZero();
        assertThat(of(settings.command().replace("make torture ", "").split(" ")))
                .isEqualTo(settings);
    }

    @Test
    void wrongWordsAreRefused() {
        for (String word : new String[] {"TIME", "TIME=x", "TIME=1", "NODES=2", "CLIENTS=1", "Seed=1", "NODE=mysql"}) {
            assertThatThrownBy(() -> of(word)).as(word).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
