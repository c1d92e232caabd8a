package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Cli.Running;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that a wait at a node that cannot be reached says why. */
@Tag("slow")
class WaitingReasonTest {

    private static final String NODE = "redis://" + Mistakes.UNKNOWN_HOST;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"run, waiting .* for 'e'", "elect, standing by .* in election 'e'"})
    void aWaitWithoutAnAnswerSaysWhy(String command, String waits) {
        try (Cli cli = new Cli(folder)) {
            Running run = cli.start("--node", NODE.replace("//", "//bob:secret@"), command, "e", "true");

            Awaitility.await("the reason")
                    .atMost(Cli.PATIENCE)
                    .until(() -> run.err().contains("only"));
            assertThat(run.err())
                    .matches("holdfast: " + waits + ": only 0 of 1 nodes answer \\[\\Q" + NODE
                            + ":6379\\E: not connected: the host is unknown; check its name\\]\n");
            run.signal("TERM");
            assertThat(run.exitCode()).isEqualTo(143);
        }
    }
}
