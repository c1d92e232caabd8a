package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

class BootVersionTest {

    @ParameterizedTest
    @ValueSource(strings = {"3.4.12", "3.0.0", "3.4.0-SNAPSHOT", "2.7.18", "3.4.0-RC1", "1.0.0.RELEASE"})
    void e22_anOlderBootEndsTheStartWithOneLine(String version) {
        assertThatThrownBy(() -> BootVersion.require(version))
                .isInstanceOf(OldBootException.class)
                .hasMessage("Holdfast's starter needs Spring Boot 3.5 or later, but this application runs on " + version
                        + ". Move the application to Spring Boot 3.5 or later.");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"3.5.0", "3.5.16", "4.0.0-M1", "4.0.0", "4.1.2", "10.0.0", "", "unknown", "4", "v3.4"})
    void aBootThatIsNewEnoughOrUnknownIsNotRefused(@Nullable String version) {
        assertThatCode(() -> BootVersion.require(version)).doesNotThrowAnyException();
    }

    @Test
    void theBootOfThisBuildIsNewEnough() {
        assertThat(SpringBootVersion.getVersion()).startsWith("4.");
        assertThatCode(BootVersion::require).doesNotThrowAnyException();
    }

    @Test
    void everyApplicationIsChecked() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(ApplicationContextInitializer.class))
                .hasAtLeastOneElementOfType(BootVersion.class);
    }

    @Test
    void theReportSaysWhatAndWhatToDo() {
        FailureAnalysis analysis = Contexts.analysis(new OldBootException("3.4.12"));
        assertThat(analysis.getDescription()).contains("runs on 3.4.12").doesNotContain("\n");
        assertThat(analysis.getAction()).contains("Spring Boot 3.5 or later");
    }
}
