package dev.holdfast.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Effort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same seed gives the same trace, byte for byte, in JVMs that differ in all that must not matter. */
@Tag("slow")
class SameSeedTest {

    private static final List<String> ONE =
            List.of("-XX:+UseSerialGC", "-XX:hashCode=2", "-Duser.language=en", "-Duser.timezone=UTC");
    private static final List<String> OTHER = List.of(
            "-XX:+UseParallelGC",
            "-XX:hashCode=5",
            "-XX:TieredStopAtLevel=1",
            "-Duser.language=tr",
            "-Duser.timezone=Pacific/Auckland",
            "-Dfile.encoding=ISO-8859-1");

    static Stream<String> scenarios() {
        return Effort.isThorough()
                ? Scenarios.all().stream().map(Scenario::name)
                : Stream.of(Scenarios.STORM, Scenarios.PROMISES, Scenarios.CLOSING, Scenarios.CLUSTER)
                        .map(Scenario::name);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void givesTheSameTrace(String scenario) throws IOException {
        String one = trace(ONE, scenario, 7);
        String other = trace(OTHER, scenario, 7);

        assertThat(one.length()).isGreaterThan(100_000);
        assertThat(one.substring(one.length() - 1_000)).contains("every promise kept");
        assertThat(around(other, difference(one, other))).isEqualTo(around(one, difference(one, other)));
        assertThat(trace(OTHER, scenario, 8).equals(one))
                .as("another seed gives the same trace")
                .isFalse();
    }

    private static int difference(String one, String other) {
        int at = Arrays.mismatch(one.toCharArray(), other.toCharArray());
        return at < 0 ? one.length() : at;
    }

    /** Traces have millions of characters; this is where to look. */
    private static String around(String trace, int at) {
        return trace.substring(Math.max(at - 300, 0), Math.min(at + 300, trace.length()));
    }

    private static String trace(List<String> options, String scenario, long seed) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UnlockExperimentalVMOptions");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Simulate.class.getName()));
        command.addAll(List.of("SCENARIO=" + scenario, "SEED=" + seed, "TRACE=1"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } finally {
            process.destroyForcibly();
        }
    }
}
