package dev.holdfast.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings of a run. */
class BenchmarkSettingsTest {

    @Test
    void onlyAWholeRunIsReportedInTheDocs() {
        assertThat(BenchmarkSettings.of("ROUNDS=7").directory()).isEqualTo(Path.of("docs/benchmarks"));
        assertThat(BenchmarkSettings.of("SCENARIO=hot").directory()).isEqualTo(Path.of("target/benchmarks"));
        assertThat(BenchmarkSettings.of("SIZE=quick").directory()).isEqualTo(Path.of("target/benchmarks"));
        assertThat(BenchmarkSettings.of("SIZE=quick", "TO=x").directory()).isEqualTo(Path.of("x"));
    }

    @Test
    void partsOfNamesChoose() {
        BenchmarkSettings settings = BenchmarkSettings.of("SCENARIO=hot;readers", "CASE=N=1, 8", "SIDE=raw");

        assertThat(settings.wantsScenario("hot")).isTrue();
        assertThat(settings.wantsScenario("leases")).isFalse();
        assertThat(settings.wantsCase("N = 1, 8 threads")).isTrue();
        assertThat(settings.wantsCase("N = 5, 8 threads")).isFalse();
        assertThat(settings.wantsSide("raw Lettuce floor")).isTrue();
        assertThat(settings.wantsSide("Holdfast")).isFalse();
    }

    @Test
    void onlyWholeScenariosAreKept() {
        assertThat(BenchmarkSettings.of("SCENARIO=hot").kept()).isNull();
        assertThat(BenchmarkSettings.of("SCENARIO=hot", "KEEP=x").kept()).isEqualTo(Path.of("x"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BenchmarkSettings.of("KEEP=x", "SIDE=raw"))
                .withMessageContaining("whole scenarios only");
    }

    @Test
    void aWholeRunKeepsTheScenarioThatItDoesNotMeasure(@TempDir Path directory) throws IOException {
        assertThat(BenchmarkSettings.of().wantsScenario("server")).isFalse();
        assertThat(BenchmarkSettings.of().wantsScenario("cluster")).isFalse();
        assertThat(BenchmarkSettings.of().wantsScenario("hot")).isTrue();
        assertThat(BenchmarkSettings.of("SCENARIO=server").wantsScenario("server"))
                .isTrue();

        assertThat(BenchmarkSettings.of("TO=" + directory).kept())
                .as("no report is there")
                .isNull();
        Files.createFile(directory.resolve("figures.csv"));
        assertThat(BenchmarkSettings.of("TO=" + directory).kept()).isEqualTo(directory);
        assertThat(BenchmarkSettings.of("TO=" + directory, "SIZE=quick").kept()).isNull();
        assertThat(BenchmarkSettings.of("TO=" + directory, "SCENARIO=hot").kept())
                .isNull();
    }

    @Test
    void whatNobodyKnowsIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> BenchmarkSettings.of("SPEED=11"));
        assertThatIllegalArgumentException().isThrownBy(() -> BenchmarkSettings.of("SIZE=huge"));
    }
}
