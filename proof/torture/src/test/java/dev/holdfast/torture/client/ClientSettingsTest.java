package dev.holdfast.torture.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A process receives exactly the settings of its parent. */
class ClientSettingsTest {

    @Test
    void whatIsSaidIsWhatIsUnderstood() {
        ClientSettings settings = new ClientSettings(
                ClientSettings.Kind.TEXTBOOK,
                LockNaming.client(ClientSettings.Kind.TEXTBOOK, 3, 2),
                Path.of("/tmp/with space/x.history"),
                "jdbc:postgresql://localhost:1/postgres?user=postgres",
                -7,
                4,
                15,
                2_000,
                List.of("redis://127.0.0.1:1", "redis://127.0.0.1:2"));
        assertThat(ClientSettings.of(settings.arguments().toArray(String[]::new)))
                .isEqualTo(settings);
    }
}
