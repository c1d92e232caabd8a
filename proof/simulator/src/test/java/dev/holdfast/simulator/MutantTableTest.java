package dev.holdfast.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of mutants in docs/guides/testing.md has all of them, and the number of those that a short run notices is that of the table. */
class MutantTableTest {

    private static final Path PAGE = Path.of(
                    System.getProperty("maven.multiModuleProjectDirectory", "../.."), "docs/guides/testing.md")
            .toAbsolutePath();

    /** A row: the mutant, the scenario, the schedule and the promise. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]+) \\| [^|]+ \\| (\\d+) \\| [A-Z_]+ \\|$");

    private static final Pattern SENTENCE = Pattern.compile(
            "With (\\d+) schedules of each scenario, the simulator notices (\\d+) of the (\\d+) mutants");

    @Test
    void theTableHasEveryMutant() throws IOException {
        assertThat(rows().stream().map(row -> row.group(1)))
                .containsExactlyInAnyOrderElementsOf(
                        Mutants.all().stream().map(Mutant::toString).toList());
    }

    @Test
    void theNumberOfMutantsThatAShortRunNoticesIsThatOfTheTable() throws IOException {
        MatchResult sentence =
                SENTENCE.matcher(Files.readString(PAGE)).results().findFirst().orElseThrow();
        long soon = rows().stream()
                .filter(row -> Long.parseLong(row.group(2)) <= CampaignTest.BRIEF)
                .count();

        assertThat(List.of(sentence.group(1), sentence.group(2), sentence.group(3)))
                .containsExactly(
                        String.valueOf(CampaignTest.BRIEF),
                        String.valueOf(soon),
                        String.valueOf(Mutants.all().size()));
    }

    private static List<MatchResult> rows() throws IOException {
        return ROW.matcher(Files.readString(PAGE)).results().toList();
    }
}
