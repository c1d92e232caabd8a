package dev.holdfast.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.output.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {

    @TempDir
    private Path folder;

    private final ClientOptions options = new ClientOptions();

    private Path file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    @Test
    void optionsGoBeforeTheEnvironmentAndThatBeforeTheFile() throws Exception {
        Path config = file("holdfast.properties", "nodes = memory:file");
        Map<String, String> both = Map.of("HOLDFAST_NODES", "memory:variable", "HOLDFAST_CONFIG", config.toString());

        assertThat(Settings.of(options, Map.of("HOLDFAST_CONFIG", config.toString()))
                        .nodes())
                .containsExactly("memory:file");
        assertThat(Settings.of(options, both).nodes()).containsExactly("memory:variable");
        options.nodes = List.of("memory:option");
        assertThat(Settings.of(options, both).nodes()).containsExactly("memory:option");
    }

    @Test
    void theConfigFileOfTheHomeDirectoryCountsWhereNoOtherIsNamed() throws Exception {
        file(".config/holdfast/holdfast.properties", "nodes = memory:home");
        Path other = file("other.properties", "nodes = memory:other");
        Map<String, String> home = Map.of("HOME", folder.toString());

        assertThat(Settings.of(options, home).nodes()).containsExactly("memory:home");
        options.config = other;
        assertThat(Settings.of(options, home).nodes()).containsExactly("memory:other");
    }

    @Test
    void withoutAnyThereAreNoNodes() {
        assertThat(Settings.of(options, Map.of("HOLDFAST_NODES", " ")).nodes()).isEmpty();
    }

    @Test
    void aFileSetsWhatALockStartsFrom() throws Exception {
        options.config = file(
                "all.properties", "# a comment\nkey-prefix =\nttl = 5s\nnode-timeout = 100ms\nconnect-timeout=1s\n");

        try (Holdfast holdfast =
                Settings.of(options, Map.of("HOLDFAST_NODES", "memory:")).connect()) {
            assertThat(holdfast.lock("name").ttl()).isEqualTo(Duration.ofSeconds(5));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "nods = memory: | unknown key 'nods'; known keys are nodes, key-prefix, ttl,",
                "nods = memory: | audit-log, and keys that begin with limit. or token.",
                "ttl = soon | ttl: 'soon' is not a duration",
                "nodes = | nodes is empty",
                "ttl = 1ms | ttl is 1 ms, but must be from 50 ms to 24 h",
                "node-timeout = 1h | timeout is 1 h, but must be from 1 ms to 60 s",
                "username = bob | has no password",
                "tls-cert = x.pem | belong together",
                "tls-ca = no-such.pem | it does not exist",
                "password-file = no-such | does not exist",
                "ttl = \\u00zz | cannot be read",
            })
    void whatIsWrongInAFileIsSaid(String text, String expected) throws Exception {
        options.config = file("wrong.properties", text);

        assertThatThrownBy(() -> {
                    Settings settings = Settings.of(options, Map.of());
                    settings.nodes();
                    settings.builder();
                })
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.exitCode()).isEqualTo(64))
                .hasMessageContaining(expected);
    }

    @Test
    void aFileMayBeginWithAByteOrderMark() throws Exception {
        options.config = file("marked.properties", "\uFEFFnodes = memory:file\r\n");

        assertThat(Settings.of(options, Map.of()).nodes()).containsExactly("memory:file");
    }

    @Test
    void aFileThatCannotBeReadIsSaid() throws Exception {
        options.config = folder.resolve("missing");
        assertThatThrownBy(() -> Settings.of(options, Map.of())).hasMessageEndingWith("missing does not exist");
        options.config = folder;
        assertThatThrownBy(() -> Settings.of(options, Map.of())).hasMessageEndingWith("is a directory");
        options.config = Files.write(folder.resolve("latin"), "nodes = é".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> Settings.of(options, Map.of())).hasMessageEndingWith("is not UTF-8 text");
    }

    @Test
    void aPasswordIsNeverShown() throws Exception {
        options.passwordFile = file("password", "hush-hush\n");
        options.username = "bob";

        assertThat(Settings.of(options, Map.of()).builder().toString()).doesNotContain("hush-hush");
    }
}
