package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code holdfast dev}, and the nodes that are started where none are named. */
@Tag("slow")
class DevTest {

    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private Path folder;

    private Cli cli;

    @BeforeEach
    void start() {
        cli = new Cli(folder).patient();
    }

    @AfterEach
    void stop() {
        cli.close();
        assertThat(cli.run("dev", "down").exitCode()).isZero();
        assertThat(folder.resolve("dev").toFile().list((dir, name) -> name.startsWith("node")))
                .isNullOrEmpty();
    }

    private JsonNode nodes() {
        return JSON.readTree(cli.run("dev", "status", "--json").out()).get("nodes");
    }

    private String state(int number) {
        return nodes().get(number - 1).get("state").asString();
    }

    @Test
    void twoAtOnceBringUpThreeNodesTogether() {
        Running one = cli.start("dev", "up", "3");
        Running other = cli.start("dev", "up", "3");

        assertThat(one.exitCode()).as("%s", one).isZero();
        assertThat(other.exitCode()).as("%s", other).isZero();
        assertThat(nodes())
                .hasSize(3)
                .allSatisfy(node -> assertThat(node.get("state").asString()).isEqualTo("running"));
        assertThat(one.out()).hasLineCount(4);
        assertThat(other.out().lines().skip(1).map(line -> line.split(" +")[1]))
                .containsExactlyElementsOf(one.out()
                        .lines()
                        .skip(1)
                        .map(line -> line.split(" +")[1])
                        .toList());
    }

    @Test
    void faultsAreDoneAndUndone() {
        cli.run("dev", "up", "3");

        assertThat(cli.run("dev", "kill", "1").exitCode()).isZero();
        assertThat(cli.run("dev", "pause", "2").exitCode()).isZero();
        assertThat(state(1)).isEqualTo("gone");
        assertThat(state(2)).isEqualTo("paused");
        assertThat(cli.run("run", "--connect-timeout=2s", "-n", "nightly", "--", "true")
                        .exitCode())
                .isEqualTo(69);

        assertThat(cli.run("dev", "resume", "2").exitCode()).isZero();
        assertThat(cli.run("run", Cli.SLOW_NODES, "-n", "nightly", "--", "true").exitCode())
                .isZero();
        assertThat(cli.run("dev", "restart", "1", "--forget").exitCode()).isZero();
        assertThat(state(1)).isEqualTo("running");
        assertThat(cli.run("nodes", Cli.SLOW_NODES).out()).contains("QUARANTINED");
    }

    @Test
    void whatCannotBeDoneIsSaidInOneLine() {
        cli.run("dev", "up", "1");
        cli.run("dev", "kill", "1");

        for (String[] wrong : new String[][] {
            {"pause", "1"}, {"kill", "2"}, {"kill", "0"}, {"kill", "x"}, {"kill"}, {"up", "0"}, {"up", "99"}
        }) {
            Running run = wrong.length == 1 ? cli.run("dev", wrong[0]) : cli.run("dev", wrong[0], wrong[1]);
            assertThat(run.exitCode()).as("%s", String.join(" ", wrong)).isEqualTo(64);
            assertThat(run.err()).hasLineCount(1).startsWith("holdfast: ");
            assertThat(run.out()).isEmpty();
        }
    }

    @Test
    void whereNoNodesAreNamedFiveAreStartedAndStayUp() {
        Running first = cli.run("run", "-q", "nightly", "--", "sh", "-c", "echo $HOLDFAST_TOKEN");
        Running second = cli.run("run", "-q", "nightly", "--", "sh", "-c", "echo $HOLDFAST_TOKEN");

        assertThat(first.exitCode()).as("%s", first).isZero();
        assertThat(first.err()).hasLineCount(1).contains("5 development nodes were started");
        assertThat(second.err()).isEmpty();
        assertThat(Long.parseLong(second.out().strip()))
                .isGreaterThan(Long.parseLong(first.out().strip()));
        assertThat(nodes()).hasSize(5);
    }

    @Test
    void aProgramThatIsNoServerIsSaidInOneLine() {
        for (String program : List.of("/no/such/server", "/bin/true")) {
            try (Cli wrong = new Cli(folder).with("HOLDFAST_REDIS_SERVER", program)) {
                Running run = wrong.run("dev", "up", "1");

                assertThat(run.exitCode()).as("%s", run).isEqualTo(64);
                assertThat(run.err())
                        .hasLineCount(1)
                        .contains("HOLDFAST_REDIS_SERVER=" + program, "redis-server or valkey-server")
                        .doesNotContain("Exception");
            }
        }
    }

    @Test
    void aDirectoryThatCannotBeMadeIsSaidInOneLine() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "in the way");
        try (Cli blocked =
                new Cli(folder).with("HOLDFAST_DEV_DIR", file.resolve("dev").toString())) {
            Running run = blocked.run("run", "nightly", "--", "true");

            assertThat(run.exitCode()).isEqualTo(64);
            assertThat(run.err())
                    .hasLineCount(1)
                    .contains(file.toString(), "set HOLDFAST_DEV_DIR to another folder, or unset it");
        }
    }
}
