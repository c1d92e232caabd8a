package dev.holdfast.torture.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A blink of a soak; {@code make soak} is the long one. */
@Tag("slow")
class SoakTest {

    @TempDir
    Path directory;

    @Test
    @Timeout(300)
    void d19_aBlinkFindsNoViolation() throws Exception {
        SoakSettings settings = SoakSettings.of(
                new String[] {"HOURS=0.0014", "WINDOWS=6", "READERS=50", "DIRECTORY=" + directory},
                System.nanoTime() % 1_000_000);
        Soak soak = new Soak(settings);

        assertThat(soak.run()).as("the same again: %s", settings.command()).isEmpty();
        assertThat(soak.watch().counts()).containsKeys("turns", "shared", "permits", "works", "readers");
        assertThat(Files.readString(directory.resolve("report.md"))).contains(settings.command(), "Violations: 0.");
    }
}
