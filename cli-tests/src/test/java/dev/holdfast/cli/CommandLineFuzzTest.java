package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.settings.ClientOptions;
import dev.holdfast.cli.settings.DurationConverter;
import dev.holdfast.cli.settings.NodeList;
import dev.holdfast.cli.settings.Settings;
import dev.holdfast.testkit.Fuzz;
import dev.holdfast.testkit.FuzzedInput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arguments, durations, lists of nodes and config files, valid ones changed and made up: understood, or refused in one line. */
@Tag("slow")
class CommandLineFuzzTest {

    private static final String SECRET = "hush-hush";

    @TempDir
    private Path folder;

    @Test
    void durationsAreReadOrRefused() {
        Fuzz.check("CommandLineFuzzTest#durations*", 100_000, input -> {
            String text = input.text("500ms", "30s", "1.5h", "2d", "36500d");
            try {
                Duration duration = DurationConverter.parse(text);
                assertThat(duration).isBetween(Duration.ZERO, Duration.ofDays(36_500));
                assertThat(DurationConverter.parse(duration.toMillis() + "ms")).isEqualTo(duration);
                assertThat(dev.holdfast.internal.time.DurationText.of(duration)).isNotEmpty();
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).hasSizeBetween(40, 400).contains("from 0 to 36500d");
            }
        });
    }

    @Test
    void listsOfNodesArePartedAndNothingIsLost() {
        Fuzz.check("CommandLineFuzzTest#lists*", 50_000, input -> {
            String text = input.text("redis://a:1,redis://b:2 memory:x", "redis-sentinel://h1,h2:1?master=m");
            List<String> nodes = NodeList.parse(text);
            assertThat(nodes).noneMatch(String::isBlank);
            assertThat(withoutGaps(String.join("", nodes))).isEqualTo(withoutGaps(text));
        });
    }

    private static String withoutGaps(String text) {
        StringBuilder rest = new StringBuilder();
        text.codePoints().filter(c -> !Character.isWhitespace(c) && c != ',').forEach(rest::appendCodePoint);
        return rest.toString();
    }

    @Test
    void configFilesAreReadOrRefused() {
        Fuzz.check("CommandLineFuzzTest#config*", 3_000, input -> {
            ClientOptions options = new ClientOptions();
            options.config = write(input.text(
                    "nodes = redis://bob:" + SECRET + "@a:1 redis://b:2\nttl = 5s\nkey-prefix = lock:\n",
                    "username = bob\npassword-file = pw\nnode-timeout = 100ms\nconnect-timeout=1s\n",
                    "tls-ca = \\u0041\\\n b\nrestart-quarantine: 1m"));
            try {
                if (input.chance(20)) {
                    options.config = null;
                    Settings.of(options, Map.of(input.pick("HOLDFAST_CONFIG", "HOME"), input.text("/no/such")));
                }
                Settings settings = Settings.of(options, Map.of());
                settings.nodes();
                settings.builder();
            } catch (Failure e) {
                assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
                assertThat(Printable.line(String.valueOf(e.getMessage()))).hasSizeBetween(10, 4_100);
            }
        });
    }

    private Path write(String text) {
        try {
            Path file = folder.resolve("holdfast.properties");
            return Files.write(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> line(FuzzedInput input) {
        List<String> line = new ArrayList<>(List.of(
                "--node",
                input.chance(60) ? "memory:fuzz" : input.text("memory:x", "redis://u:" + SECRET + "@[::1]:x/1?")));
        int options = input.below(4);
        for (int i = 0; i < options; i++) {
            line.addAll(
                    switch (input.below(6)) {
                        case 0 ->
                            List.of(
                                    input.pick("--ttl", "-w", "--max-hold", "--node-timeout", "-E"),
                                    input.text("5s", "1"));
                        case 1 -> List.of(input.pick("--mode", "--on-lost"), input.text("EX", "TERM"));
                        case 2 -> List.of(input.text("--json", "-n", "-s", "--limit=5", "--key-prefix=a", "-q"));
                        case 3 -> List.of("--key-prefix", input.text("lock:", "{a}"));
                        case 4 -> List.of("--config", input.text("/no/such/file"));
                        default -> List.of(input.text("status", "list", "x", "--", "-x"));
                    });
        }
        line.addAll(input.pick(
                List.of("status", input.text("orders:42", "-x")),
                List.of("list", input.text("orders:", "--json")),
                List.of("nodes"),
                List.of("break", input.text("x"), "--token", input.text("1"), "--reason", input.text("why"), "--yes"),
                List.of("run", input.text("x"))));
        return line;
    }

    /** The command that is to be run is left out, so nothing is ever run. */
    @Test
    void argumentsAreUnderstoodOrRefusedInALine() {
        Fuzz.check("CommandLineFuzzTest#arguments*", 1_500, input -> {
            List<String> line = line(input);
            boolean known = line.stream()
                    .noneMatch(word -> word.contains(SECRET) && word.indexOf('@') < 0); // nothing tells it from a host
            if (!known || line.contains("dev") || (line.contains("run") && line.contains("--"))) {
                return; // would start servers, or a command
            }
            PrintStream err = System.err;
            PrintStream out = System.out;
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
            System.setOut(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
            int code;
            try {
                code = Main.run(line.toArray(String[]::new));
            } finally {
                System.setErr(err);
                System.setOut(out);
            }
            String text = said.toString(StandardCharsets.UTF_8);
            assertThat(code).as("%s: %s", line, text).isNotEqualTo(ExitCode.INTERNAL);
            assertThat(text)
                    .doesNotContain("internal error")
                    .doesNotContain("Exception")
                    .doesNotContain(SECRET);
            if (code == ExitCode.USAGE) {
                assertThat(text).startsWith("holdfast: ");
                assertThat(text.lines().count()).isEqualTo(1);
            }
        });
    }
}
