package dev.holdfast.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodesAheadTest {

    private static final String REDIS = "redis://a:6379";
    private static final String SERVERS = "holdfast://a,b,c";

    @TempDir
    private Path folder;

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void useAHomeOfItsOwn() {
        environment.put("HOME", folder.toString());
    }

    private boolean hasRedis(String line) {
        return NodesAhead.hasRedis(List.of(line.split(" ")), environment);
    }

    private Path config(String name, String nodes) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "nodes = " + nodes);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            status stock --node redis://a:6379                         | true
            status stock --node=rediss://a:6379                        | true
            --node holdfast://b --node redis-sentinel://a,b run x date | true
            nodes --node holdfast://a,b,c                              | false
            nodes --node postgresql://redis://                         | false
            run x --node memory: -- redis://a                          | false
            run x --node memory: -- show --node redis://a              | false
            """)
    void optionsComeFirst(String line, boolean expected) {
        environment.put("HOLDFAST_NODES", expected ? SERVERS : REDIS);

        assertThat(hasRedis(line)).isEqualTo(expected);
    }

    @Test
    void theEnvironmentComesBeforeTheConfigFile() throws IOException {
        environment.put("HOLDFAST_CONFIG", config("mine", SERVERS).toString());
        environment.put("HOLDFAST_NODES", SERVERS + " " + REDIS);

        assertThat(hasRedis("status stock")).isTrue();
        environment.put("HOLDFAST_NODES", SERVERS);
        environment.put("HOLDFAST_CONFIG", config("other", REDIS).toString());
        assertThat(hasRedis("status stock")).isFalse();
    }

    @Test
    void theConfigFileNamesNodes() throws IOException {
        config(".config/holdfast/holdfast.properties", SERVERS);
        assertThat(hasRedis("status stock")).isFalse();
        config(".config/holdfast/holdfast.properties", REDIS);
        assertThat(hasRedis("status stock")).isTrue();

        Path other = config("other.properties", SERVERS);
        assertThat(hasRedis("status stock --config " + other)).isFalse();
        assertThat(hasRedis("--config=" + other + " status stock")).isFalse();
        environment.put("HOLDFAST_CONFIG", other.toString());
        assertThat(hasRedis("status stock")).isFalse();
    }

    @Test
    void developmentNodesAreRedisUnlessThereIsADevelopmentCluster() throws IOException {
        assertThat(hasRedis("run nightly date")).isTrue();

        Path list = folder.resolve(".holdfast/dev/cluster/servers");
        Files.createDirectories(list.getParent());
        Files.writeString(list, "a=127.0.0.1:1:2");
        assertThat(hasRedis("run nightly date")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "status --help", "dev up", "serve", "completion bash", "misspelt"})
    void commandsThatLockOnNoNodeLoadNoDriver(String line) {
        environment.put("HOLDFAST_NODES", REDIS);

        assertThat(hasRedis(line)).isFalse();
    }

    /** The command itself reports the mistake. */
    @Test
    void wrongSettingsAreNoNode() throws IOException {
        assertThat(hasRedis("status stock --config " + folder.resolve("missing")))
                .isFalse();
        assertThat(hasRedis("status stock --config")).isTrue();
        environment.put("HOLDFAST_NODES", ",");
        assertThat(hasRedis("status stock")).isFalse();
        environment.remove("HOLDFAST_NODES");
        Path list = folder.resolve(".holdfast/dev/cluster/servers");
        Files.createDirectories(list);
        assertThat(hasRedis("status stock")).isFalse();
    }
}
