package dev.holdfast.sample.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings of the command, and its messages about wrong ones. */
class SettingsTest {

    @TempDir
    Path folder;

    @Test
    void takesWordsInAnyOrder() {
        Settings settings = Settings.of("RATE=9", "PORT=9000");
        assertThat(settings.port()).isEqualTo(9000);
        assertThat(settings.rate()).isEqualTo(9);
        assertThat(settings.nodes()).isEqualTo(5);
    }

    @Test
    void saysWhatIsWrongWithAWord() {
        assertThatThrownBy(() -> Settings.of("SPEED=9"))
                .hasMessage("'SPEED=9' is not NAME=number with a name of PORT, DASHBOARD, NODES and RATE");
        assertThatThrownBy(() -> Settings.of("PORT=many")).hasMessage("PORT is 'many', which is not a number");
        assertThatThrownBy(() -> Settings.of("NODES=0")).hasMessage("NODES is 0, but must be from 1 to 9");
        assertThatThrownBy(() -> Settings.of("PORT=65535")).hasMessage("PORT is 65535, but must be from 0 to 65533");
    }

    @Test
    void saysWhichPortIsTakenBeforeAnythingIsStarted() throws Exception {
        Path run = folder.resolve("run");
        try (ServerSocket taken = new ServerSocket(0)) {
            Settings settings = new Settings(0, taken.getLocalPort(), 3, 0, run, List.of());
            try (Stage stage = new Stage(settings)) {
                assertThatThrownBy(stage::start)
                        .isInstanceOf(StageException.class)
                        .hasMessageContaining("port " + taken.getLocalPort() + " can't be listened on")
                        .hasMessageContaining("make sample DASHBOARD=0");
            }
        }
        assertThat(Files.exists(run)).isFalse();
    }

    @Test
    void oneRunAtATimeInAFolder() {
        Path run = folder.resolve("run");
        RunFolder mine = RunFolder.take(run);
        assertThatThrownBy(() -> RunFolder.take(run)).hasMessageContaining("another sample runs in");
        mine.close();
        assertThat(Files.exists(run)).isFalse();
        RunFolder.take(run).close();
    }
}
