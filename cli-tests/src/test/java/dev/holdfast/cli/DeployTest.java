package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.settings.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import picocli.CommandLine;

/** The files of {@code docs/deploy}: each is valid for its system, and the command line accepts every word of it. */
class DeployTest {

    private static final Path DEPLOY = Path.of("../docs/deploy");
    private static final Set<String> KEYS_OF_A_SERVICE = Set.of(
            "image",
            "command",
            "restart",
            "networks",
            "volumes",
            "ports",
            "depends_on",
            "stop_grace_period",
            "ulimits",
            "read_only",
            "tmpfs",
            "cap_drop",
            "security_opt",
            "healthcheck");

    @TempDir
    private Path folder;

    private static void mustBeKnown(List<String> arguments) {
        Program.complete().parseArgs(arguments.toArray(String[]::new));
    }

    private static List<String> after(String word, String line) {
        List<String> words = new ArrayList<>(Arrays.asList(line.strip().split("\\s+")));
        return words.subList(words.indexOf(word) + 1, words.size());
    }

    private static String unit() throws IOException {
        return Files.readString(DEPLOY.resolve("holdfast.service"));
    }

    @Test
    void theUnitRunsTheServerWithOptionsThatItKnows() throws IOException {
        String start = unit().lines()
                .filter(line -> line.startsWith("ExecStart="))
                .findFirst()
                .orElseThrow();

        assertThat(start).contains(" " + Main.class.getName() + " ");
        mustBeKnown(after(Main.class.getName(), start));
        assertThatThrownBy(() -> mustBeKnown(List.of("serve", "--no-such-option")))
                .isInstanceOf(CommandLine.ParameterException.class);
    }

    @Test
    void systemdFindsNothingWrongWithTheUnit() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/systemd-analyze")), "systemd-analyze is not on this machine");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/java")), "the unit's java is not on this machine");
        Path out = folder.resolve("out");

        Process process = new ProcessBuilder(
                        "systemd-analyze",
                        "verify",
                        DEPLOY.resolve("holdfast.service")
                                .toAbsolutePath()
                                .normalize()
                                .toString())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();

        assertThat(process.waitFor()).as(Files.readString(out)).isZero();
        assertThat(Files.readString(out)).doesNotContain("holdfast.service:");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        assertThat(value).isInstanceOf(Map.class);
        return (Map<String, Object>) value;
    }

    @Test
    @SuppressWarnings("unchecked")
    void theComposeFileIsOneAndStartsTheServerWithOptionsThatItKnows() throws IOException {
        Map<String, Object> file = map(new Yaml(new SafeConstructor(new LoaderOptions()))
                .load(Files.readString(DEPLOY.resolve("compose-redis.yaml"))));
        assertThat(file.keySet()).containsExactlyInAnyOrder("name", "x-redis", "services", "networks", "volumes");
        Map<String, Object> services = map(file.get("services"));
        assertThat(services.keySet()).containsExactlyInAnyOrder("redis-1", "redis-2", "redis-3", "holdfast");
        services.values()
                .forEach(service ->
                        assertThat(KEYS_OF_A_SERVICE).containsAll(map(service).keySet()));

        Map<String, Object> holdfast = map(services.get("holdfast"));
        List<String> command = (List<String>) holdfast.get("command");
        mustBeKnown(command);
        for (String name : (List<String>) holdfast.get("depends_on")) {
            assertThat(command).contains("--node=redis://" + name + ":6379");
            assertThat((List<String>) map(services.get(name)).get("volumes")).containsExactly(name + ":/data");
        }
        assertThat(map(file.get("volumes")).keySet()).isEqualTo(Set.copyOf((List<String>) holdfast.get("depends_on")));
    }

    @Test
    void serversHaveTimeToBecomeHealthyAfterTheQuarantineOfNewNodes() throws IOException {
        for (String name : List.of("compose-redis.yaml", "compose-majority.yaml")) {
            String file = Files.readString(DEPLOY.resolve(name));

            assertThat(file).as(name).containsOnlyOnce("start_period: ").contains("start_period: 60s");
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void theMajorityIsFiveServersThatAreEachOthersNodes() throws IOException {
        Map<String, Object> file = map(new Yaml(new SafeConstructor(new LoaderOptions()))
                .load(Files.readString(DEPLOY.resolve("compose-majority.yaml"))));
        Map<String, Object> services = map(file.get("services"));
        assertThat(services).hasSize(5);
        assertThat(map(file.get("volumes")).keySet()).isEqualTo(services.keySet());
        services.forEach((name, service) -> {
            Map<String, Object> server = map(service);
            assertThat(KEYS_OF_A_SERVICE).containsAll(server.keySet());
            mustBeKnown((List<String>) server.get("command"));
            assertThat((List<String>) server.get("command"))
                    .contains("--node=holdfast://" + name + ":7420")
                    .hasSize(11);
            assertThat((List<String>) server.get("volumes")).contains(name + ":/var/lib/holdfast");
        });
    }

    @Test
    void wrongSettingsDoNotRestartTheServiceForever() throws IOException {
        assertThat(unit())
                .contains("\nRestartPreventExitStatus=" + ExitCode.USAGE + "\n")
                .as("a minimal system has no /bin/kill, but its shell has one")
                .contains("\nExecReload=/bin/sh -c 'kill -HUP $MAINPID'\n");
    }

    @Test
    void theImageIsBuiltFromSourcesWithoutSecretsByAWrapperThatFindsUnzip() throws IOException {
        assertThat(Files.readString(DEPLOY.resolve("Dockerfile"))).containsSubsequence("install -y", "unzip", "./mvnw");
        assertThat(Files.readAllLines(Path.of("../.dockerignore")))
                .contains("docs/deploy/password", "docs/deploy/server.properties", ".git", "**/target");
    }

    @Test
    void theImageRunsTheServerWithOptionsThatItKnows() throws IOException {
        String file = Files.readString(DEPLOY.resolve("Dockerfile"));
        String command =
                file.lines().filter(line -> line.startsWith("CMD ")).findFirst().orElseThrow();

        assertThat(file).contains("\"" + Main.class.getName() + "\"", WarmUp.class.getName());
        mustBeKnown(Arrays.stream(command.substring(4).split("[\\[\\]\", ]+"))
                .filter(word -> !word.isEmpty())
                .toList());
    }

    @Test
    void theSettingsAreKnownAndTakeEffectWhenTheSecretsArePutIn() throws IOException {
        String settings = Files.readString(DEPLOY.resolve("server.properties"));
        Path asItIs = Files.writeString(folder.resolve("as-it-is"), settings);
        String one = settings.replaceFirst("<openssl rand -hex 32>", "0".repeat(64))
                .replaceFirst("<openssl rand -hex 32>", "1".repeat(64))
                .replaceFirst("<openssl rand -hex 32>", "2".repeat(64));
        Path filled = Files.writeString(folder.resolve("filled"), one.replaceAll("(?m)^#([a-z.-]+ = )", "$1"));

        assertThatThrownBy(() -> ConfigFile.read(asItIs).tokens())
                .as("nobody serves with a secret that can be looked up")
                .isInstanceOf(Failure.class)
                .hasMessageContaining("secret");
        ConfigFile read = ConfigFile.read(filled);
        assertThat(read.tokens()).hasSize(3);
        assertThat(read.limits().connections()).isEqualTo(10_000);
        assertThat(read.path(ConfigFile.Setting.HTTPS_CERT)).contains(folder.resolve("server.pem"));
        assertThat(read.path(ConfigFile.Setting.AUDIT_LOG)).isPresent();
    }
}
